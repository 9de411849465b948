import Foundation
import Testing

/// A desktop's clipboard that is a file, and programs in the place of xclip and wl-copy.
///
/// As the real ones, each owns the clipboard until somebody else does or it is ended, and takes away what it held.
struct FakeDesktop {
    private let folder: String
    /// What a command needs to find it.
    let environment: [String: String]

    enum Kind { case xclip, wlCopy, wlCopyOfOldVersion, failing }

    /// - Parameter keepsTexts: whether the desktop brings back the text of an owner that is gone.
    init(_ device: LiveDevice, _ kind: Kind = .xclip, keepsTexts: Bool = false) throws {
        folder = device.folder + "/desktop"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let isWayland = kind == .wlCopy || kind == .wlCopyOfOldVersion
        environment = [isWayland ? "WAYLAND_DISPLAY" : "DISPLAY": ":77", "PATH": folder + ":/usr/bin:/bin"]
        let owning = """
            /bin/cat > "$store.new"; /bin/mv "$store.new" "$store"
            echo "$*" > "$store.arguments"
            echo $$ > "$store.owner"
            owner() { [ "$(/bin/cat "$store.owner")" = $$ ]; }
            trap 'owner && \(keepsTexts ? ":" : ": >") "$store"; exit 0' TERM
            while owner; do /bin/sleep 0.02; done

            """
        let start = "#!/bin/sh\nstore='\(folder)/clipboard'\n"
        switch kind {
        case .failing: try install("xclip", "#!/bin/sh\nexit 1\n")
        case .xclip:
            let words = """
                case "$3" in
                -out) exec /bin/cat "$store" ;;
                /dev/null) : > "$store"; echo 0 > "$store.owner"; exit 0 ;;
                esac

                """
            try install("xclip", start + words + owning)
        case .wlCopy, .wlCopyOfOldVersion:
            let words = """
                case "$1" in
                --help) echo "usage \(kind == .wlCopy ? "--sensitive" : "")"; exit 0 ;;
                --clear|--type) : > "$store"; echo 0 > "$store.owner"; exit 0 ;;
                esac

                """
            try install("wl-copy", start + words + owning)
            try install("wl-paste", start + "exec /bin/cat \"$store\"\n")
        }
    }

    private func install(_ name: String, _ script: String) throws {
        #expect(
            FileManager.default.createFile(
                atPath: folder + "/" + name, contents: Data(script.utf8), attributes: [.posixPermissions: 0o755]))
    }

    /// What the clipboard holds; nil where nothing was ever copied.
    var text: String? { read("clipboard") }
    /// With what the owning program was started last.
    var arguments: String? { read("clipboard.arguments") }
    /// The process of the owning program that came last.
    var owner: Int32? { read("clipboard.owner").flatMap { Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) } }

    private func read(_ name: String) -> String? {
        FileManager.default.contents(atPath: folder + "/" + name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Copies something as another program does.
    func copyByAnother(_ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/clipboard"))
        try Data("0\n".utf8).write(to: URL(fileURLWithPath: folder + "/clipboard.owner"))
    }

    func waits(seconds: Int = 10, until condition: () -> Bool) -> Bool {
        for _ in 0..<seconds * 50 {
            if condition() { return true }
            usleep(20_000)
        }
        return false
    }
}
