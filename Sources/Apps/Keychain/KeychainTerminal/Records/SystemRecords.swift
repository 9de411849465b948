import Certificates
import FoundationEssentials
import Linux
import Localization
import Protection
import Secrets
import Wire

extension RecordReader {
    /// A certificate of a keychain that is made of files.
    func record(_ one: SystemCertificate) -> Record {
        // No item has this reference: nothing is ever asked of the daemon by it.
        let name = one.certificate.fingerprint
        let item = Identifier(high: Self.number(name[0..<8]), low: Self.number(name[8..<16]))
        var record = Record(
            reference: PersistentReference(kind: .certificate, item: item), kind: .certificate, label: one.label)
        record.place = one.file
        record.protectionClass = .always
        record.keychain = one.keychain.name
        record.isReadOnly = true
        record.certificate = CertificateFacts(one.certificate)
        record.facts =
            facts(of: one.certificate) + [
                Record.Fact(name: localized("Authority"), value: one.isAuthority ? localized("yes") : localized("no")),
                Record.Fact(
                    name: localized("Trusted"), value: one.isAnchor ? localized("as a root") : localized("below a root")
                ),
                Record.Fact(name: localized("Keychain"), value: one.keychain.name),
                Record.Fact(name: localized("File"), value: one.file),
            ]
        return record
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}

extension Listing {
    /// What a keychain that is made of files holds.
    init(of keychain: SystemKeychain, _ reader: RecordReader, date: Int64, places: SystemPlaces = .machine) {
        self.init(date: date)
        do {
            let contents = try keychain.read(places)
            records = contents.certificates.map { reader.record($0) }
            let refused = contents.refused.count
            if refused > 0 {
                note = localized(
                    refused, one: "One file or folder is refused; tresor trust roots says why.",
                    many: "\(refused) files or folders are refused; tresor trust roots says why.")
            }
        } catch let error as LinuxError where error.isMissing {
            note = localized("This system has no list of roots at \(places.rootsFile).")
        } catch { note = localized("The list of roots cannot be read; tresor trust roots says why.") }
    }
}
