import CMarkdown
import Synchronization

/// The one place that talks to libcmark-gfm: text goes in, safe values come out.
///
/// Check items are not left to the library's extension: in this version it takes an item as done if `[x]` stands
/// anywhere on its line, and finds no check items in quotes.
enum MarkdownLibrary {
    /// The structure of a document; inline content stays source, with its reference links resolved.
    static func events(in source: String) -> [MarkdownEvent] { located(in: source).map(\.event) }

    /// The same, with the line on which each begins, counted from 0.
    static func located(in source: String) -> [(event: MarkdownEvent, line: Int)] {
        let source = GuardedSource(source)
        guard let root = unsafe parse(source) else { return [] }
        defer { unsafe cmark_node_free(root) }
        guard let iterator = unsafe cmark_iter_new(root) else { return [] }
        defer { unsafe cmark_iter_free(iterator) }
        var reader = EventReader(source: source)
        while true {
            let step = unsafe cmark_iter_next(iterator)
            guard step != CMARK_EVENT_DONE, let node = unsafe cmark_iter_get_node(iterator) else { break }
            if step == CMARK_EVENT_EXIT {
                unsafe reader.exit(node)
            } else if unsafe reader.enter(node) {
                unsafe cmark_iter_reset(iterator, node, CMARK_EVENT_EXIT)
            }
            reader.placed(at: Int(unsafe cmark_node_get_start_line(node)) - 1)
        }
        return Array(zip(reader.events, reader.lines).lazy.map { (event: $0, line: $1) })
    }

    /// The inline content of a paragraph's source; emphasis is left out.
    ///
    /// The text is read as the second line of a paragraph, indented: there it cannot be anything else.
    static func inlines(in text: String) -> [MarkdownInline] {
        let source = GuardedSource((["x"] + MarkdownText.lines(of: text)).joined(separator: "\n    "))
        guard let root = unsafe parse(source) else { return [] }
        defer { unsafe cmark_node_free(root) }
        guard let paragraph = unsafe cmark_node_first_child(root) else { return [] }
        return Array(unsafe inlines(of: paragraph, in: source).dropFirst(2))
    }

    /// The HTML of a document as the library renders it: the measure of what reading and writing preserve.
    static func html(of source: String) -> String {
        guard let root = unsafe parse(GuardedSource(source)) else { return "" }
        defer { unsafe cmark_node_free(root) }
        return unsafe takeString(cmark_render_html(root, CMARK_OPT_UNSAFE, nil))
    }

    private static let extensions = ["table", "strikethrough", "autolink"]

    /// The library keeps its extensions for the life of the process.
    private static let registration: Void = cmark_gfm_core_extensions_ensure_registered()

    /// One document at a time: the extensions' special characters are a global table while the library reads.
    private static let turn = Mutex(())

    private static func parse(_ source: GuardedSource) -> OpaquePointer? {
        unsafe turn.withLock { _ in unsafe parse(source.bytes) }
    }

    private static func parse(_ bytes: [UInt8]) -> OpaquePointer? {
        _ = registration
        guard let parser = unsafe cmark_parser_new(CMARK_OPT_DEFAULT) else { return nil }
        defer { unsafe cmark_parser_free(parser) }
        for name in extensions {
            _ = unsafe cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension(name))
        }
        unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { text in
                unsafe cmark_parser_feed(parser, text.baseAddress, text.count)
            }
        }
        return unsafe cmark_parser_finish(parser)
    }

    /// Iterative: hostile brackets nest deeper than the stack.
    fileprivate static func inlines(of block: OpaquePointer, in source: GuardedSource) -> [MarkdownInline] {
        guard let iterator = unsafe cmark_iter_new(block) else { return [] }
        defer { unsafe cmark_iter_free(iterator) }
        var collector = InlineCollector()
        while true {
            let step = unsafe cmark_iter_next(iterator)
            guard step != CMARK_EVENT_DONE, let node = unsafe cmark_iter_get_node(iterator) else { break }
            if let inline = unsafe inline(node, isEntered: step == CMARK_EVENT_ENTER, in: source) {
                collector.add(inline)
            }
        }
        return collector.finish()
    }

    private static func inline(
        _ node: OpaquePointer, isEntered: Bool, in source: GuardedSource
    ) -> MarkdownInline? {
        let literal = { source.restored(unsafe string(cmark_node_get_literal(node))) }
        let url = { source.restored(unsafe string(cmark_node_get_url(node))) }
        return switch unsafe cmark_node_get_type(node) {
        case CMARK_NODE_TEXT: .text(literal())
        case CMARK_NODE_CODE: .code(literal())
        case CMARK_NODE_HTML_INLINE: .html(literal())
        case CMARK_NODE_SOFTBREAK: .softBreak
        case CMARK_NODE_LINEBREAK: .hardBreak
        case CMARK_NODE_LINK where isEntered: .enterLink(url: url())
        case CMARK_NODE_IMAGE where isEntered: .enterImage(url: url())
        case CMARK_NODE_LINK: .leaveLink
        case CMARK_NODE_IMAGE: .leaveImage
        default: nil
        }
    }

    fileprivate static func string(_ text: UnsafePointer<CChar>?) -> String {
        guard let text = unsafe text else { return "" }
        return unsafe String(cString: text)
    }

    /// A string that the library allocated and leaves to us.
    fileprivate static func takeString(_ text: UnsafeMutablePointer<CChar>?) -> String {
        defer { unsafe cmark_get_default_mem_allocator()?.pointee.free(text) }
        return unsafe string(text)
    }
}

/// Turns nodes into events.
private struct EventReader {
    let source: GuardedSource
    private(set) var events: [MarkdownEvent] = []
    /// On which line each event begins.
    private(set) var lines: [Int] = []
    /// Without definitions no link is by reference.
    private let hasDefinitions: Bool
    /// Bytes that resolving may add, since one long definition can be used often.
    private var resolvable: Int

    init(source: GuardedSource) {
        self.source = source
        let pairs = zip(source.bytes, source.bytes.dropFirst())
        hasDefinitions = pairs.contains { $0 == UInt8(ascii: "]") && $1 == UInt8(ascii: ":") }
        resolvable = 4 * source.bytes.count
    }

    /// Where the events came from that have been added since.
    mutating func placed(at line: Int) { while lines.count < events.count { lines.append(max(0, line)) } }

    mutating func exit(_ node: OpaquePointer) {
        switch unsafe cmark_node_get_type(node) {
        case CMARK_NODE_BLOCK_QUOTE, CMARK_NODE_LIST, CMARK_NODE_ITEM: events.append(.leave)
        default: break
        }
    }

    /// Whether the node's children have been read with it.
    mutating func enter(_ node: OpaquePointer) -> Bool {
        switch unsafe cmark_node_get_type(node) {
        case CMARK_NODE_BLOCK_QUOTE: events.append(.enterQuote)
        case CMARK_NODE_LIST: events.append(unsafe list(node))
        case CMARK_NODE_ITEM: events.append(.enterItem)
        case CMARK_NODE_CODE_BLOCK:
            let info = unsafe MarkdownLibrary.string(cmark_node_get_fence_info(node))
            events.append(.code(info: source.restored(info), text: unsafe literal(node)))
        case CMARK_NODE_HTML_BLOCK: events.append(.html(unsafe literal(node)))
        case CMARK_NODE_THEMATIC_BREAK: events.append(.rule)
        case CMARK_NODE_PARAGRAPH:
            events.append(.paragraph(text: unsafe inlineSource(node)))
            return true
        case CMARK_NODE_HEADING:
            let level = Int(unsafe cmark_node_get_heading_level(node))
            events.append(.heading(level: level, text: unsafe inlineSource(node)))
            return true
        default:
            guard unsafe MarkdownLibrary.string(cmark_node_get_type_string(node)) == "table" else { return false }
            events.append(.table(unsafe table(node)))
            return true
        }
        return false
    }

    private func list(_ node: OpaquePointer) -> MarkdownEvent {
        let isOrdered = unsafe cmark_node_get_list_type(node) == CMARK_ORDERED_LIST
        let isTight = unsafe cmark_node_get_list_tight(node) != 0
        return .enterList(start: isOrdered ? Int(unsafe cmark_node_get_list_start(node)) : nil, isTight: isTight)
    }

    private func literal(_ node: OpaquePointer) -> String {
        unsafe source.restored(MarkdownLibrary.string(cmark_node_get_literal(node)))
    }

    private mutating func table(_ node: OpaquePointer) -> Table {
        let count = Int(unsafe cmark_gfm_extensions_get_table_columns(node))
        var alignments = [Table.Alignment](repeating: .none, count: count)
        if let letters = unsafe cmark_gfm_extensions_get_table_alignments(node) {
            let letters = unsafe UnsafeBufferPointer(start: letters, count: count)
            alignments = unsafe letters.map { alignment($0) }
        }
        var rows: [[String]] = []
        var row = unsafe cmark_node_first_child(node)
        while let current = unsafe row {
            var cells: [String] = []
            var cell = unsafe cmark_node_first_child(current)
            while let content = unsafe cell {
                cells.append(unsafe inlineSource(content))
                unsafe cell = cmark_node_next(content)
            }
            rows.append(cells)
            unsafe row = cmark_node_next(current)
        }
        return Table(alignments: alignments, rows: rows)
    }

    private func alignment(_ letter: UInt8) -> Table.Alignment {
        switch letter {
        case UInt8(ascii: "l"): .left
        case UInt8(ascii: "c"): .center
        case UInt8(ascii: "r"): .right
        default: .none
        }
    }

    /// The source of a block's inline content, or what the library makes of it where links are by reference.
    ///
    /// The library terminates the source only once it has written something there: a block without inline content has
    /// none to read.
    private mutating func inlineSource(_ node: OpaquePointer) -> String {
        guard unsafe cmark_node_first_child(node) != nil else { return "" }
        let text = unsafe source.restored(MarkdownLibrary.string(cmark_node_get_string_content(node)))
        let trimmed = MarkdownText.lines(of: text).joined(separator: "\n")
        guard hasDefinitions, trimmed.utf8.contains(UInt8(ascii: "[")) else { return trimmed }
        let found = unsafe MarkdownLibrary.inlines(of: node, in: source)
        guard links(found) != links(MarkdownLibrary.inlines(in: trimmed)) else { return trimmed }
        let resolved = unsafe rendered(node)
        resolvable -= resolved.utf8.count
        return resolvable < 0 ? trimmed : resolved
    }

    private func links(_ inlines: [MarkdownInline]) -> [MarkdownInline] {
        inlines.filter { inline in
            switch inline {
            case .enterLink, .enterImage, .leaveLink, .leaveImage: true
            default: false
            }
        }
    }

    /// Its inline children as a paragraph of their own; a check mark at the start stays one.
    private func rendered(_ node: OpaquePointer) -> String {
        guard let paragraph = unsafe cmark_node_new(CMARK_NODE_PARAGRAPH) else { return "" }
        defer { unsafe cmark_node_free(paragraph) }
        while let child = unsafe cmark_node_first_child(node) {
            guard unsafe cmark_node_append_child(paragraph, child) == 1 else { break }
        }
        let text = unsafe MarkdownLibrary.takeString(cmark_render_commonmark(paragraph, CMARK_OPT_DEFAULT, 0))
        return CheckMark.unescaped(MarkdownText.trimmed(source.restored(text)))
    }
}
