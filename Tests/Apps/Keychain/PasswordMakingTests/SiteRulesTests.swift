import Secrets
import Testing

@testable import PasswordMaking

/// The rules of sites as they are shipped.
@Suite struct SiteRulesTests {
    @Test func `a host has its own rules, else those of what stands above it`() throws {
        let own = try #require(SiteRules(host: "account.samsung.com"))
        #expect(own.host == "account.samsung.com" && own.rules.maximumLength == 15)
        #expect(SiteRules(host: "id.account.samsung.com") == own)
        #expect(SiteRules(host: "ACCOUNT.Samsung.com.") == own)
        #expect(SiteRules(host: "samsung.com") == nil, "what stands below says nothing of it")
        #expect(SiteRules(host: "www.163.com")?.host == "163.com")
    }

    @Test(arguments: ["example.com", "com", "uk", "", ".", "..", "not163.com", "163.com.example", "163"])
    func `of others nothing is known`(_ host: String) { #expect(SiteRules(host: host) == nil) }

    @Test func `all that are shipped are rules, and each site gets passwords as it demands them`() throws {
        #expect(SiteRules.texts.count >= 400)
        for (host, text) in SiteRules.texts {
            let site = try #require(SiteRules(host: host), "\(host)")
            #expect(site.host == host)
            #expect(try PasswordRules(text) == site.rules, "\(host)")
            #expect(try PasswordRules("\(site.rules)") == site.rules, "\(host)")
            let maker = try PasswordMaker(site.rules)
            let (shortest, longest) = (site.rules.minimumLength ?? 1, site.rules.maximumLength ?? 512)
            #expect(maker.count >= shortest && maker.count <= longest, "\(host)")
            let permitted = Set(site.rules.permitted.characters)
            for _ in 0..<5 {
                let made = try maker.make()
                let password = made.withBytes { $0.copyToArray() }
                #expect(password.count == maker.count && permitted.isSuperset(of: password), "\(host)")
                for one in site.rules.required {
                    #expect(!Set(one.characters).isDisjoint(with: password), "\(host)")
                }
            }
        }
    }
}
