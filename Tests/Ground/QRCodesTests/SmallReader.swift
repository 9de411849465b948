/// Reads a drawn QR code of versions 1 to 5 with the lowest correction: one block, in bytes (ISO/IEC 18004, 7).
struct SmallReader {
    private let modules: [[Bool]]
    private var side: Int { modules.count }

    /// - Parameter modules: dark ones are true, without the quiet zone.
    init(_ modules: [[Bool]]) { self.modules = modules }

    /// Takes the lines of a drawing apart.
    ///
    /// - Parameter cells: what each cell stands for, from above.
    init(_ lines: [String], quietZone: Int = 4, cells: (Character) -> [Bool]?) {
        var rows: [[Bool]] = []
        for line in lines {
            let columns = line.compactMap { cells($0) }
            for index in 0..<(columns.first?.count ?? 0) { rows.append(columns.map { $0[index] }) }
        }
        let span = rows.first?.count ?? 0
        modules = rows.prefix(span).dropFirst(quietZone).dropLast(quietZone).map { row in
            Array(row.dropFirst(quietZone).dropLast(quietZone))
        }
    }

    /// The mask's number, out of the format information beside the upper left finder pattern.
    var mask: Int {
        // Bits 14 to 10 say level and mask; the whole is masked with 101010000010010.
        let bits = (0..<5).map { modules[8][$0] }
        let value = bits.reduce(0) { $0 << 1 | ($1 ? 1 : 0) } ^ 0b10101
        return value & 0b111
    }

    /// The first two bits say it, 01, of which the first is masked.
    var isLowestLevel: Bool { modules[8][0] && modules[8][1] }

    var version: Int { (side - 17) / 4 }

    /// The number of the character set that stands before the text; nil where none does.
    var characterSet: Int? {
        let bits = dataBits.prefix(12).map { $0 ? 1 : 0 }
        guard Array(bits.prefix(5)) == [0, 1, 1, 1, 0] else { return nil }
        return bits.dropFirst(4).reduce(0) { $0 << 1 | $1 }
    }

    var text: [UInt8]? {
        let bits = Array(dataBits.dropFirst(characterSet == nil ? 0 : 12))
        func number(_ start: Int, _ count: Int) -> Int {
            bits[start..<start + count].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
        }
        guard bits.count > 12, number(0, 4) == 0b0100 else { return nil }
        let count = number(4, 8)
        guard bits.count >= 12 + 8 * count else { return nil }
        return (0..<count).map { UInt8(number(12 + 8 * $0, 8)) }
    }

    /// In their order: pairs of columns from the right, upwards and downwards in turn.
    private var dataBits: [Bool] {
        var bits: [Bool] = []
        var isUpwards = true
        for right in stride(from: side - 1, to: 0, by: -2) {
            let right = right <= 6 ? right - 1 : right
            for step in 0..<side {
                let row = isUpwards ? side - 1 - step : step
                for column in [right, right - 1] where !isFunction(row, column) {
                    bits.append(modules[row][column] != isMasked(row, column))
                }
            }
            isUpwards.toggle()
        }
        return bits
    }

    private func isFunction(_ row: Int, _ column: Int) -> Bool {
        if row == 6 || column == 6 { return true }
        if row < 9 && (column < 9 || column >= side - 8) || row >= side - 8 && column < 9 { return true }
        // One alignment pattern in versions 2 to 5, its centre at the seventh module from below and from the right.
        let centre = side - 7
        return side > 21 && abs(row - centre) <= 2 && abs(column - centre) <= 2
    }

    private func isMasked(_ row: Int, _ column: Int) -> Bool {
        switch mask {
        case 0: (row + column) % 2 == 0
        case 1: row % 2 == 0
        case 2: column % 3 == 0
        case 3: (row + column) % 3 == 0
        case 4: (row / 2 + column / 3) % 2 == 0
        case 5: row * column % 2 + row * column % 3 == 0
        case 6: (row * column % 2 + row * column % 3) % 2 == 0
        default: ((row + column) % 2 + row * column % 3) % 2 == 0
        }
    }
}
