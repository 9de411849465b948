import Enclave
import Foundation
import Secrets

/// The vectors as first inputs, and what the programs' own code writes where a format has none.
package enum FuzzCorpus {
    /// - Parameter folder: the path of vectors/.
    package static func read(_ folder: String) -> [Fuzzer.Target: [[UInt8]]] {
        var corpus: [Fuzzer.Target: [[UInt8]]] = [
            .notesFrame: NotesTargets.frames, .sealedRecord: NotesTargets.records, .sealedPart: NotesTargets.parts,
            .xmlPropertyList: ProfileTargets.xmlPropertyLists, .binaryPropertyList: ProfileTargets.binaryPropertyLists,
            .imageAnswer: ImageTargets.answers, .imageRequest: ImageTargets.requests,
            .strippedFile: ImageTargets.files, .exifOrientation: ImageTargets.orientations,
            .diaryJSON: DiaryTargets.texts, .passwordHash: DiaryTargets.hashes,
            .printStream: PrintTargets.books, .printJPEG: PrintTargets.jpegs,
            .oneTimeCode: OneTimeCodeTargets.texts,
            .bitwardenJSON: KeychainFormatTargets.bitwarden, .keePassXML: KeychainFormatTargets.keePass,
            .widgetAnswer: WidgetTargets.answers, .widgetFrame: WidgetTargets.frames,
            .widgetTimeline: WidgetTargets.timelines, .widgetStore: WidgetTargets.stores,
            .profile: ProfileTargets.profiles, .csv: CSVTargets.files, .certificate: CertificateSeeds.certificates,
            .certificateFile: CertificateSeeds.files, .privateKey: CertificateSeeds.privateKeys,
            .publicKey: CertificateSeeds.publicKeys, .encryptedKey: CertificateSeeds.encryptedKeys,
            .pkcs12: CertificateSeeds.pkcs12Files, .pkcs12Contents: CertificateSeeds.safes,
            .pkcs12Entries: CertificateSeeds.entryLists, .signedMessage: MessageTargets.messages,
        ]
        func add(_ target: Fuzzer.Target, _ bytes: [UInt8]) { corpus[target, default: []].append(bytes) }
        let enumerator = FileManager.default.enumerator(atPath: folder)
        while let name = enumerator?.nextObject() as? String {
            guard name.hasSuffix(".txt"), let text = try? String(contentsOfFile: folder + "/" + name, encoding: .utf8)
            else { continue }
            var fields: [String: String] = [:]
            for line in text.split(separator: "\n") {
                let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
                if parts.count == 2 { fields[parts[0]] = String(parts[1].dropFirst()) }
            }
            func bytes(_ field: String) -> [UInt8]? { fields[field].flatMap { Hexadecimal.decode($0) } }
            let isRequest = fields["message"] == "request"
            if name.hasPrefix("wire"), let frame = bytes("frame"), frame.count > 4 {
                add(isRequest ? .nativeRequest : .reply, Array(frame.dropFirst(4)))
            }
            if name.hasPrefix("enclave-protocol"), let frame = bytes("frame"), frame.count > 4 {
                add(isRequest ? .enclaveRequest : .enclaveReply, Array(frame.dropFirst(4)))
            }
            if name.hasPrefix("keybag"), let body = bytes("body") {
                add(.keybag, body)
                if let slot = KeybagFormat.slot(holding: body) { add(.slot, slot) }
            }
            if name.hasPrefix("profile/"), let record = bytes("record") { add(.profileRecord, record) }
            if name.hasPrefix("keychain-key/"), let record = bytes("record") { add(.keychainKey, record) }
            if name.hasPrefix("security-key/"), let record = bytes("record") { add(.presenceKey, record) }
            if name.hasPrefix("zone/"), let entry = bytes("entry") { add(.logEntry, entry) }
            if name.hasPrefix("app-manifest"), let file = bytes("file") {
                add(.manifest, Array(file.dropLast(64)))
                add(.signedManifest, file)
            }
            if name.hasPrefix("zone-record"), let padded = bytes("plaintext") { add(.paddedRecord, padded) }
            if let body = bytes("body") {
                if name.hasPrefix("cloud-modify/") { add(.modify, body) }
                if name.hasPrefix("cloud-changes/") { add(.changes, body) }
                if name.hasPrefix("cloud-modified/") { add(.modified, body) }
            }
            if name.hasPrefix("attributes"), let encoded = bytes("encoded") { add(.row, encoded) }
        }
        return corpus
    }
}
