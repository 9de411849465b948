import Testing

@testable import Protection

/// Which apps are registered, and what that gives.
@Suite struct AppRegistryTests {
    private let digest = [UInt8](repeating: 7, count: 32)
    private let anna = [UInt8](repeating: 1, count: 32)
    private let bert = [UInt8](repeating: 2, count: 32)

    private func app(
        _ name: String = "AAAAAAAAAAAAAAAA.org.a", by developer: [UInt8]? = nil, version: UInt32 = 1,
        expires: UInt64? = nil, groups: [String] = [], executables: [[UInt8]]? = nil, unit: String? = nil
    ) -> RegisteredApp {
        RegisteredApp(
            claim: AppClaim(
                identifier: name, keychainGroups: [], applicationGroups: groups,
                executables: executables ?? [digest], unit: unit),
            developer: developer ?? anna, version: version, expires: expires)
    }

    private func refusal(_ registry: AppRegistry, _ app: RegisteredApp, now: UInt64 = 0) -> RegistryRefusal? {
        do {
            try registry.check(app, now: now)
            return nil
        } catch { return error }
    }

    private var registry: AppRegistry {
        var registry = AppRegistry()
        registry.insert(app(version: 3, groups: ["group.org.a"]))
        registry.own("group.org.a", by: anna)
        return registry
    }

    @Test func `a version may be newer, or the same again`() {
        #expect(refusal(registry, app(version: 4)) == nil)
        #expect(refusal(registry, app(version: 3, groups: ["group.org.a"])) == nil)
        #expect(refusal(registry, app(version: 3)) == .sameVersionDiffers)
        #expect(refusal(registry, app(version: 2)) == .olderVersion)
    }

    @Test func `a manifest is good until the moment at which it expires`() {
        #expect(refusal(AppRegistry(), app(expires: 100), now: 99) == nil)
        #expect(refusal(AppRegistry(), app(expires: 100), now: 100) == .expired)
        var registry = AppRegistry()
        registry.insert(app(expires: 100))
        #expect(registry.claims(now: 99).count == 1 && registry.nextExpiry(after: 99) == 100)
        #expect(registry.claims(now: 100).isEmpty && registry.nextExpiry(after: 100) == nil)
    }

    @Test func `the name of an application group stays with the key that used it first, also without the app`() {
        var registry = registry
        let other = app("BBBBBBBBBBBBBBBB.org.b", by: bert, groups: ["group.org.a"], executables: [[1]])
        #expect(refusal(registry, other) == .groupOfOthers)
        registry.remove("AAAAAAAAAAAAAAAA.org.a")
        #expect(refusal(registry, other) == .groupOfOthers)
        #expect(registry.newNames(of: other).isEmpty)
        #expect(refusal(registry, app("AAAAAAAAAAAAAAAA.org.c", groups: ["group.org.a"])) == nil)
    }

    @Test func `an application group whose name is not known to be the app's is not given`() {
        var registry = AppRegistry()
        registry.insert(app(groups: ["group.org.a", "group.org.b"]))
        #expect(registry.claims(now: 0)[0].applicationGroups.isEmpty, "as before first unlock")
        registry.own("group.org.a", by: anna)
        registry.own("group.org.b", by: bert)
        #expect(registry.claims(now: 0)[0].applicationGroups == ["group.org.a"])
    }

    @Test func `nobody claims another developer's program`() {
        var registry = registry
        registry.insert(app("AAAAAAAAAAAAAAAA.org.u", executables: [], unit: "a.service"))
        let name = "BBBBBBBBBBBBBBBB.org.b"
        #expect(refusal(registry, app(name, by: bert)) == .programOfOthers)
        #expect(refusal(registry, app(name, by: bert, executables: [], unit: "a.service")) == .programOfOthers)
        #expect(refusal(registry, app(name, by: bert, executables: [[1]])) == nil)
        #expect(refusal(registry, app("AAAAAAAAAAAAAAAA.org.b")) == nil, "their own developer may")
    }

    @Test func `a second key with the same prefix is refused`() {
        #expect(refusal(registry, app(by: bert, version: 9)) == .prefixOfOthers)
    }

    @Test func `a group is ours, an app's, a program's, or nobody's`() {
        func ownership(_ group: String) -> GroupOwnership {
            registry.ownership(of: group) { $0 == "/usr/bin/gh" }
        }
        #expect(ownership("user") == .ours && ownership("tresor.notes") == .ours)
        #expect(ownership("AAAAAAAAAAAAAAAA.org.a") == .app && ownership("group.org.a") == .app)
        #expect(ownership("path./usr/bin/gh") == .program && ownership("path./usr/bin/gone") == .orphan)
        #expect(ownership("interpreter./usr/bin/perl") == .orphan)
        #expect(ownership("sha256.00") == .unknown && ownership("sandbox.flatpak:a.b") == .unknown)
        #expect(ownership("BBBBBBBBBBBBBBBB.org.b") == .orphan && ownership("group.org.b") == .orphan)
    }
}
