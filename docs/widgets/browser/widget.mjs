// widget.wasm in JavaScript's words; the page and the tests use it alike.

/** Raw values of the kit's enumerations, by name. */
export const LockState = { beforeFirstUnlock: 0, unlocked: 1, locked: 2 };
export const WidgetPlacement = { desktop: 0, lockScreen: 1, remote: 2 };
export const RedactionReasons = { placeholder: 1, privacy: 2, invalidated: 4 };
/** Their raw values are their places in this list. */
export const families = [
  "systemSmall", "systemMedium", "systemLarge", "systemExtraLarge", "accessoryInline", "accessoryCircular",
  "accessoryRectangular",
];

const opensSealed = 8;

/** One instance of the module, with a memory of its own. */
export class Widget {
  #exports;

  /** @param {WebAssembly.Instance} instance - of widget.wasm, which imports nothing */
  constructor(instance) {
    this.#exports = instance.exports;
  }

  /**
   * What may be drawn: to be asked before a secret is touched.
   * @returns {{reasons: number, opensSealed: boolean} | null} null where the widget is not shown
   */
  resolve({ lock, placement, isDimmed }) {
    const answer = this.#exports.tresor_resolve(lock, placement, Number(isDimmed));
    return answer < 0 ? null : { reasons: answer & 7, opensSealed: (answer & opensSealed) !== 0 };
  }

  /**
   * The widget as HTML, in UTF-8.
   * @param {{family: number, reasons: number, placement: number, isDimmed: boolean}} request
   * @param {Uint8Array | null} secret - what comes next, in UTF-8; null where it is shut
   * @param {(memory: Uint8Array) => void} inspect - sees all memory while the answer lies in it
   * @returns {Uint8Array | null} null for numbers that are none
   */
  render({ family, reasons, placement, isDimmed }, secret = null, inspect = () => {}) {
    const wasm = this.#exports;
    const place = secret ? this.#copyIn(secret) : 0;
    const answer = wasm.tresor_render(family, reasons, placement, Number(isDimmed), place, secret?.length ?? 0);
    // The memory may have grown: its buffer is another one then.
    inspect(new Uint8Array(wasm.memory.buffer));
    const html = answer ? this.#copyOut(answer) : null;
    wasm.tresor_release(answer);
    wasm.tresor_release(place);
    return html;
  }

  /** All memory, as it is now. */
  get memory() {
    return new Uint8Array(this.#exports.memory.buffer);
  }

  #copyIn(bytes) {
    const place = this.#exports.tresor_allocate(bytes.length);
    if (!place) throw new RangeError("The module has no memory left.");
    this.memory.set(bytes, place);
    return place;
  }

  #copyOut(place) {
    const count = new DataView(this.#exports.memory.buffer).getUint32(place, true);
    return this.memory.slice(place + 4, place + 4 + count);
  }
}

/** How often bytes stand in others. */
export function occurrences(wanted, bytes) {
  let count = 0;
  for (let at = bytes.indexOf(wanted[0]); at >= 0; at = bytes.indexOf(wanted[0], at + 1)) {
    if (wanted.every((byte, index) => bytes[at + index] === byte)) count += 1;
  }
  return count;
}
