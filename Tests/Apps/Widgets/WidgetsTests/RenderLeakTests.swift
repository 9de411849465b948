import Testing

@testable import Widgets

@Suite struct RenderLeaks {
    struct Account: Sendable {
        let title: String
        let amount: Int
        let lines: [String]
    }

    private static let accounts = [
        Account(title: "x", amount: 1, lines: []),
        Account(title: "Everything about the merger, שלום 日本", amount: 997, lines: ["a", "b", "c", "d"]),
    ]

    @ViewBuilder private static func view(_ account: Account, isShut: Bool) -> Node {
        let sealed = isShut ? Sealed<Account>.shut : Sealed(account)
        VStack {
            Text("Account").font(.headline)
            Reveal(sealed) {
                Text($0.title)
            } placeholder: {
                Text("—")
            }
            Reveal(sealed) { secret in
                Gauge(secret.amount, of: 1000) { Text("\(secret.amount)").foreground(.critical) }
            } placeholder: {
                Gauge(0, of: 1)
            }
            Reveal(sealed) { secret in
                VStack { for line in secret.lines { Text(line).widgetURL("https://example.org/" + line) } }
            } placeholder: {
                Text("lines")
            }
            Text(account.title).privacySensitive().accessibilityLabel(account.title)
            HStack { for line in account.lines { Text(line) } }.privacySensitive()
            Toggle(isOn: account.amount > 10) { Text(account.title) }.privacySensitive()
            Image(Array(account.title.utf8), width: 10, height: 10, label: account.title).privacySensitive()
        }
    }

    private func outputs(
        _ account: Account, _ family: WidgetFamily, _ state: Frame.State, _ reasons: RedactionReasons,
        isShut: Bool = false
    ) -> [String] {
        var environment = ViewEnvironment(family: family)
        environment.redactionReasons = reasons
        let root = Redaction.resolve(Self.view(account, isShut: isShut), in: environment)
        return RenderSamples.outputs(Frame(RenderSamples.configuration(), family: family, state: state, root: root))
    }

    @Test(arguments: WidgetFamily.allCases)
    func `locked outputs of two secrets are the same in every renderer, unlocked ones differ`(family: WidgetFamily) {
        let (first, second) = (Self.accounts[0], Self.accounts[1])
        for (state, reasons): (Frame.State, RedactionReasons) in [
            (.placeholder, .placeholder), (.redacted, .privacy), (.redacted, [.privacy, .invalidated]),
            (.unavailable, .placeholder),
        ] {
            let locked = outputs(first, family, state, reasons)
            #expect(locked == outputs(second, family, state, reasons))
            #expect(locked == outputs(first, family, state, reasons, isShut: true))
            #expect(locked.allSatisfy { !$0.contains("merger") && !$0.contains("997") })
        }
        for (one, other) in zip(outputs(first, family, .shown, []), outputs(second, family, .shown, [])) {
            #expect(one != other)
        }
    }
}
