import Testing
import Wire

/// Where everything lies, by the examples of specs/home.md.
@Suite struct HomeTests {
    private func home(_ variables: [String: String], without missing: String? = nil) throws(Home.Problem) -> Home {
        try Home(environment: { variables[$0] }, user: 1000, isThere: { $0 != missing })
    }

    @Test func `everything lies where the session's variables say`() throws {
        let session = ["HOME": "/home/anna", "XDG_RUNTIME_DIR": "/run/user/1000"]
        let home = try home(session)
        #expect(home.database == "/home/anna/.local/share/tresor/keychain/keychain.sqlite")
        #expect(home.enclave == "/home/anna/.local/state/tresor/enclave")
        #expect(home.socket == "/run/user/1000/tresor/tresord.sock" && home.warning == nil)
        let moved = ["XDG_DATA_HOME": "/d/", "XDG_STATE_HOME": "/s"].merging(session) { mine, _ in mine }
        #expect(try self.home(moved).lock == "/d/tresor/tresord.lock")
        #expect(try self.home(moved).enclave == "/s/tresor/enclave")
    }

    @Test func `sockets lie elsewhere where the session's folder is not there, and that is told`() throws {
        let variables = ["HOME": "/home/anna", "XDG_RUNTIME_DIR": "/run/user/1000"]
        let home = try home(variables, without: "/run/user/1000")
        #expect(home.socket == "/tmp/tresor-1000/tresord.sock")
        #expect(home.warning?.contains("/run/user/1000") == true && home.warning?.contains("/tmp/tresor-1000") == true)
        let none = try self.home(["HOME": "/home/anna"])
        #expect(none.socket == home.socket && none.warning == nil && none.lock == home.lock)
    }

    @Test func `one folder holds all where it is named`() throws {
        let home = try home(["TRESOR_HOME": "/srv/box/", "XDG_RUNTIME_DIR": "/gone"], without: "/gone")
        #expect(home.data == "/srv/box" && home.runtime == "/srv/box" && home.enclave == "/srv/box/enclave")
        #expect(home.warning == nil)
    }

    @Test func `what is no absolute path is named, and so is a home that nobody knows`() {
        #expect(throws: Home.Problem.notAbsolute(variable: "XDG_RUNTIME_DIR")) {
            try home(["HOME": "/h", "XDG_RUNTIME_DIR": "run"])
        }
        #expect(throws: Home.Problem.notAbsolute(variable: "TRESOR_HOME")) { try home(["TRESOR_HOME": "."]) }
        #expect(throws: Home.Problem.unknown) { try home(["HOME": ""]) }
        let long = "/" + String(repeating: "x", count: 120)
        #expect(throws: Home.Problem.socketPathTooLong(long + "/tresor-notes.sock")) {
            try home(["TRESOR_HOME": long])
        }
    }
}
