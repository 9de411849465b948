import ArgumentParser
import FoundationEssentials
import Localization
import Tresor
import Wire

struct AdvertisingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "advertising",
        abstract:
            localized(
                "Show or reset the identifier that all apps get for advertising, and whether they may follow you by it."
            ),
        discussion: localized(
            """
            Apps have to respect the wish by themselves. One that runs goes on with the identifier that it was told; \
            it sees another after its restart. 'tresor passcode reset' and an erasure after ten wrong passcodes make a \
            new one, too, and forbid tracking.
            """))

    enum Tracking: String, ExpressibleByArgument, CaseIterable { case on, off }

    @Flag(help: ArgumentHelp(localized("Make a new identifier.")))
    var reset = false
    @Option(help: ArgumentHelp(localized("Whether apps may follow you by it.")))
    var tracking: Tracking?
    @Flag(help: ArgumentHelp(localized("As JSON.")))
    var json = false

    private struct Document: Encodable {
        let identifier: String
        let tracking: Bool
    }

    func run() async throws {
        let keychain = try Keychain()
        if reset || tracking != nil {
            try await keychain.changeAdvertising(resets: reset, allowsTracking: tracking.map { $0 == .on })
        }
        let now = try await Identity(Keychain()).advertising()
        if json {
            return try Output.json(
                Document(identifier: now.identifier.uuidString.lowercased(), tracking: now.isTrackingAllowed))
        }
        try Output.line(
            "\(now.identifier.uuidString.lowercased())  tracking \(now.isTrackingAllowed ? "on" : "off")")
    }
}
