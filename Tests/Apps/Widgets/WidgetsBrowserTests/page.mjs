// Serves the page from this machine to a headless Chromium, and clicks its buttons.
//
//   node page.mjs FOLDER CHROMIUM PROFILE ANSWERS
//
// ANSWERS becomes JSON: the page in each state of the device, what the browser complained of, and every path asked for.
// Chromium is steered through file descriptors 3 and 4 by messages of the DevTools protocol, each with a zero behind.
import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";

const [folder, chromium, profile, answersPath] = process.argv.slice(2);
const types = { ".html": "text/html", ".css": "text/css", ".mjs": "text/javascript", ".wasm": "application/wasm" };
const paths = new Set();

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, "http://localhost");
  paths.add(pathname);
  try {
    const body = await readFile(join(folder, pathname === "/" ? "index.html" : pathname));
    response.writeHead(200, { "Content-Type": types[extname(pathname)] ?? "text/html" }).end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

// Chromium's own sandbox does not start for root.
const flags = process.getuid() === 0 ? ["--no-sandbox"] : [];
flags.push("--headless", `--user-data-dir=${profile}`, "--remote-debugging-pipe", "about:blank");
const browser = spawn(chromium, flags, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
const [, , , input, output] = browser.stdio;
const ended = new Promise((resolve) => browser.once("exit", resolve));
// A browser that does not answer is not waited for.
setTimeout(() => {
  browser.kill("SIGKILL");
  process.exit(1);
}, 60_000).unref();

const waiting = new Map();
const complaints = [];
let sent = 0;

function take(message) {
  const { id, method, params, result, error } = JSON.parse(message);
  if (id) waiting.get(id)(error ? { error } : result);
  if (method === "Log.entryAdded" && params.entry.level !== "verbose") complaints.push(params.entry.text);
  if (method === "Runtime.exceptionThrown") complaints.push(params.exceptionDetails.text);
}

let rest = "";
output.setEncoding("utf8").on("data", (text) => {
  const messages = (rest + text).split("\0");
  rest = messages.pop();
  messages.forEach(take);
});

function call(method, params = {}, sessionId = undefined) {
  sent += 1;
  const id = sent;
  input.write(JSON.stringify({ id, method, params, sessionId }) + "\0");
  return new Promise((resolve) => waiting.set(id, resolve));
}

const { targetInfos } = await call("Target.getTargets");
const { targetId } = targetInfos.find(({ type }) => type === "page");
const { sessionId } = await call("Target.attachToTarget", { targetId, flatten: true });
for (const domain of ["Log", "Runtime", "Page"]) await call(`${domain}.enable`, {}, sessionId);
await call("Page.navigate", { url: `http://127.0.0.1:${server.address().port}/` }, sessionId);

const evaluate = async (expression) =>
  (await call("Runtime.evaluate", { expression, returnByValue: true }, sessionId)).result?.value;

async function shows(state) {
  const end = Date.now() + 30_000;
  while (await evaluate("document.documentElement.dataset.shown") !== state) {
    if (Date.now() > end) throw new Error(`The page does not show ${state}: ${complaints.join("; ")}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const pages = {};
try {
  await shows("unlocked");
  for (const state of ["locked", "beforeFirstUnlock", "alwaysOn", "unlocked"]) {
    await evaluate(`document.querySelector("button[data-state=${state}]").click()`);
    await shows(state);
    pages[state] = await evaluate(`({
      source: document.getElementById("source").textContent,
      widgets: document.getElementById("widgets").innerHTML,
      held: document.getElementById("held").textContent,
      corners: getComputedStyle(document.querySelector(".tresor-widget")).borderRadius,
    })`);
  }
} finally {
  call("Browser.close");
  await ended;
  server.close();
  server.closeAllConnections();
}
await writeFile(answersPath, JSON.stringify({ pages, complaints, paths: [...paths].sort() }));
