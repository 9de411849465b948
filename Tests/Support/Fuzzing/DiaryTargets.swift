import DiaryFormats
import Tresor

/// What a diary reads that others have written.
enum DiaryTargets {
    static func json(_ bytes: [UInt8]) throws -> Bool { try DiaryJSON.holds(bytes) }

    static func passwordHash(_ bytes: [UInt8]) -> [UInt8]? {
        String(validating: bytes, as: UTF8.self).flatMap { PasswordHash($0) }.map { Array($0.description.utf8) }
    }

    static let texts: [[UInt8]] = [
        #"{"metadata":{"version":"1.0"},"entries":[{"uuid":"00","text":"a\n\"b\" ü","starred":true,"tags":[]}]}"#,
        #"[1,-2.5e-3,0.0,null,false,{"a":{"b":["\ud83d\ude00"]}}]"#, "{}", "[[[[]]]]",
    ].map { Array($0.utf8) }

    static let hashes: [[UInt8]] = [
        "$scrypt$ln=16,r=8,p=2$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=18,r=8,p=4$AAAAAAAAAAAAAAAAAAAAAQ$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=14,r=8,p=1$kD6Dp3kJBxHWuWHVqpPuZg$n0Czn0Czn0Czn0Czn0Czn0Czn0Czn0Czn0Czn0Czn0A",
    ].map { Array($0.utf8) }
}
