import EnclaveWire
import Foundation
import Protection
import Secrets
import Testing
import Wire

@testable import Envelopes
@testable import KeychainStore

/// Frames, messages, attributes and index tags against files that other code wrote.
@Suite struct MessageVectors {
    @Test(arguments: Vector.all("wire") + Vector.all("enclave-protocol"))
    func message(_ vector: Vector) throws {
        let frame = try vector.bytes("frame")
        let outcome = vector.outcome {
            if vector["message"] == "frame" {
                let length = try frame.withSpan { try StreamFrame.byteCount(of: $0, limit: vector.number("limit")) }
                #expect(length.map { "\($0)" } ?? "nil" == vector["frame_length"])
                return
            }
            let again = try frame.withSpan { span in
                let payload = span.extracting(droppingFirst: StreamFrame.headerByteCount)
                return vector.path.hasPrefix("wire") ? try keychain(payload, vector) : try enclave(payload, vector)
            }
            if let again { #expect(again == frame) }
        }
        #expect(outcome == vector.refusal)
    }

    /// Decodes, checks the opcode and encodes again; nil for replies, which are written field by field.
    private func keychain(_ payload: RawSpan, _ vector: Vector) throws -> [UInt8]? {
        guard vector["message"] == "request" else {
            try checkReply(payload, vector)
            return nil
        }
        var header: KeychainRequest.Header?
        let request = try KeychainRequest.decode(payload, header: &header)
        #expect(try Int(header?.opcode.rawValue ?? 0) == vector.number("opcode"))
        #expect(try Int(header?.id ?? 0) == vector.number("id"))
        var buffer = try SecretBuffer()
        try request.encode(id: header?.id ?? 0, into: &buffer)
        return buffer.bytes.copyToArray()
    }

    private func checkReply(_ payload: RawSpan, _ vector: Vector) throws {
        var reader = ByteReader(payload)
        let head = try KeychainReply.header(&reader)
        if vector.refusal == nil { #expect(try Int(head.tag.rawValue) == vector.number("tag")) }
        switch head.tag {
        case .done: break
        case .error:
            let error = try KeychainError(from: &reader)
            #expect("\(error.status.rawValue)" == vector["status"])
            #expect("\(error.detail)" == vector["detail"])
        case .status:
            let status = try DaemonStatus(from: &reader)
            #expect(status.version == vector["version"])
            #expect("\(status.daemonProcess)" == vector["daemon_process"])
        case .page:
            var count = 0
            let page = try Page(from: &reader) { reference, _, secret in
                count += 1
                #expect(Hexadecimal.encode(reference.bytes) == vector["item_\(count)"])
                guard let secret else { return }
                let wanted = try vector.bytes("item_\(count)_secret")
                let found = secret.copyToArray()
                #expect(found == wanted)
            }
            #expect(try count == vector.number("items") && Int(page.end.damaged) == vector.number("damaged"))
        case .echo: #expect(try reader.bytesField(limit: StreamFrame.keychainLimit) == vector.bytes("payload"))
        case .lockState: _ = try reader.uint8()
        case .session: #expect("\(try reader.uint64())" == vector["session"])
        case .sessionKey:
            #expect(try reader.bytesField(limit: 32) == vector.bytes("key"))
            #expect(try reader.bytesField(limit: 40) == vector.bytes("wrapped"))
        case .evict: break
        case .identity:
            let report = try CallerReport(from: &reader)
            guard vector.refusal == nil else { break }
            #expect((report.name.isEmpty ? "none" : report.name) == vector["program"])
            #expect(try Int(report.grade.rawValue) == vector.number("grade"))
            #expect(report.accessGroups == ["group_1", "group_2"].map { vector[$0] }.filter { !$0.isEmpty })
            #expect(try (report.holdsHere ? 1 : 0) == vector.number("holds_here"))
        case .apps:
            let report = try AppsReport(from: &reader)
            guard vector.refusal == nil else { break }
            #expect(try report.manifests.count == vector.number("manifests"))
            if let first = report.manifests.first { #expect(try first == vector.bytes("manifest_1")) }
            #expect((report.next.isEmpty ? "none" : report.next) == vector["next"])
            #expect(try (report.isComplete ? 1 : 0) == vector.number("complete"))
            #expect(
                try report.grants.count == vector.number("grants") && report.wishes.count == vector.number("wishes"))
        case .groups:
            let report = try GroupsReport(from: &reader)
            guard vector.refusal == nil else { break }
            #expect(report.groups.map(\.name) == [vector["group_1"], vector["group_2"]])
            #expect(try report.groups.map { Int($0.items) } == [vector.number("items_1"), vector.number("items_2")])
            #expect(try Int(report.hidden) == vector.number("hidden"))
        case .biometry:
            let report = try BiometryReport(from: &reader)
            #expect(try Int(report.unavailable?.rawValue ?? 0) == vector.number("unavailable"))
            #expect(try Int(report.refusal?.rawValue ?? 0) == vector.number("refusal"))
            #expect((report.enrolment.map(Hexadecimal.encode) ?? "none") == vector["enrolment"])
        case .keychains:
            let report = try KeychainsReport(from: &reader)
            guard vector.refusal == nil else { break }
            #expect(report.keychains.map(\.name) == [vector["keychain_1"], vector["keychain_2"]])
            #expect(
                try report.keychains.map { Int($0.items ?? 0) } == [vector.number("items_1"), vector.number("items_2")])
        case .securityKeys:
            let report = try SecurityKeysReport(from: &reader)
            guard vector.refusal == nil else { break }
            let one = try #require(report.keys.first?.description)
            #expect(try report.keys.count == vector.number("keys") && one.name == vector["called"])
            #expect(try one.credential == vector.bytes("credential") && one.demandsVerification)
        case .tries:
            let report = try TryReport(from: &reader)
            #expect(try Int(report.failures) == vector.number("failures"))
            #expect(try report.wait == .milliseconds(vector.number("wait")))
        case .look:
            let look = try ItemLook(from: &reader)
            #expect(try Int(look.next) == vector.number("next") && Int(look.rows) == vector.number("rows"))
            #expect(try Int(look.shut) == vector.number("shut") && Int(look.guarded) == vector.number("guarded"))
            #expect(try Int(look.total) == vector.number("total") && look.hasLostPage == (vector.number("lost") == 1))
            #expect(try look.damaged.map(\.bytes) == [vector.bytes("damaged_1"), vector.bytes("damaged_2")])
            #expect(try look.taken.map(\.bytes) == [vector.bytes("taken_1")])
        case .trashTime: #expect(try Int(reader.uint32()) == vector.number("days"))
        case .keyResult: #expect(try reader.bytesField(limit: 32) == vector.bytes("result"))
        case .identifiers:
            let report = try IdentifiersReport(from: &reader)
            #expect((report.vendor.map { Hexadecimal.encode($0.bytes) } ?? "none") == vector["vendor"])
            #expect(try report.advertising.identifier.bytes == vector.bytes("advertising"))
            #expect(try (report.advertising.isTrackingAllowed ? 1 : 0) == vector.number("tracking"))
        }
        try reader.end()
    }

    private func enclave(_ payload: RawSpan, _ vector: Vector) throws -> [UInt8]? {
        var buffer = try SecretBuffer()
        if vector["message"] == "request" {
            try EnclaveRequest.decode(payload).encode(into: &buffer)
            #expect(try Int(buffer.bytes.byte(at: StreamFrame.headerByteCount)) == vector.number("opcode"))
        } else {
            try EnclaveReply.decode(payload).encode(into: &buffer)
            #expect(try Int(buffer.bytes.byte(at: StreamFrame.headerByteCount)) == vector.number("tag"))
        }
        return buffer.bytes.copyToArray()
    }

    @Test(arguments: Vector.all("attributes")) func attributes(_ vector: Vector) throws {
        let outcome = vector.outcome {
            if vector.fields["encoded"] != nil {
                let encoded = try vector.bytes("encoded")
                let attributes = try encoded.withSpan { span in
                    var reader = ByteReader(span)
                    let attributes = try Attributes(from: &reader)
                    try reader.end()
                    return attributes
                }
                #expect(try attributes == given(vector))
                var buffer = try SecretBuffer()
                try attributes.encode(into: &buffer)
                #expect(buffer.bytes.copyToArray() == encoded)
            } else if vector.fields["comparison"] != nil {
                let value = try value(vector["value_type"], vector["value"])
                #expect(try value.comparisonBytes(type(vector)) == vector.bytes("comparison"))
            } else {
                let converted = try value(vector["value_type"], vector["value"]).converted(to: type(vector))
                guard let converted else { throw Absent.nil }
                #expect(try converted == value(vector["converted_type"], vector["converted"]))
            }
        }
        #expect(outcome == vector.refusal)
    }

    private enum Absent: Error { case `nil` }

    private func type(_ vector: Vector) throws -> AttributeType {
        switch vector["attribute_type"] {
        case "blob": .blob
        case "data": .data
        case "number": .number
        case "string": .string
        case "date": .date
        default: throw Vector.Missing(name: "attribute_type")
        }
    }

    private func value(_ type: String, _ text: String) throws -> AttributeValue {
        let bytes = type == "number" || type == "date" ? [] : Hexadecimal.decode(text == "-" ? "" : text) ?? []
        switch type {
        case "string": return .string(String(decoding: bytes, as: UTF8.self))
        case "data": return .data(bytes)
        case "number": return .number(Int64(text) ?? 0)
        default: return .date(Int64(text) ?? 0)
        }
    }

    private func given(_ vector: Vector) throws -> Attributes {
        var attributes = Attributes()
        var number = 1
        while let text = vector.fields["attribute_\(number)"] {
            let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            guard let code = AttributeCode(words[0]) else { throw Vector.Missing(name: "attribute_\(number)") }
            attributes[code] = try value(words[1], words.count > 2 ? words[2] : "-")
            number += 1
        }
        return attributes
    }

    @Test(arguments: Vector.all("blind-index")) func blindIndex(_ vector: Vector) throws {
        let tag = try vector.bytes("tag")
        let secret = try vector.secret("index_key")
        #expect(BlindIndex.tag(of: try vector.bytes("message"), under: secret) == tag)
        let key = CachedKey(secret, classKey: Identifier(high: 0, low: 0))
        let index = IndexKey(key: key, storeID: try vector.identifier("keychain"), isForAlwaysRows: false)
        let kind = try #require(ItemKind(rawValue: UInt8(try vector.number("kind"))))
        let attributes = try given(vector)
        if vector["tag_of"] == "primary key" {
            #expect(index.primaryTag(kind, attributes) == tag)
        } else {
            for (code, value) in attributes.sorted {
                let entry = try #require(ItemSchema.entries(of: kind)[code])
                #expect(index.attributeTag(kind, entry, value) == tag)
            }
        }
    }

    @Test func `every spec has its vectors`() {
        let counts = [
            "root-key", "slot-file", "key-wrap", "attributes", "keychain-item", "blind-index", "keybag",
            "enclave-protocol", "wire", "keychain-key", "security-key",
        ].map { Vector.all($0).count }
        #expect(counts.allSatisfy { $0 >= 5 } && counts.reduce(0, +) >= 240)
    }
}
