extension HTMLRenderer {
    /// How ``render(_:)`` looks: a file beside a page, or an element in it.
    ///
    /// Light or dark as the reader's system is; the system's fonts; each family in its size. Text has a contrast of 4.5
    /// to 1 on its ground at least (WCAG 2.2, 1.4.3). It holds no `<` and no `&`.
    public static let stylesheet = """
        .tresor-widget {
          color-scheme: light dark;
          --ground: #ffffff; --primary: #1c1c20; --secondary: #6a6a73; --accent: #4a55c8;
          --positive: #1a7a47; --warning: #9a5b00; --critical: #c0322c; --track: #e6e6eb; --mask: #dcdce2;
          position: relative; box-sizing: border-box; display: flex; flex-direction: column; overflow: hidden;
          padding: 14px; border: 1px solid var(--track); border-radius: 18px; \
        background: var(--ground); color: var(--primary);
          font: 15px/1.3 system-ui, sans-serif; text-align: start;
        }
        @media (prefers-color-scheme: dark) {
          .tresor-widget {
            --ground: #1c1c20; --primary: #f4f4f7; --secondary: #a4a4ae; --accent: #9aa5ff;
            --positive: #56cc98; --warning: #f3bc5c; --critical: #ff8a82; --track: #3a3a41; --mask: #44444c;
          }
        }
        .tresor-widget.dim {
          color-scheme: dark;
          --ground: #000000; --primary: #b8b8be; --secondary: #85858d; --accent: #8790d8;
          --positive: #5aa583; --warning: #b98f45; --critical: #c97570; --track: #26262a; --mask: #2c2c31;
        }
        :root:has(.tresor-widgets) { color-scheme: light dark; }
        .tresor-widgets { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 16px; padding: 16px; }
        .tresor-widget.system-small { width: 158px; height: 158px; }
        .tresor-widget.system-medium { width: 338px; height: 158px; }
        .tresor-widget.system-large { width: 338px; height: 354px; }
        .tresor-widget.system-extra-large { width: 715px; max-width: 100%; height: 354px; }
        .tresor-widget.accessory-inline { max-width: 100%; padding: 2px 10px; border-radius: 13px; }
        .tresor-widget.accessory-circular {
          width: 76px; height: 76px; padding: 8px; border-radius: 50%; align-items: center; justify-content: center;
          text-align: center;
        }
        .tresor-widget.accessory-rectangular { width: 172px; height: 76px; padding: 8px; border-radius: 12px; }
        .tresor-widget .stack { display: flex; min-width: 0; }
        .tresor-widget .stack.vertical { flex-direction: column; }
        .tresor-widget .stack.vertical > * { flex-shrink: 0; max-width: 100%; }
        .tresor-widget .stack.vertical.leading { align-items: flex-start; }
        .tresor-widget .stack.vertical > .stack, .tresor-widget .stack.vertical > .gauge { align-self: stretch; }
        .tresor-widget .stack.center { align-items: center; }
        .tresor-widget .stack.trailing { align-items: flex-end; }
        .tresor-widget .stack.horizontal.leading { align-items: flex-start; }
        .tresor-widget .stack.depth { display: grid; justify-items: center; }
        .tresor-widget .stack.depth > * { grid-area: 1 / 1; }
        .tresor-widget > .stack, .tresor-widget > .link > .stack { flex: 1 1 auto; min-height: 0; }
        .tresor-widget > .link { display: flex; flex-direction: column; flex: 1 1 auto; min-height: 0; }
        .tresor-widget .horizontal > .caption, .tresor-widget .horizontal > .symbol { flex-shrink: 0; max-width: 60%; }
        .tresor-widget.accessory-inline .stack.vertical { flex-direction: row; align-items: center; }
        .tresor-widget.accessory-inline .stack.vertical > .stack { align-self: center; }
        .tresor-widget.accessory-inline .gauge { grid-auto-flow: column; align-items: center; }
        .tresor-widget.accessory-inline .gauge, .tresor-widget.accessory-inline .toggle { flex-shrink: 0; }
        .tresor-widget.accessory-inline .bar { width: 4em; }
        .tresor-widget.accessory-inline .divider { display: none; }
        .tresor-widget.accessory-inline .text { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        .tresor-widget .gap-2 { gap: 2px; }
        .tresor-widget .gap-4 { gap: 4px; }
        .tresor-widget .gap-6 { gap: 6px; }
        .tresor-widget .gap-8 { gap: 8px; }
        .tresor-widget .gap-12 { gap: 12px; }
        .tresor-widget .gap-16 { gap: 16px; }
        .tresor-widget .gap-24 { gap: 24px; }
        .tresor-widget .stack > .spacer { flex: 1 1 0; }
        .tresor-widget .divider { align-self: stretch; margin: 0; border: 0; border-top: 1px solid var(--track); }
        .tresor-widget .horizontal > .divider { border-top: 0; border-left: 1px solid var(--track); }
        .tresor-widget .text { font-weight: 400; white-space: pre-line; overflow-wrap: break-word; max-width: 100%; }
        .tresor-widget strong.text, .tresor-widget .headline { font-weight: 600; }
        .tresor-widget .caption { font-size: 12px; }
        .tresor-widget .title { font-size: 20px; }
        .tresor-widget .large-title { font-size: 30px; }
        .tresor-widget .monospaced { font-family: ui-monospace, monospace; }
        .tresor-widget .secondary { color: var(--secondary); }
        .tresor-widget .accent { color: var(--accent); }
        .tresor-widget .positive { color: var(--positive); }
        .tresor-widget .warning { color: var(--warning); }
        .tresor-widget .critical { color: var(--critical); }
        .tresor-widget [class*="lines-"] { display: -webkit-box; -webkit-box-orient: vertical; overflow: hidden; }
        .tresor-widget .lines-1 { -webkit-line-clamp: 1; line-clamp: 1; }
        .tresor-widget .lines-2 { -webkit-line-clamp: 2; line-clamp: 2; }
        .tresor-widget .lines-3 { -webkit-line-clamp: 3; line-clamp: 3; }
        .tresor-widget .lines-4 { -webkit-line-clamp: 4; line-clamp: 4; }
        .tresor-widget .lines-5 { -webkit-line-clamp: 5; line-clamp: 5; }
        .tresor-widget .lines-6 { -webkit-line-clamp: 6; line-clamp: 6; }
        .tresor-widget .lines-7 { -webkit-line-clamp: 7; line-clamp: 7; }
        .tresor-widget .lines-8 { -webkit-line-clamp: 8; line-clamp: 8; }
        .tresor-widget .image { max-width: 100%; object-fit: cover; border-radius: 8px; }
        .tresor-widget .link { color: inherit; text-decoration: none; }
        .tresor-widget .stack > .link { display: block; min-width: 0; }
        .tresor-widget .link:focus-visible { outline: 2px solid var(--accent); }
        .tresor-widget .invalidated { opacity: 0.5; }
        .tresor-widget .gauge { display: grid; gap: 2px; }
        .tresor-widget .bar { width: 100%; }
        .tresor-widget .gauge.circular { justify-items: center; align-items: center; width: 60px; }
        .tresor-widget .gauge.circular > * { grid-area: 1 / 1; }
        .tresor-widget .ring { width: 60px; height: 60px; }
        .tresor-widget .ring circle { stroke-width: 4; stroke: var(--track); }
        .tresor-widget .ring .arc { stroke: var(--accent); }
        .tresor-widget .toggle { display: flex; gap: 6px; align-items: center; }
        .tresor-widget .mask { display: inline-block; height: 1em; border-radius: 4px; background: var(--mask); }
        .tresor-widget .mask-image { width: 1.6em; height: 1.6em; }
        .tresor-widget .mask-gauge.linear { width: 100%; height: 8px; }
        .tresor-widget .mask-gauge.circular { width: 60px; height: 60px; border-radius: 50%; }
        .tresor-widget .mask-toggle { width: 2em; border-radius: 1em; }
        .tresor-widget .mask-block { width: 100%; height: 3em; }
        .tresor-widget .columns-4 { width: 4ch; max-width: 100%; }
        .tresor-widget .columns-6 { width: 6ch; max-width: 100%; }
        .tresor-widget .columns-8 { width: 8ch; max-width: 100%; }
        .tresor-widget .columns-12 { width: 12ch; max-width: 100%; }
        .tresor-widget .columns-16 { width: 16ch; max-width: 100%; }
        .tresor-widget .columns-24 { width: 24ch; max-width: 100%; }
        .tresor-widget .columns-40 { width: 40ch; max-width: 100%; }
        .tresor-widget .spoken {
          position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
        }
        @media (forced-colors: active) { .tresor-widget .mask { border: 1px solid CanvasText; } }

        """
}
