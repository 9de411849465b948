import Testing

@testable import WidgetServer

@Suite struct CrowdTests {
    private func crowd(_ guests: [(Int32, UInt64, UInt32?, Bool)]) -> PageCrowd {
        var crowd = PageCrowd(most: guests.count, owner: 1000)
        for (socket, time, user, isAnswered) in guests {
            crowd.enter(socket, at: time)
            crowd.learn(user, of: socket)
            if isAnswered { crowd.markAnswered(socket) }
        }
        return crowd
    }

    @Test func `whoever has asked for nothing longest makes room`() {
        #expect(crowd([(5, 30, 1000, false), (6, 10, 1000, true), (7, 20, 1000, false)]).whoMakesRoom == 7)
        #expect(crowd([(5, 30, 1000, true), (6, 10, 1000, true)]).whoMakesRoom == 6)
        #expect(crowd([]).whoMakesRoom == nil)
    }

    @Test func `the user with the largest crowd makes room, and of two of one size the stranger`() {
        #expect(crowd([(5, 1, 1000, false), (6, 30, 7, false), (7, 20, 7, true)]).whoMakesRoom == 6)
        #expect(crowd([(5, 1, 1000, false), (6, 30, 7, true)]).whoMakesRoom == 6)
        #expect(crowd([(5, 40, 7, false), (6, 30, 1000, false), (7, 20, 1000, false)]).whoMakesRoom == 7)
    }

    @Test func `who leaves is gone, and counts no more`() {
        var crowd = crowd([(5, 1, nil, false), (6, 2, nil, false)])
        #expect(crowd.isFull)
        crowd.leave(5)
        #expect(!crowd.isFull && crowd.whoMakesRoom == 6)
        #expect(crowd.guests(before: 2) == [] && crowd.guests(before: 3) == [6])
    }
}
