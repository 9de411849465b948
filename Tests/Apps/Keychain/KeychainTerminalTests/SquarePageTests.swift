import Protection
import TerminalScreen
import Testing
import Tresor
import Wire

@testable import KeychainTerminal

/// A secret as a QR code, on a page of its own.
@Suite struct SquarePageTests {
    private static func stage(columns: Int = 80, rows: Int = 24) -> Stage {
        var listing = Listing.sample
        listing.add(
            .password,
            [
                .label: .string("Home"), .account: .string("Home"), .service: .string(WiFiItem.service),
                .descriptionText: .string(WiFiItem.description),
            ])
        return Stage(listing, columns: columns, rows: rows)
    }

    private static let home = Listing.reference(.password, 8)

    private static func reading(_ reference: PersistentReference, _ network: String?) -> Effect {
        .read(Reading(reference: reference, purpose: .showSquare(network: network)), typed: nil)
    }

    @Test func `a Wi-Fi's password is listed as such, and Q draws the code of its network`() {
        var stage = Self.stage()
        #expect(stage.text.contains("Wi-Fi  "))
        stage.press(.text("G"), .enter)
        #expect(stage.text.contains("Q draws the code by") && stage.text.contains("Wi-Fi"))
        stage.forget()
        stage.press(.text("Q"))
        #expect(stage.effects == [Self.reading(Self.home, "Home"), .clear])
        #expect(SquarePage.area(in: stage.screen) == SquareArea(row: 0, column: 21) && stage.screen.secretArea == nil)
        #expect(stage.text.contains("Hidden again in 30 s. Any key hides it"))
        let lines = stage.screen.frame().lines
        #expect(lines.dropLast().allSatisfy { $0.text.allSatisfy { $0 == " " } } && lines.count == 24)
    }

    @Test func `any other secret is drawn as it is, from the list as well`() {
        var stage = Self.stage()
        stage.forget()
        stage.press(.text("Q"))
        #expect(stage.effects == [Self.reading(Listing.reference(.password, 1), nil), .clear])
    }

    @Test(arguments: [Key.escape, .text("j"), .text("y"), .enter, .text(" "), .down])
    func `any key ends it and wipes the terminal`(key: Key) {
        var stage = Self.stage()
        stage.press(.text("Q"))
        #expect(stage.holdsSecret)
        stage.forget()
        stage.press(key)
        #expect(
            stage.effects == [.forgetSecret, .clear] && !stage.holdsSecret && SquarePage.area(in: stage.screen) == nil)
        #expect(stage.screen.page == .list)
    }

    @Test func `a lock and the time end it as well`() {
        var stage = Self.stage()
        stage.press(.text("Q"))
        stage.pass(milliseconds: 30_000)
        #expect(!stage.holdsSecret && stage.text.contains("The secret is hidden again."))
        stage.press(.text("Q"))
        stage.forget()
        stage.feed(.evicted)
        #expect(stage.effects.prefix(2) == [.forgetSecret, .clear] && SquarePage.area(in: stage.screen) == nil)
    }

    @Test func `a window that is too small is told how much it takes, and what was drawn goes`() {
        var stage = Self.stage(columns: 80, rows: 19)
        stage.press(.text("Q"))
        #expect(stage.text.contains("The QR code takes 37 columns and 20 rows: make the window larger."))
        #expect(!stage.holdsSecret && stage.screen.page == .list)
        stage = Self.stage(columns: 37, rows: 20)
        stage.press(.text("Q"))
        #expect(SquarePage.area(in: stage.screen) == SquareArea(row: 0, column: 0))
        stage.feed(.resized(columns: 37, rows: 19))
        #expect(!stage.holdsSecret && SquarePage.area(in: stage.screen) == nil && stage.screen.page == .list)
    }

    @Test func `without colours it says what draws it, and what makes codes is not drawn`() {
        var stage = Self.stage()
        stage.seeds = [Listing.reference(.password, 1)]
        stage.press(.text("Q"))
        #expect(stage.text.contains("This secret makes one-time codes") && SquarePage.area(in: stage.screen) == nil)
        stage = Self.stage()
        stage.screen.isColorless = true
        stage.forget()
        stage.press(.text("Q"))
        #expect(stage.text.contains("'tresor get NAME --qr' draws it") && stage.effects.isEmpty)
    }
}
