/// A picture that is to be seen.
package struct PlacedPicture: Equatable, Sendable {
    /// What tells it from others.
    package let key: String
    /// Where it stands.
    package let box: PictureBox
    /// What is seen.
    package let pixels: Pixels

    /// - Parameter key: what tells it from others.
    package init(key: String, box: PictureBox, pixels: Pixels) {
        (self.key, self.box, self.pixels) = (key, box, pixels)
    }
}

/// The pictures on a terminal, which are no part of its frames: the painter knows nothing of them.
///
/// Before a frame is painted, ``remove(allBut:)`` takes off what must go; after it, ``draw(_:over:_:_:)`` draws what is
/// new, and what the frame has painted over.
package struct PictureLayer {
    private var shown: [(key: String, box: PictureBox)] = []

    /// No picture is on the terminal.
    package init() {}

    /// What takes off the pictures that are no longer wanted, and the rows that are empty then.
    ///
    /// - Parameter wanted: what is to be seen now.
    package mutating func remove(allBut wanted: [PlacedPicture], _ form: PictureForm) -> (bytes: [UInt8], rows: [Int]) {
        let gone = shown.filter { old in !wanted.contains { $0.key == old.key && $0.box == old.box } }
        guard !gone.isEmpty else { return ([], []) }
        let boxes = gone.map(\.box)
        // Kitty's are deleted all at once, and those that stay are drawn anew.
        shown = form == .kitty ? [] : shown.filter { old in !boxes.contains(old.box) }
        return (form.erasure(of: boxes), form == .kitty ? [] : boxes.flatMap { Array($0.rows) })
    }

    /// What draws the pictures that the terminal does not show.
    ///
    /// - Parameter painted: rows that a frame has just been painted on.
    package mutating func draw(
        _ wanted: [PlacedPicture], over painted: Set<Int>, _ form: PictureForm, _ cell: CellSize
    ) -> [UInt8] {
        var output: [UInt8] = []
        for picture in wanted {
            let isShown = shown.contains { $0.key == picture.key && $0.box == picture.box }
            // Text erases what is made of cells; kitty's lie above them.
            let isErased = form != .kitty && picture.box.rows.contains { painted.contains($0) }
            guard !isShown || isErased else { continue }
            output += form.bytes(picture.pixels, in: picture.box, cell: cell)
            if !isShown { shown.append((picture.key, picture.box)) }
        }
        return output
    }

    /// What takes off all, before the screen is erased; nothing is known of the terminal then.
    package mutating func forget(_ form: PictureForm?) -> [UInt8] {
        defer { shown = [] }
        return form.map { $0.erasure(of: shown.map(\.box)) } ?? []
    }
}
