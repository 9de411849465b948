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

    @Test func `the kernel's list says who owns the other end`() {
        let table = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:128B 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 20434 1 0
               1: 0100007F:128B 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 20435 1 0
               2: 0100007F:C350 0100007F:128B 01 00000000:00000000 00:00000000 00000000 65534        0 20436 1 0
            """
        let line = "0100007F:C350 0100007F:128B"
        #expect(ConnectionTable.users(of: [line, "0100007F:C351 0100007F:128B"], in: table) == [line: 65534])
        #expect(ConnectionTable.users(of: [line], in: "") == [:])
        #expect(ConnectionTable.users(of: [line], in: "header\n 1: x y\n\n") == [:])
    }
}
