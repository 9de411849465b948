/// A picture in the graphics protocol of kitty: its pixels as they are, which the terminal makes as large as is wanted.
enum KittyPicture {
    /// Of what is sent at once, in Base64.
    private static let chunk = 4096

    static func bytes(_ picture: Pixels, in box: PictureBox, cell: CellSize) -> [UInt8] {
        let room = (width: box.width * cell.width, height: box.height * cell.height)
        let size = picture.size(within: room)
        // Never more pixels than are seen, nor than there are: the terminal enlarges better than we.
        let sent = size.width < picture.width ? picture.scaled(to: size) : picture
        let columns = min(box.width, max(1, (size.width + cell.width / 2) / cell.width))
        let rows = min(box.height, max(1, (size.height + cell.height / 2) / cell.height))
        let place = box.move(row: (box.height - rows) / 2, column: (box.width - columns) / 2)
        var output = Array(place.utf8)
        let data = base64(sent.bytes)
        var start = 0
        while start < data.count {
            let end = min(start + chunk, data.count)
            // Shown at once (a=T), three bytes a pixel (f=24), the cursor stays (C=1), and nothing is answered (q=2).
            let head = start == 0 ? "a=T,f=24,s=\(sent.width),v=\(sent.height),c=\(columns),r=\(rows),C=1,q=2," : ""
            output += Array("\u{1B}_G\(head)m=\(end < data.count ? 1 : 0);".utf8)
            output += data[start..<end]
            output += Array("\u{1B}\\".utf8)
            start = end
        }
        return output
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// RFC 4648, section 4; three bytes a pixel leave nothing to be filled up.
    private static func base64(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count / 3 * 4)
        for at in stride(from: 0, to: bytes.count - 2, by: 3) {
            let group = Int(bytes[at]) << 16 | Int(bytes[at + 1]) << 8 | Int(bytes[at + 2])
            for shift in [18, 12, 6, 0] { text.append(alphabet[group >> shift & 63]) }
        }
        return text
    }
}
