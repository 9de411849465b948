import Secrets
import Testing

@testable import Tresor

/// What the reader makes of a file: each row as the texts of its fields, or as the error.
private func rows(_ file: String) -> [[String]] {
    Array(file.utf8).withSpan { span in
        var reader = CSVReader(span)
        var rows: [[String]] = []
        while let row = try? reader.next() { rows.append(row.fields.map { $0.text(in: span) ?? "not UTF-8" }) }
        return rows
    }
}

/// Every row's line, or what is wrong with it, up to the end of the file.
private func outcomes(_ file: [UInt8]) -> [String] {
    file.withSpan { span in
        var reader = CSVReader(span)
        var outcomes: [String] = []
        var isAtEnd = false
        while !isAtEnd {
            do throws(CSVError) {
                if let row = try reader.next() { outcomes.append("line \(row.line)") } else { isAtEnd = true }
            } catch {
                outcomes.append("line \(error.line): \(error.problem)")
            }
        }
        return outcomes
    }
}

private func outcomes(_ file: String) -> [String] { outcomes(Array(file.utf8)) }

@Suite struct CSVReaderTests {
    @Test(arguments: ["\n", "\r\n", "\r"])
    func `a line ends with LF, CR LF or CR`(lineEnd: String) {
        #expect(rows("a,b\(lineEnd)c,d\(lineEnd)") == [["a", "b"], ["c", "d"]])
    }

    @Test func `the last line needs no end`() {
        #expect(rows("a,b\nc,d") == [["a", "b"], ["c", "d"]])
        #expect(rows("\"a\",\"b\"") == [["a", "b"]])
    }

    @Test func `a byte order mark is passed over`() {
        #expect(rows("\u{feff}\"a\",b\n") == [["a", "b"]])
    }

    @Test func `an empty file has no row`() {
        #expect(rows("") == [])
        #expect(rows("\u{feff}\r\n\n") == [])
    }

    @Test func `blank lines are no rows`() {
        #expect(outcomes("a\n\r\n\nb\n\n") == ["line 1", "line 4"])
    }

    @Test func `empty fields stay`() {
        #expect(rows(",,\n\"\",x,\n") == [["", "", ""], ["", "x", ""]])
    }

    @Test func `a quoted field keeps its commas, quotes and spaces`() {
        #expect(rows(#"" a, ""b"" ","""","c""d""# + "\n") == [[#" a, "b" "#, "\"", "c\"d"]])
    }

    @Test func `a quoted field keeps its newlines`() {
        #expect(rows("\"a\r\nb\nc\rd\n\",x\n") == [["a\r\nb\nc\rd\n", "x"]])
    }

    @Test func `NUL and emoji are bytes like others`() {
        #expect(rows("\"a\0b\",\0,\"👩‍👩‍👧🔑\"\n") == [["a\0b", "\0", "👩‍👩‍👧🔑"]])
    }

    @Test func `lines are counted through quoted fields`() {
        #expect(outcomes("a\r\n\"b\r\nc\rd\ne\"\r\nf\rg") == ["line 1", "line 2", "line 6", "line 7"])
    }

    @Test func `a secret is decoded byte for byte`() throws {
        let file = Array("x,\"p\"\"\n\0".utf8) + [0xff, 0xfe] + Array("\"\"\",y\n".utf8)
        let expected = Array("p\"\n\0".utf8) + [0xff, 0xfe, 0x22]
        try file.withSpan { span in
            var reader = CSVReader(span)
            let row = try #require(try reader.next())
            let secret = try row.fields[1].secret(in: span)
            #expect(row.fields[1].count == expected.count)
            #expect(secret.withBytes { $0.copyToArray() } == expected)
            #expect(row.fields[1].text(in: span) == nil)
        }
    }

    @Test func `a secret of 64 KiB is decoded whole`() throws {
        let password = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let quoted = password.flatMap { $0 == 0x22 ? [0x22, 0x22] : [$0] }
        let file: [UInt8] = [0x22] + quoted + [0x22]
        try file.withSpan { span in
            var reader = CSVReader(span)
            let row = try #require(try reader.next())
            let secret = try row.fields[0].secret(in: span)
            #expect(secret.withBytes { $0.copyToArray() } == password)
        }
    }

    @Test func `a quote that is never closed is an error at the line where its row begins`() {
        #expect(
            outcomes("a,b\nc,\"d\ne,f\n")
                == ["line 1", "line 2: a quote is opened and never closed; nothing behind it was read"])
        #expect(outcomes("\"").count == 1)
    }

    @Test func `bytes behind a closing quote are an error, and the next line is read`() {
        #expect(outcomes("\"a\"b,c\nd,e\n") == ["line 1: something follows a closing quote", "line 2"])
        #expect(outcomes("\"a\" ,c\n") == ["line 1: something follows a closing quote"])
    }

    @Test func `a quote inside an unquoted field is an error, and the next line is read`() {
        #expect(
            outcomes("a\"b,c\nd,e\n")
                == ["line 1: there is a quote inside a field that has none around it", "line 2"])
    }

    @Test func `of a row with more fields than any export has, none is kept beyond those that tell so`() {
        let commas = String(repeating: ",", count: 5000)
        let read = rows("a,b\n\(commas)\nc,d\n")
        #expect(read.map(\.count) == [2, 1001, 2] && read.last == ["c", "d"])
    }

    @Test func `an error names the row and the line, and never what stands there`() throws {
        let file = Array("url,password\n\"x\",\"a\nb\"\n\"hunter2\"z,\"hunter2\"\n".utf8)
        let error = file.withSpan { span in
            var reader = CSVReader(span)
            return #expect(throws: CSVError.self) { while try reader.next() != nil {} }
        }
        #expect(error?.row == 2)
        #expect(error?.line == 4)
        #expect(error?.problem == .bytesAfterQuote)
        #expect(error?.description == "row 2 (line 4): something follows a closing quote")
    }
}
