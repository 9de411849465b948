import Resident
import Testing

@Suite struct LogBudgetTests {
    @Test func `a log takes so many lines a minute, and says how many it did not`() {
        var budget = LogBudget()
        for _ in 0..<LogBudget.most {
            let verdict = budget.take(at: 1000)
            #expect(verdict.isGranted && verdict.leftOut == 0)
        }
        for _ in 0..<5000 { #expect(!budget.take(at: 60_999).isGranted) }
        let next = budget.take(at: 61_000)
        #expect(next.isGranted && next.leftOut == 5000)
        let after = budget.take(at: 61_000)
        #expect(after.isGranted && after.leftOut == 0)
    }
}
