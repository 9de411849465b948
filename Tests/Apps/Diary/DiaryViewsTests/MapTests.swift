import DiaryClient
import Foundation
import Testing

@testable import DiaryViews

/// Coasts, frames and markers.
@Suite struct MapTests {
    private func place(_ latitude: Double, _ longitude: Double) throws -> DiaryPlace {
        try #require(DiaryPlace(latitude: latitude, longitude: longitude))
    }

    @Test func `the coasts are all there`() {
        let lines = CoastData.lines
        #expect(lines.count == 1117)
        #expect(lines.reduce(0) { $0 + $1.points.count } == 18_510)
        #expect(lines.allSatisfy { $0.points.count > 1 && $0.west >= -180 && $0.east <= 180 })
        #expect(lines.allSatisfy { $0.south > -86 && $0.north < 84 })
    }

    /// Capes, from general knowledge: each has a coast within a fifth of a degree.
    @Test(arguments: [
        (71.17, 25.78), (36.0, -5.61), (-34.83, 20.0), (-55.98, -67.27), (58.63, -3.07), (21.3, -157.8),
        (-40.84, 144.7),
    ])
    func `where a cape is there is a coast`(latitude: Double, longitude: Double) {
        let nearest = CoastData.lines.flatMap(\.points)
            .map { hypot(($0.x - longitude) * cos(latitude * .pi / 180), $0.y - latitude) }.min()
        #expect((nearest ?? 90) < 0.2)
    }

    @Test(arguments: ["", "\u{0}", "2", "20", "zzzzzzzzzz", "222", "2\u{e9}22", "+++++++++++++++++++++", "20000"])
    func `damaged data decode to fewer lines`(text: String) {
        #expect(CoastData.decoded(text.utf8).count <= 1)
    }

    @Test func `a frame holds its places, also over the date line`() throws {
        let groups = [
            [try place(-18, 178.4), try place(-13.8, -171.8), try place(-36.8, 174.8)],
            [try place(59.9, 10.7), try place(48.1, 11.6)], [try place(90, 0), try place(-90, 180)],
            [try place(0, -180), try place(0, 180)], [try place(0, 0)],
            (0..<36).map { DiaryPlace(latitude: 0, longitude: Double($0) * 10 - 175) }.compactMap(\.self),
        ]
        for places in groups {
            let map = VectorMap(of: places, width: 1000, height: 500, cell: 1)
            #expect(map.markers.flatMap(\.places).sorted() == Array(places.indices))
            #expect(!map.path.isEmpty)
        }
        #expect(MapFrame(fitting: groups[0]).halfWidth < 15)
        #expect(MapFrame(fitting: []) == .world)
    }

    @Test func `random places keep their sides`() throws {
        var random = SeededRandom(seed: 7)
        for _ in 0..<100 {
            let west = try place(.random(in: -60...70, using: &random), .random(in: -180...180, using: &random))
            let east = try place(
                min(90, west.latitude + .random(in: 1...20, using: &random)),
                MapFrame.wrapped(west.longitude + .random(in: 1...40, using: &random)))
            let map = VectorMap(of: [west, east], width: 800, height: 600, cell: 1)
            let first = try #require(map.markers.first { $0.places == [0] })
            let second = try #require(map.markers.first { $0.places == [1] })
            #expect(first.x < second.x && first.y > second.y)
        }
    }

    @Test func `places that no globe has are left out`() throws {
        var odd = try place(0, 0)
        odd.latitude = .nan
        var far = try place(0, 0)
        far.longitude = 1e300
        let map = TerminalMap(of: [odd, far], columns: 20, rows: 8)
        #expect(map.frame == .world && map.markers.isEmpty)
        #expect(TerminalMap(of: [odd, try place(59.9, 10.7)], columns: 20, rows: 8).markers.map(\.places) == [[1]])
    }

    @Test func `entries in one cell are one marker with their number`() throws {
        let oslo = try place(59.91, 10.75)
        let places = [oslo, try place(43.3, 5.4), oslo] + Array(repeating: try place(41.9, 12.5), count: 12)
        let map = TerminalMap(of: places, columns: 40, rows: 16)
        #expect(map.markers.map(\.places) == [[0, 2], [1], Array(3..<15)])
        #expect(map.markers.map(\.symbol) == ["2", "●", "+"])
        for marker in map.markers {
            #expect(Array(map.plainLines[marker.row])[marker.column] == marker.symbol)
        }
    }

    @Test func `no size and no frame is too odd`() throws {
        let places = [try place(78.2, 15.6), try place(-77.8, 166.7)]
        for (columns, rows) in [(0, 0), (1, 1), (.max, .min), (500, 1), (1, 200)] {
            let map = TerminalMap(of: places, columns: columns, rows: rows)
            #expect(map.lines.allSatisfy { $0.count == min(max(columns, 1), 500) })
            #expect(map.lines.count == min(max(rows, 1), 200))
        }
        let frame = MapFrame(fitting: places).zoomed(by: 1e300).moved(right: 1e300, up: -1e300).zoomed(by: .nan)
        #expect(frame.halfHeight == 0.5 && frame.latitude == -90)
        #expect(TerminalMap(of: places, columns: 40, rows: 10, frame: frame).lines.count == 10)
    }

    @Test func `moving and zooming move and zoom`() throws {
        let places = [try place(59.9, 10.7)]
        let frame = MapFrame(fitting: places)
        #expect(frame.zoomed(by: 2).halfWidth == frame.halfWidth / 2)
        // At 60° N a degree is half as wide as high, so that the square picture is two frames wide.
        let moved = VectorMap(of: places, width: 100, height: 100, cell: 1, frame: frame.moved(right: 0.25, up: 0.25))
        let marker = try #require(moved.markers.first)
        #expect(abs(marker.x - 37.5) < 1 && abs(marker.y - 75) < 1)
        #expect(MapFrame.world.moved(right: 0.75, up: 0).longitude == -90)
    }

    @Test func `a path is made of moves and lines inside the picture`() throws {
        let map = VectorMap(of: [try place(59.9, 10.7), try place(35, -10)], width: 600, height: 300)
        #expect(map.path.hasPrefix("M"))
        #expect(map.path.allSatisfy { "ML .0123456789".contains($0) })
        for piece in map.path.split(separator: "M") {
            let points = piece.split(separator: "L").map { $0.split(separator: " ").compactMap { Double($0) } }
            #expect(points.count > 1)
            #expect(points.allSatisfy { $0.count == 2 && (0...600).contains($0[0]) && (0...300).contains($0[1]) })
        }
        #expect(VectorMap(of: [], width: 1000, height: 500).path.utf8.count < 150_000)
    }

    @Test func `lines are cut at the edges`() {
        let box = ClippingBox(west: 0, east: 10, south: 0, north: 10)
        func points(_ numbers: [(Double, Double)]) -> [MapPoint] { numbers.map { MapPoint(x: $0.0, y: $0.1) } }
        #expect(box.pieces(of: points([(-5, 5), (15, 5)])) == [points([(0, 5), (10, 5)])])
        #expect(box.pieces(of: points([(-5, 11), (15, 11)])) == [])
        #expect(box.pieces(of: points([(1, 1), (2, 2), (3, 1)])) == [points([(1, 1), (2, 2), (3, 1)])])
        #expect(
            box.pieces(of: points([(5, 5), (5, 15), (6, 15), (6, 5)]))
                == [points([(5, 5), (5, 10)]), points([(6, 10), (6, 5)])])
        #expect(box.pieces(of: points([(5, 5)])) == [])
        #expect(box.pieces(of: points([(-1, 1), (1, -1)])) == [])
    }

    @Test func `maps of the world, of a journey and of one place`() throws {
        let journey = [
            try place(59.91, 10.75), try place(59.92, 10.76), try place(60.39, 5.32), try place(55.68, 12.57),
            try place(53.55, 10), try place(48.14, 11.58), try place(43.3, 5.37),
        ]
        let maps = [
            TerminalMap(of: [], columns: 78, rows: 20), TerminalMap(of: journey, columns: 60, rows: 24),
            TerminalMap(of: [try place(-18.1, 178.4), try place(-13.8, -171.8)], columns: 60, rows: 16),
        ]
        let text = maps.map { map in
            map.plainLines.map { line in
                String(line.reversed().drop { $0 == " " }.reversed())
            }.joined(separator: "\n")
        }
        try expectGolden(text.joined(separator: "\n\n"), "view-map")
        let path = VectorMap(of: journey, width: 300, height: 200, cell: 20)
        let markers = path.markers.map { "\(Int($0.x)) \(Int($0.y)) \($0.symbol)" }
        try expectGolden(
            (path.path.split(separator: "M").map { "M\($0)" } + markers).joined(separator: "\n"), "view-map-path")
    }
}
