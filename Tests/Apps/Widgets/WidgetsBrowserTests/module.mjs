// Asks widget.wasm what BrowserTests compare.
//
//   node module.mjs FOLDER render SECRETS ANSWERS    every secret in every size and environment; answers as bytes
//   node module.mjs FOLDER inspect SECRETS ANSWERS   what is in the module's memory, as JSON
//
// SECRETS is a JSON list of Base64 texts and null, which stands for a shut one. An answer is four bytes that say how
// long it is, the lowest first, and so many more.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, task, secretsPath, answersPath] = process.argv.slice(2);
const { LockState, Widget, WidgetPlacement, families, occurrences } =
  await import(pathToFileURL(`${folder}/widget.mjs`));
const module = new WebAssembly.Module(readFileSync(`${folder}/widget.wasm`));
const secrets = JSON.parse(readFileSync(secretsPath)).map((text) => text === null ? null : Buffer.from(text, "base64"));
const makeWidget = () => new Widget(new WebAssembly.Instance(module));

function render() {
  const widget = makeWidget();
  const parts = [];
  for (const secret of secrets) {
    for (const family of families.keys()) {
      for (let variant = 0; variant < 48; variant += 1) {
        const [reasons, isDimmed, placement] = [variant & 7, (variant & 8) !== 0, variant >> 4];
        const html = widget.render({ family, reasons, placement, isDimmed }, secret);
        const count = Buffer.alloc(4);
        count.writeUInt32LE(html.length);
        parts.push(count, Buffer.from(html));
      }
    }
  }
  return Buffer.concat(parts);
}

// As the page does it: asks first, and hands a secret in only where it may be seen.
function inspectState(state, secret) {
  const resolution = makeWidget().resolve(state);
  if (!resolution) return [{ ...state, reasons: -1, isHandedIn: false, held: 0, inHTML: 0, left: 0 }];
  return [...families.keys()].map((family) => {
    const widget = makeWidget();
    const { reasons, opensSealed } = resolution;
    let held = 0;
    const html = widget.render({ ...state, family, reasons }, opensSealed ? secret : null, (memory) => {
      held = occurrences(secret, memory);
    });
    const [inHTML, left] = [occurrences(secret, html), occurrences(secret, widget.memory)];
    return { ...state, reasons, isHandedIn: opensSealed, held, inHTML, left };
  });
}

// Handed in although the reasons hide it: a page that does not ask.
function inspectHidden(secret) {
  return [...families.keys()].flatMap((family) => [1, 2, 3].map((reasons) => {
    const widget = makeWidget();
    const html = widget.render({ family, reasons, placement: 1, isDimmed: false }, secret);
    return { inHTML: occurrences(secret, html), left: occurrences(secret, widget.memory) };
  }));
}

function inspect() {
  const states = Object.values(LockState).flatMap((lock) => Object.values(WidgetPlacement).flatMap((placement) =>
    [false, true].map((isDimmed) => ({ lock, placement, isDimmed }))));
  const widget = makeWidget();
  const wrong = [[7, 0, 0], [0, 8, 0], [0, 0, 3], [256, 0, 0], [0, 256, 0], [0, 0, 0xFFFFFFFF]];
  return Buffer.from(JSON.stringify({
    imports: WebAssembly.Module.imports(module).length,
    refused: wrong.filter(([family, reasons, placement]) =>
      widget.render({ family, reasons, placement, isDimmed: false }) === null).length,
    unknownStates: [widget.resolve({ lock: 3, placement: 0, isDimmed: false }),
      widget.resolve({ lock: 257, placement: 0, isDimmed: false })].filter((answer) => answer === null).length,
    frames: secrets.flatMap((secret) => states.flatMap((state) => inspectState(state, secret))),
    hidden: secrets.flatMap(inspectHidden),
  }));
}

writeFileSync(answersPath, task === "render" ? render() : inspect());
