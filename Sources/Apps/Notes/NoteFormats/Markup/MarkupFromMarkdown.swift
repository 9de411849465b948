import CMarkdown
import Synchronization

/// Markdown as HTML, by libcmark-gfm: the one place of this target that talks to it.
///
/// Markup that stands in a note is shown as text: a page that is opened elsewhere runs nothing that somebody put there.
enum MarkupFromMarkdown {
    private static let extensions = ["table", "strikethrough", "autolink", "tasklist"]
    private static let registration: Void = cmark_gfm_core_extensions_ensure_registered()
    /// The extensions' special characters are a global table while the library reads.
    private static let turn = Mutex(())

    static func html(of markdown: String) -> String {
        turn.withLock { _ in render(Array(markdown.utf8)) }
    }

    private static func render(_ bytes: [UInt8]) -> String {
        _ = registration
        guard let parser = unsafe cmark_parser_new(CMARK_OPT_DEFAULT) else { return "" }
        defer { unsafe cmark_parser_free(parser) }
        for name in extensions {
            _ = unsafe cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension(name))
        }
        unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { text in
                unsafe cmark_parser_feed(parser, text.baseAddress, text.count)
            }
        }
        guard let root = unsafe cmark_parser_finish(parser) else { return "" }
        defer { unsafe cmark_node_free(root) }
        unsafe disarm(root)
        guard let text = unsafe cmark_render_html(root, CMARK_OPT_DEFAULT, cmark_parser_get_syntax_extensions(parser))
        else { return "" }
        defer { unsafe cmark_get_default_mem_allocator()?.pointee.free(text) }
        return unsafe String(cString: text)
    }

    /// Replaces markup by the text that it is.
    private static func disarm(_ root: OpaquePointer) {
        guard let iterator = unsafe cmark_iter_new(root) else { return }
        var found: [OpaquePointer] = unsafe []
        while true {
            let step = unsafe cmark_iter_next(iterator)
            guard step != CMARK_EVENT_DONE, let node = unsafe cmark_iter_get_node(iterator) else { break }
            let type = unsafe cmark_node_get_type(node)
            if type == CMARK_NODE_HTML_BLOCK || type == CMARK_NODE_HTML_INLINE {
                unsafe found.append(node)
            }
        }
        unsafe cmark_iter_free(iterator)
        while let node = unsafe found.popLast() {
            let isBlock = unsafe cmark_node_get_type(node) == CMARK_NODE_HTML_BLOCK
            guard let text = unsafe cmark_node_new(isBlock ? CMARK_NODE_CODE_BLOCK : CMARK_NODE_TEXT) else { continue }
            _ = unsafe cmark_node_set_literal(text, cmark_node_get_literal(node))
            if isBlock { _ = unsafe cmark_node_set_fence_info(text, "html") }
            if unsafe cmark_node_replace(node, text) == 1 {
                unsafe cmark_node_free(node)
            } else {
                unsafe cmark_node_free(text)
            }
        }
    }
}
