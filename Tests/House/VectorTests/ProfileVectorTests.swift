import Secrets
import Testing

@testable import Profiles

/// The record of an installed profile, against files that other code wrote.
@Suite struct ProfileVectors {
    @Test(arguments: Vector.all("profile")) func record(_ vector: Vector) throws {
        let bytes = try vector.bytes("record")
        do throws(ProfileError) {
            let record = try bytes.withSpan { (span) throws(ProfileError) in try ProfileRecord(span) }
            #expect(vector.refusal == nil && record.encoded == bytes)
            #expect(record.identifier == vector["identifier"] && record.displayName == vector["name"])
            #expect("\(record.state.rawValue)" == vector["state"] && record.rule.rawValue == vector["rule"])
            #expect("\(record.items.count) \(record.superseded.count)" == vector["items"] + " " + vector["superseded"])
        } catch { #expect("\(error.code)" == vector.refusal) }
    }

    @Test func `there are records, and refusals`() {
        let refusals = Vector.all("profile").map(\.refusal)
        #expect(refusals.count { $0 == nil } >= 3 && refusals.count { $0 != nil } >= 15)
    }
}
