import Secrets
import Tresor

/// Files of passwords that browsers and password managers write.
enum CSVTargets {
    /// Rows say the same when they are written with a quote around each field; a file that is planned is planned twice.
    static func file(_ bytes: [UInt8]) throws -> Bool {
        let rows = try rows(bytes)
        guard holds({ try Self.rows(written(rows)) == rows }) else { return false }
        let once = try plan(bytes)
        return holds { try plan(bytes) == once }
    }

    /// The fields of every row that can be read.
    private static func rows(_ bytes: [UInt8]) throws -> [[[UInt8]]] {
        try bytes.withSpan { (file) throws in
            var reader = CSVReader(file)
            var rows: [[[UInt8]]] = []
            // Each row, good or bad, takes a byte at least.
            for _ in 0...bytes.count {
                do {
                    guard let row = try reader.next() else { return rows }
                    rows.append(try row.fields.map { try $0.secret(in: file).withBytes { $0.copyToArray() } })
                } catch is CSVError { continue }
            }
            throw EndlessFile()
        }
    }

    private struct EndlessFile: Error {}

    private static func written(_ rows: [[[UInt8]]]) -> [UInt8] {
        let quote = UInt8(ascii: "\"")
        var bytes: [UInt8] = []
        for (number, row) in rows.enumerated() {
            if number > 0 { bytes += [0x0D, 0x0A] }
            for (column, field) in row.enumerated() {
                if column > 0 { bytes.append(UInt8(ascii: ",")) }
                bytes.append(quote)
                for byte in field { bytes += byte == quote ? [quote, quote] : [byte] }
                bytes.append(quote)
            }
        }
        return bytes
    }

    /// What an import of the file would do.
    private static func plan(_ bytes: [UInt8]) throws -> [String] {
        let plan = try bytes.withSpan { (span) throws in try CSVImport(SecretBytes(copying: span)) }
        return [plan.format.name, "\(plan.rowCount)", "\(plan.itemCount)"] + plan.badRows.map(\.description)
    }

    /// First inputs: one of each program.
    static let files: [[UInt8]] = [
        """
        "url","username","password","httpRealm","formActionOrigin","guid","timeCreated"\r
        "https://a.example","anna","se,cret ""1\"\"\","","https://a.example","{1}","1700000000000"\r\n
        """,
        """
        folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp
        Work,1,login,Mail,"two
        lines",pin: 1234,0,https://mail.example:993/a,anna,secret,otpauth://totp/a?secret=AAAA
        ,,note,Safe,a note,,0,,,,
        """,
        """
        "Group","Title","Username","Password","URL","Notes","TOTP","Icon","Last Modified","Created"
        "Root","Router","admin","secret","http://192.168.0.1","","","0","2026-01-01T00:00:00Z","2026-01-01T00:00:00Z"
        """,
        "\u{FEFF}name,url,username,password,note\rA,https://ü.example/,b,c,\rA,https://a.example/,b,c,d",
        "Title,URL,Username,Password,Notes,OTPAuth\n\nA,https://a.example,b,c,d,e\n",
    ].map { Array($0.utf8) }
}
