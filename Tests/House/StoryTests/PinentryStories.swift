import Foundation
import Testing

/// The passcode through pinentry, where neither terminal nor pipe has it; a script plays pinentry.
@Suite(.serialized) struct PinentryStories {
    private let device: LiveDevice
    private let program: String

    init() throws {
        device = try LiveDevice()
        program = device.folder + "/pinentry"
    }

    /// Writes the program, which gives these answers to GETPIN, one after the other, and counts in a file.
    private func answer(_ answers: String...) throws {
        let cases = answers.enumerated().map { "  \($0.offset)) printf '\($0.element)\\n';;" }.joined(separator: "\n")
        let script = """
            #!/bin/sh
            echo 'OK Pleased to meet you'
            while read -r line; do
            case "$line" in
            GETPIN)
              asked=$(cat '\(program).asked')
              echo $((asked + 1)) > '\(program).asked'
              case $asked in
            \(cases)
              esac;;
            SET*) printf '%s\\n' "$line" >> '\(program).said'; echo 'OK';;
            BYE) echo 'OK'; exit;;
            *) echo 'OK';;
            esac
            done

            """
        try script.write(toFile: program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
        try "0\n".write(toFile: program + ".asked", atomically: true, encoding: .utf8)
    }

    private func run(_ arguments: String...) throws -> Int32 {
        try device.run(arguments + ["--pinentry-program", program], input: Data("not the passcode\n".utf8)).code
    }

    @Test func `a passcode is set and given without a terminal, and standard input is left alone`() throws {
        try answer("D 12%%2534\\nOK", "D 12%%2534\\nOK", "D 12%%2534\\nOK", "D wrong\\nOK")
        #expect(try run("passcode", "set") == 0)
        #expect(try device.run("lock").code == 0)
        #expect(try run("unlock") == 0)
        #expect(try device.run("lock").code == 0)
        #expect(try run("unlock") == 6)
        #expect(try device.run("unlock", input: Data("12%34\n".utf8)).code == 0)
    }

    @Test func `two that differ are asked for once more`() throws {
        try answer("D 1234\\nOK", "D 4321\\nOK", "D 1234\\nOK", "D 1234\\nOK")
        #expect(try run("passcode", "set") == 0)
        #expect(try device.run("lock").code == 0)
        #expect(try device.run("unlock", input: Data("1234\n".utf8)).code == 0)
    }

    @Test func `the window says whose passcode it asks for`() throws {
        try answer("D own\\nOK", "D own\\nOK", "D 1234\\nOK", "D 1234\\nOK")
        func said() throws -> String {
            defer { try? FileManager.default.removeItem(atPath: program + ".said") }
            return try String(contentsOfFile: program + ".said", encoding: .utf8)
        }
        #expect(try run("vault", "keychains", "create", "Vault", "--own-passcode") == 0)
        let ofKeychain = try said()
        #expect(ofKeychain.contains("SETDESC The own passcode of a keychain"), "\(ofKeychain)")
        #expect(ofKeychain.contains("SETPROMPT New passcode of the keychain:\n"), "\(ofKeychain)")
        #expect(ofKeychain.contains("SETPROMPT New passcode of the keychain again:\n"), "\(ofKeychain)")
        #expect(try run("passcode", "set") == 0)
        let ofDevice = try said()
        #expect(ofDevice.contains("SETDESC The passcode of the Tresor device") && !ofDevice.contains("keychain"))
    }

    @Test func `who declines has changed nothing`() throws {
        try answer("ERR 83886179 Operation cancelled <Pinentry>")
        #expect(try run("passcode", "set") == 6)
        #expect(try device.run("lock").code == 7)
    }

    @Test func `no pinentry, and two sources at once, are errors`() throws {
        #expect(try device.run("unlock", "--pinentry-program", "pinentry").code == 64)
        #expect(try device.run("unlock", "--pinentry", "--passcode-fd", "0").code == 64)
        try device.run("passcode", "set", input: Data("1234\n1234\n".utf8))
        #expect(try device.run("unlock", "--pinentry-program", program).code == 69)
    }
}
