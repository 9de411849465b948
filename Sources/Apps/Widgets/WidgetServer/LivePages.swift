import Linux
import ResidentClient
package import WidgetClient
import WidgetDrawing
import Widgets
package import Wire

/// What pages show, from tresor-widgets and tresor-draw.
///
/// A connection is made for each frame, and a drawing program for each picture: neither outlives its request, and so
/// nothing that they had does.
package struct LivePages: Sendable {
    /// Milliseconds that tresor-widgets may take; a provider that has never answered may take longer, and the next
    /// request finds what it had.
    package static let patience = 2000

    private let home: Home
    private let patience: Int

    /// - Parameters:
    ///   - home: where tresor-widgets is.
    ///   - patience: milliseconds that it may take.
    package init(home: Home, patience: Int = LivePages.patience) {
        self.home = home
        self.patience = patience
    }

    /// Both, as ``PageServer`` takes them.
    package var sources: PageSources { PageSources(frame: frame, picture: Self.picture) }

    /// - Parameter digest: of a token.
    /// - Returns: what stands under it now.
    package func frame(_ digest: PageDigest) -> PageFrame {
        let end = SystemClock.bootMilliseconds() + UInt64(patience)
        do {
            let connection = try WidgetConnection(home: home)
            // For an answer that stops in the middle.
            connection.limitWaits(to: .seconds(patience / 1000 + 1))
            let question = try connection.begin(.renderPage(digest))
            var outcome = Poll.Outcome.timedOut
            while outcome != .ready {
                let now = SystemClock.bootMilliseconds()
                guard now < end else { return .unavailable }
                outcome = try Poll.wait(untilReadable: connection.descriptor, milliseconds: Int(end - now))
            }
            let answer = try connection.finish(question)
            guard case .frames = answer.reply else { return .unavailable }
            return .frame(try WidgetFrame(received: answer.body))
        } catch let error as WidgetError where error.code == .unknownPage { return .unknown } catch {
            return .unavailable
        }
    }

    private static func picture(
        _ frame: WidgetFrame, _ scale: DrawScale, _ depth: DrawDepth, _ theme: WidgetTheme
    ) -> [UInt8]? {
        guard let program = try? DrawingProgram.besideThisProgram() else { return nil }
        defer { program.end() }
        return try? program.png(frame, scale: scale, depth: depth, theme: theme)
    }
}
