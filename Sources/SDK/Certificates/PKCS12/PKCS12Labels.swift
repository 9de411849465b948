import Localization
import Secrets

extension PKCS12Contents.Labels {
    private static let longestName = 2048
    private static let longestID = 256

    /// Reads the attributes of an entry (RFC 7292, 4.2); those of other programs are left alone.
    init(_ bag: inout DERReader) throws(CertificateReadError) {
        self.init()
        var attributes = try bag.set("attributes")
        while !attributes.isAtEnd {
            var attribute = try attributes.sequence("attribute")
            let kind = try attribute.objectIdentifier("kind")
            var values = try attribute.set("values")
            try attribute.end()
            switch kind {
            case .friendlyName:
                guard friendlyName == nil else {
                    throw attribute.failure(.damaged, "name", localized("is given twice"))
                }
                friendlyName = try Self.name(&values)
                try values.end()
            case .localKeyID:
                guard localKeyID == nil else {
                    throw attribute.failure(.damaged, "local key id", localized("is given twice"))
                }
                let bytes = try values.content(.octetString, "local key id")
                guard bytes.byteCount <= Self.longestID else {
                    throw values.failure(.tooLarge, "local key id", localized("has more than \(Self.longestID) bytes"))
                }
                localKeyID = bytes.copyToArray()
                try values.end()
            default: continue
            }
        }
    }

    /// A BMPString: UTF-16 in big-endian order.
    private static func name(_ values: inout DERReader) throws(CertificateReadError) -> String {
        let bytes = try values.content(.bmpString, "name")
        guard bytes.byteCount % 2 == 0, bytes.byteCount <= longestName else {
            throw values.failure(.damaged, "name", localized("is no text of at most \(longestName) bytes"))
        }
        let units = stride(from: 0, to: bytes.byteCount, by: 2).map {
            UInt16(bytes.byte(at: $0)) << 8 | UInt16(bytes.byte(at: $0 + 1))
        }
        guard let name = String(validating: units, as: UTF16.self) else {
            throw values.failure(.damaged, "name", localized("is no UTF-16"))
        }
        return name
    }
}
