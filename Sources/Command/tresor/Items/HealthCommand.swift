import ArgumentParser
import KeychainHealth
import Localization
import TerminalScreen
import Tresor

struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: localized("Count weak, reused and old passwords, and certificates that expire."),
        discussion: localized(
            """
            Every password is looked at where it lies; none is printed, kept or sent anywhere. What demands its owner \
            or is locked is not looked at, and counted as such; exit code 8 where an item is damaged. \
            docs/guides/keychain-health.md says by which rules.
            """))

    @Flag(help: ArgumentHelp(localized("As JSON: the counts, or with --list an array of items.")))
    var json = false
    @Option(
        help: ArgumentHelp(localized("Which items: weak, reused, old or certificates; their names, never a secret.")))
    var list: ConcernName?

    func run() async throws {
        let keychain = try Keychain()
        let total = try await keychain.status().itemsPerClass.values.reduce(0, +)
        var bar = ProgressBar()
        let findings: HealthFindings
        do {
            defer { bar.clear() }
            findings = try await keychain.healthFindings { bar.show($0, of: Int(clamping: total)) }
        }
        guard let list else {
            try Self.print(findings.report, json: json)
            return try LeftOut(damaged: findings.report.damaged).report(isLockExpected: true)
        }
        let items = findings.items(list.concern)
        if findings.report.skipped > 0 {
            Output.error(
                localized("tresor: \(findings.report.skipped) items were not looked at: locked, or theirs to ask for"))
        }
        if json {
            try Output.json(
                items.map { JSONElement(ItemDocument($0)) } + JSONElement.damagedItems(findings.report.damaged))
        }
        var rows = ListRows(
            [localized("KIND"), localized("NAME"), localized("ACCOUNT"), localized("LABEL")],
            yielding: [.shortened(3, to: 12), .dropped(3), .dropped(0), .dropped(2)])
        for item in json ? [] : items {
            try rows.add([item.kindName, item.server ?? item.service ?? "", item.account ?? "", item.label ?? ""])
        }
        try rows.finish()
        try LeftOut(damaged: findings.report.damaged).report(isLockExpected: true)
    }

    private static func print(_ report: HealthReport, json: Bool) throws {
        struct Document: Encodable {
            let total: Int
            let weak: Int
            let reused: Int
            let old: Int
            let expiredCertificates: Int
            let expiringCertificates: Int
            let skipped: Int
            let damaged: Int
        }
        if json {
            return try Output.json(
                Document(
                    total: report.total, weak: report.weak, reused: report.reused, old: report.old,
                    expiredCertificates: report.expiredCertificates,
                    expiringCertificates: report.expiringCertificates, skipped: report.skipped,
                    damaged: report.damaged))
        }
        var rows = ListRows([localized("WHAT"), localized("COUNT")])
        for (row, plain) in zip(counts(report, in: Localization.catalogue), counts(report, in: nil)) {
            try rows.add([row.name, "\(row.count)"], elsewhere: "\(plain.name)\t\(plain.count)")
        }
        try rows.finish()
    }

    /// - Parameter catalogue: nil for English, which scripts read.
    private static func counts(
        _ report: HealthReport, in catalogue: MessageCatalogue?
    ) -> [(name: String, count: Int)] {
        [
            (localized("passwords", in: catalogue), report.total),
            (localized("weak", in: catalogue), report.weak),
            (localized("reused", in: catalogue), report.reused),
            (localized("old", in: catalogue), report.old),
            (localized("expired certificates", in: catalogue), report.expiredCertificates),
            (localized("expiring certificates", in: catalogue), report.expiringCertificates),
            (localized("not looked at", in: catalogue), report.skipped),
            (localized("damaged", in: catalogue), report.damaged),
        ]
    }
}

/// `--list`.
struct ConcernName: ExpressibleByArgument {
    let concern: HealthConcern

    init?(argument: String) {
        guard let concern = HealthConcern(rawValue: argument) else { return nil }
        self.concern = concern
    }

    static var allValueStrings: [String] { HealthConcern.allCases.map(\.rawValue) }
}
