import { LockState, Widget, WidgetPlacement, families, occurrences } from "./widget.mjs";

const states = {
  unlocked: { lock: LockState.unlocked, placement: WidgetPlacement.desktop, isDimmed: false },
  locked: { lock: LockState.locked, placement: WidgetPlacement.lockScreen, isDimmed: false },
  beforeFirstUnlock: { lock: LockState.beforeFirstUnlock, placement: WidgetPlacement.lockScreen, isDimmed: false },
  alwaysOn: { lock: LockState.unlocked, placement: WidgetPlacement.lockScreen, isDimmed: true },
};
const reasonNames = ["placeholder", "privacy", "invalidated"];

const element = (id) => document.getElementById(id);
const buttons = document.querySelectorAll("button[data-state]");
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
// Only what the renderer wrote becomes HTML on this page; everything in it is escaped already.
const policy = globalThis.trustedTypes?.createPolicy("widget", { createHTML: (html) => html }) ??
  { createHTML: (html) => html };

let module;
let state = "unlocked";
let runs = 0;

async function show() {
  runs += 1;
  const run = runs;
  // A new instance, so that nothing is left of what was drawn before.
  const widget = new Widget(await WebAssembly.instantiate(module));
  if (run !== runs) return;
  const resolution = widget.resolve(states[state]);
  // Decided before the secret is read from anywhere.
  const appointment = element("appointment").value;
  const secret = resolution.opensSealed ? new TextEncoder().encode(appointment) : null;
  const wanted = new TextEncoder().encode(appointment);
  let held = 0;
  const chosen = element("family").value;
  const html = families.flatMap((name, family) => {
    if (chosen !== "every" && chosen !== name) return [];
    const request = { ...states[state], family, reasons: resolution.reasons };
    return [decoder.decode(widget.render(request, secret, (memory) => {
      held += wanted.length ? occurrences(wanted, memory) : 0;
    }))];
  });
  draw(html, resolution, held, wanted.length ? occurrences(wanted, widget.memory) : 0);
}

function draw(html, resolution, held, left) {
  const template = document.createElement("template");
  template.innerHTML = policy.createHTML(html.join("\n"));
  element("widgets").replaceChildren(template.content);
  element("source").textContent = html.join("\n\n");
  const reasons = reasonNames.filter((_, bit) => resolution.reasons >> bit & 1);
  element("reasons").textContent = reasons.length ? reasons.join(", ") : "none";
  element("handed").textContent = resolution.opensSealed ? "yes" : "no";
  element("held").textContent = `${held} times while it was drawn, ${left} times now`;
  for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.state === state));
  document.documentElement.dataset.shown = state;
}

function report(error) {
  element("problem").hidden = false;
  element("problem").textContent = `The widget cannot be drawn: ${error.message}`;
}

for (const button of buttons) {
  button.addEventListener("click", () => {
    state = button.dataset.state;
    show().catch(report);
  });
}
for (const id of ["appointment", "family"]) element(id).addEventListener("input", () => show().catch(report));

try {
  const answer = await fetch("widget.wasm");
  if (!answer.ok) throw new Error(`widget.wasm: ${answer.status}; "make wasm" builds it.`);
  module = await WebAssembly.compile(await answer.arrayBuffer());
  const wanted = location.hash.slice(1);
  if (Object.hasOwn(states, wanted)) state = wanted;
  await show();
} catch (error) {
  report(error);
}
