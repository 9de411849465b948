import Secrets
package import Wire

extension Keychain {
    /// Has tresord open every item behind a row, for some milliseconds.
    ///
    /// - Parameter row: ``ItemLook/next`` of the part before; 0 at first.
    package func look(after row: UInt64) throws -> ItemLook {
        var look = ItemLook()
        try exchange(.look(after: row)) { payload in
            var reader = ByteReader(payload)
            try reader.expect(.look)
            look = try ItemLook(from: &reader)
            try reader.end()
        }
        return look
    }
}
