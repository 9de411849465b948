import Testing

@testable import TerminalScreen

/// What is sent for a picture, read back as a terminal reads it.
@Suite struct PictureFormTests {
    private static let box = PictureBox(row: 2, column: 4, width: 12, height: 4)
    private static let cell = CellSize.usual

    /// Red above blue at the left, green above white at the right.
    private static func quarters(width: Int, height: Int) throws -> Pixels {
        var bytes: [UInt8] = []
        for row in 0..<height {
            for column in 0..<width {
                let isLeft = column < width / 2
                bytes +=
                    row < height / 2
                    ? (isLeft ? [255, 0, 0] : [0, 255, 0]) : (isLeft ? [0, 0, 255] : [255, 255, 255])
            }
        }
        return try #require(Pixels(width: width, height: height, bytes))
    }

    /// Whether the corners of a picture have their colours, as near as a form keeps them.
    private func expectQuarters(_ seen: Pixels, within limit: Int) {
        let corners = [
            (0, 0, [255, 0, 0]), (seen.width - 1, 0, [0, 255, 0]), (0, seen.height - 1, [0, 0, 255]),
            (seen.width - 1, seen.height - 1, [255, 255, 255]),
        ]
        for (column, row, wanted) in corners {
            let pixel = seen[column, row]
            let found = [Int(pixel.red), Int(pixel.green), Int(pixel.blue)]
            #expect(zip(found, wanted).allSatisfy { abs($0 - $1) <= limit }, "\(column), \(row): \(found)")
        }
    }

    @Test func `kitty gets the pixels as they are, in pieces, and is told the cells that they fill`() throws {
        let picture = try Self.quarters(width: 60, height: 40)
        let sent = PictureForm.kitty.bytes(picture, in: Self.box, cell: Self.cell)
        let read = try #require(KittyReading(sent))
        #expect(read.pixels == picture && read.pieces > 1 && read.isQuiet)
        // 96 by 64 pixels of room, three by two: all of it.
        #expect(read.columns == 12 && read.rows == 4)
    }

    @Test func `kitty never gets more pixels than are seen`() throws {
        let sent = PictureForm.kitty.bytes(try Self.quarters(width: 600, height: 400), in: Self.box, cell: Self.cell)
        let read = try #require(KittyReading(sent))
        #expect(read.pixels.width == 96 && read.pixels.height == 64)
        expectQuarters(read.pixels, within: 0)
    }

    @Test func `sixels show the picture, and no band reaches below the box`() throws {
        for height in [1, 3, 4, 7] {
            let box = PictureBox(row: 0, column: 0, width: 12, height: height)
            let sent = PictureForm.sixel.bytes(try Self.quarters(width: 60, height: 40), in: box, cell: Self.cell)
            let read = try #require(SixelReading(sent))
            #expect(read.bands * 6 <= max(6, height * Self.cell.height) && read.pixels.width <= 12 * 8)
            expectQuarters(read.pixels, within: 3)
        }
    }

    @Test func `sixels of more colours than there are registers stay near them`() throws {
        var bytes: [UInt8] = []
        for row in 0..<48 {
            for column in 0..<64 { bytes += [UInt8(row * 5), UInt8(column * 4), UInt8(row + column)] }
        }
        let picture = try #require(Pixels(width: 64, height: 48, bytes))
        let box = PictureBox(row: 0, column: 0, width: 8, height: 3)
        let read = try #require(SixelReading(PictureForm.sixel.bytes(picture, in: box, cell: Self.cell)))
        #expect(read.pixels.width == 64 && read.pixels.height == 48 && read.colors <= 256)
        let differences = zip(read.pixels.bytes, bytes).map { abs(Int($0) - Int($1)) }
        #expect(differences.reduce(0, +) / differences.count < 8, "on average")
    }

    @Test(arguments: [(CellColors.direct, 0), (.indexed, 0)])
    func `half blocks have two pixels in a cell`(_ colors: CellColors, _ limit: Int) throws {
        let sent = PictureForm.blocks(colors).bytes(
            try Self.quarters(width: 60, height: 40), in: Self.box, cell: Self.cell)
        let read = try #require(BlockReading(sent))
        // 12 by 8 half cells of room, three by two.
        #expect(read.pixels.width == 12 && read.pixels.height == 8)
        expectQuarters(read.pixels, within: limit)
        #expect(read.rows.allSatisfy { (2..<6).contains($0) } && read.columns.allSatisfy { (4..<16).contains($0) })
    }

    @Test func `nothing but pictures is sent, whatever the pixels are`() throws {
        var numbers = SystemRandomNumberGenerator()
        for _ in 0..<20 {
            let (width, height) = (Int.random(in: 1...40, using: &numbers), Int.random(in: 1...40, using: &numbers))
            let bytes = (0..<width * height * 3).map { _ in UInt8.random(in: 0...255, using: &numbers) }
            let picture = try #require(Pixels(width: width, height: height, bytes))
            for box in [Self.box, PictureBox(row: 0, column: 0, width: 1, height: 1)] {
                #expect(KittyReading(PictureForm.kitty.bytes(picture, in: box, cell: Self.cell)) != nil)
                #expect(SixelReading(PictureForm.sixel.bytes(picture, in: box, cell: Self.cell)) != nil)
                #expect(BlockReading(PictureForm.blocks(.direct).bytes(picture, in: box, cell: Self.cell)) != nil)
            }
        }
    }

    @Test func `pixels that are not as many as their size says are none`() {
        #expect(Pixels(width: 2, height: 1, [1, 2, 3]) == nil && Pixels(width: 0, height: 0, []) == nil)
    }

    @Test func `a picture that goes leaves its rows to the painter, and what text erased is drawn anew`() throws {
        let picture = PlacedPicture(key: "a", box: Self.box, pixels: try Self.quarters(width: 6, height: 4))
        let form = PictureForm.blocks(.direct)
        var layer = PictureLayer()
        #expect(!layer.draw([picture], over: [], form, Self.cell).isEmpty)
        #expect(layer.draw([picture], over: [0, 1, 6], form, Self.cell).isEmpty, "it is there already")
        #expect(!layer.draw([picture], over: [3], form, Self.cell).isEmpty, "a row of it was painted over")
        #expect(layer.remove(allBut: [picture], form).bytes.isEmpty)
        let removal = layer.remove(allBut: [], form)
        #expect(removal.rows == [2, 3, 4, 5] && String(decoding: removal.bytes, as: UTF8.self).contains("\u{1B}[12X"))
        #expect(layer.forget(form).isEmpty, "nothing is left")
        #expect(!layer.draw([picture], over: [], .kitty, Self.cell).isEmpty)
        #expect(layer.draw([picture], over: [3], .kitty, Self.cell).isEmpty, "kitty's lie above the text")
        #expect(layer.forget(.kitty) == Array("\u{1B}_Ga=d,d=A,q=2\u{1B}\\".utf8))
    }

    @Test func `rows that are not known are painted again, and no others`() {
        let frame = Frame(lines: [StyledLine("one", width: 5), StyledLine("two", width: 5)], cursor: nil)
        var painter = ScreenPainter()
        _ = painter.paint(frame)
        #expect(painter.paint(frame).isEmpty && painter.painted.isEmpty)
        painter.forget(rows: [1])
        let output = painter.paint(frame)
        #expect(output.contains("two") && !output.contains("one") && painter.painted == [1])
    }
}
