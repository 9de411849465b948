import DiaryClient
import DiaryViews
import TerminalScreen

/// The map, and the marker on it that is selected.
struct MapPane: Sendable {
    /// Nil until all entries in short are known.
    private(set) var map: TerminalMap?
    /// Whose places the map was made of, in their order.
    private(set) var ids: [String] = []
    private var places: [DiaryPlace] = []
    /// What is shown; nil for all places.
    private var frame: MapFrame?
    private(set) var marker = 0

    init() {}

    var selected: MapMarker? { map.flatMap { $0.markers.indices.contains(marker) ? $0.markers[marker] : nil } }

    /// The entries at the selected marker.
    var selectedIDs: [String] { selected?.places.filter { ids.indices.contains($0) }.map { ids[$0] } ?? [] }

    /// Where the selected marker stands, such as `59.91° N 10.75° E`.
    var selectedPlace: String? { selected.flatMap(place(of:)) }

    private func place(of marker: MapMarker) -> String? {
        guard let index = marker.places.first, places.indices.contains(index) else { return nil }
        return PlaceInput.words(places[index].latitude, places[index].longitude)
    }

    /// Each marker in words.
    func places(in language: DiaryLanguage) -> [String] {
        (map?.markers ?? []).map { marker in
            ScreenPhrase.entries(marker.places.count, in: language) + " · " + (place(of: marker) ?? "")
        }
    }

    /// False where there is no such marker.
    mutating func select(marker index: Int) -> Bool {
        guard let map, map.markers.indices.contains(index) else { return false }
        marker = index
        return true
    }

    /// Draws the map anew; the last of the body's rows is left for words.
    mutating func draw(_ outline: Outline?, _ size: ScreenSize) {
        guard let outline else {
            map = nil
            return
        }
        // The place that is selected stays so, wherever its marker stands then.
        let chosen = selectedIDs.first
        let placed = outline.placed
        ids = placed.map(\.id)
        places = placed.map(\.place)
        map = TerminalMap(of: places, columns: size.columns, rows: max(1, size.bodyHeight - 1), frame: frame)
        let same = chosen.flatMap { ids.firstIndex(of: $0) }.flatMap { place in
            map?.markers.firstIndex { $0.places.contains(place) }
        }
        marker = same ?? min(marker, max(0, (map?.markers.count ?? 0) - 1))
    }

    mutating func move(marker step: Int) {
        guard let count = map?.markers.count, count > 0 else { return }
        marker = (marker + step + count) % count
    }

    /// Around the place that is selected.
    mutating func zoom(by factor: Double) {
        let place = selected?.places.first.flatMap { places.indices.contains($0) ? places[$0] : nil }
        let frame = place.flatMap { map?.frame.centered(on: $0) } ?? map?.frame
        self.frame = frame?.zoomed(by: factor)
    }

    mutating func move(right: Double, up: Double) { frame = map?.frame.moved(right: right, up: up) }
    mutating func showAll() { frame = nil }

    // MARK: Keys

    mutating func press(_ key: Key, _ outline: Outline?, _ here: Surroundings) -> [PageWish] {
        switch key {
        case .text("h"), .left: move(right: -0.25, up: 0)
        case .text("l"), .right: move(right: 0.25, up: 0)
        case .text("k"), .up: move(right: 0, up: 0.25)
        case .text("j"), .down: move(right: 0, up: -0.25)
        case .text("+"): zoom(by: 1.5)
        case .text("-"): zoom(by: 1 / 1.5)
        case .text("0"): showAll()
        case .tab, .text("]"): move(marker: 1)
        case .backTab, .text("["): move(marker: -1)
        case .enter: return PageWish.open(selectedIDs)
        case .escape: return [.back]
        default: return [.dead(key)]
        }
        draw(outline, here.size)
        return []
    }
}
