import Foundation
import Testing

/// The languages that are shipped, as an environment names them.
enum ShippedLanguages {
    static let all = ["de_DE.UTF-8", "fr_FR.UTF-8", "nb_NO.UTF-8"]

    static let areThere = all.allSatisfy { language in
        FileManager.default.fileExists(
            atPath: LiveDevice.programs + "/locale/\(language.prefix(2))/LC_MESSAGES/tresor.mo")
    }
}

/// What a person reads is in that person's language, and what a script reads is the same in each.
@Suite(.enabled(if: ShippedLanguages.areThere, "'make stage' compiles the catalogues"))
struct LanguageStories {
    private let device: LiveDevice

    init() throws {
        device = try LiveDevice()
        try device.succeed("add", "wifi", "--account", "anna", input: Data("x".utf8))
        _ = try device.newNote("# Heron\n")
    }

    private func run(_ words: [String], _ variables: [String: String]) throws -> LiveDevice.Outcome {
        try device.run(words, environment: variables)
    }

    @Test(arguments: ShippedLanguages.all) func `what a person reads is said in the language of that person`(
        _ language: String
    )
        throws
    {
        for words in [
            ["status"], ["get", "no such"], ["notes", "show", "no such"], ["diary", "list"], ["admin", "doctor"],
            ["widget", "render", "no.such"], ["--help"], ["notes", "--help"], ["generate", "--length", "0"],
            ["get", "wifi", "--no-such"], ["admin", "profile", "show", "/no/such"],
        ] {
            let (english, said) = try (run(words, [:]), run(words, ["LC_ALL": language]))
            #expect(said.code == english.code, "\(words)")
            #expect(said.text + said.errors != english.text + english.errors, "\(words): \(said)")
        }
    }

    @Test(arguments: ShippedLanguages.all) func `what a script reads is the same in each language`(_ language: String)
        throws
    {
        for words in [
            ["ls"], ["ls", "--json"], ["get", "wifi"], ["notes", "list", "--json"], ["admin", "classes", "--json"],
            ["admin", "presets", "--json"], ["vault", "keychains", "list", "--json"], ["find", "anna", "-q"],
            ["vault", "health", "--json"], ["admin", "settings", "device", "--json"],
            ["admin", "presets"], ["vault", "keychains", "list"], ["vault", "health"], ["notes", "list"],
        ] {
            let (english, said) = try (run(words, [:]), run(words, ["LC_ALL": language]))
            #expect(said.code == english.code && said.output == english.output, "\(words): \(said.text)")
            #expect(!said.output.isEmpty, "\(words)")
        }
    }

    @Test func `what widgets are for is said in the language of whoever lists them, and to scripts in English`() throws
    {
        let german = ["LC_ALL": "de_DE.UTF-8"]
        let list = try run(["widget", "list"], german)
        #expect(list.code == 0 && list.text.contains("Whether the device is locked."), "\(list.text)")
        // The control: the program that shows them speaks German.
        #expect(try run(["widget", "list", "--json"], [:]).text.contains("\"displayName\" : \"Sperre\""))
        for language in ShippedLanguages.all {
            #expect(try run(["widget", "list"], ["LC_ALL": language]).output == list.output)
        }
        guard TmuxScreen.isInstalled else { return }
        let french = try TmuxScreen(
            device, columns: 160, command: "widget list", environment: ["LC_ALL": "fr_FR.UTF-8"])
        #expect(try french.waits(for: "Si l'appareil est verrouillé."), "a table at a terminal")
    }

    @Test func `the first language of the list that there is, unless none is wanted`() throws {
        func said(_ variables: [String: String]) throws -> String { try run(["get", "no such"], variables).errors }
        let (english, french, german) = try (
            said([:]), said(["LANG": "fr_FR.UTF-8"]), said(["LC_MESSAGES": "de_AT", "LANG": "fr_FR.UTF-8"])
        )
        #expect(Set([english, french, german]).count == 3)
        #expect(try said(["LANG": "nb_NO.UTF-8", "LANGUAGE": "xx:de:fr"]) == german)
        #expect(try said(["LANG": "fr_FR.UTF-8", "LANGUAGE": "en:fr"]) == english)
        for none in ["C", "POSIX", "C.UTF-8", "xx_XX"] {
            #expect(try said(["LC_ALL": none, "LANG": "fr_FR.UTF-8"]) == english, "\(none)")
        }
        // A name is no path.
        #expect(try said(["LC_ALL": "../locale/de"]) == english)
    }

    @Test(arguments: ShippedLanguages.all) func `help has no line longer than eighty columns`(_ language: String) throws
    {
        for words in [
            ["--help"], ["add", "--help"], ["notes", "--help"], ["diary", "add", "--help"], ["admin", "--help"],
        ] {
            let help = try run(words, ["LC_ALL": language]).text
            let long = help.split(separator: "\n").filter { $0.count > 80 }
            #expect(help.count > 200 && long.isEmpty, "\(words): \(long)")
        }
    }
}
