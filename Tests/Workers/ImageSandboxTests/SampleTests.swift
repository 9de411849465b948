import Foundation
import Testing

@testable import ImageSandbox

/// Other people's photos, beside exiftool: where `TRESOR_EXIF_SAMPLES` names a folder with some, and left out without.
///
/// Meant for github.com/ianare/exif-samples. Needs exiftool.
@Suite struct SampleTests {
    static let folder = ProcessInfo.processInfo.environment["TRESOR_EXIF_SAMPLES"]
    private static let endings: Set = ["jpg", "jpeg", "heic", "heif", "tif", "tiff", "png", "webp"]

    /// Where the two are known to differ, by the end of the path, and why.
    private static let knownDifferences = [
        // The pointer to the Exif directory is written as a text: libexif follows it all the same, and finds the time
        // that the file's XMP has too.
        "tests/30-type_error.jpg": "date"
    ]

    private struct Known {
        var clock: Int64?
        var offset: Int?
        var orientation: Int
        var place: (Double, Double)?
    }

    @Test(
        .enabled(
            if: ProcessInfo.processInfo.environment["TRESOR_EXIF_SAMPLES"] != nil,
            "TRESOR_EXIF_SAMPLES names no folder"))
    func `date, zone, orientation and place are those that exiftool tells`() throws {
        let root = try #require(Self.folder)
        let names = (FileManager.default.enumerator(atPath: root)?.allObjects as? [String] ?? []).sorted()
        let paths = names.filter { Self.endings.contains(($0 as NSString).pathExtension.lowercased()) }
        let known = try Self.askExiftool(paths.map { "\(root)/\($0)" })
        var compared = 0
        for path in paths {
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(root)/\(path)")))
            guard
                case .pictures(let facts, _, _)? = try? ImageRun.run(
                    .thumbnail, of: bytes.span.bytes, program: Program.path), let expected = known["\(root)/\(path)"]
            else {
                print("refused: \(path)")
                continue
            }
            compared += 1
            let isKnown = Self.knownDifferences.keys.contains(where: path.hasSuffix)
            #expect(facts.wallClock == expected.clock || isKnown, "\(path)")
            #expect(facts.offsetMinutes == expected.offset, "\(path)")
            #expect(facts.orientation == expected.orientation, "\(path)")
            #expect((facts.place == nil) == (expected.place == nil), "\(path)")
            if let place = facts.place, let (latitude, longitude) = expected.place {
                #expect(abs(place.latitudeDegrees - latitude) < 1e-8, "\(path)")
                #expect(abs(place.longitudeDegrees - longitude) < 1e-8, "\(path)")
            }
        }
        print("compared \(compared) of \(paths.count) files")
        #expect(compared > 0)
    }

    private static func askExiftool(_ paths: [String]) throws -> [String: Known] {
        let tool = Process()
        tool.executableURL = URL(fileURLWithPath: "/usr/bin/exiftool")
        tool.arguments =
            ["-json", "-n", "-G1", "-EXIF:all", "-Composite:GPSLatitude", "-Composite:GPSLongitude"] + paths
        let output = Pipe()
        tool.standardOutput = output
        tool.standardError = FileHandle.nullDevice
        try tool.run()
        let json = output.fileHandleForReading.readDataToEndOfFile()
        tool.waitUntilExit()
        let files = try JSONSerialization.jsonObject(with: json) as? [[String: Any]] ?? []
        return Dictionary(
            files.map { ($0["SourceFile"] as? String ?? "", Self.known($0)) }, uniquingKeysWith: { first, _ in first })
    }

    private static func known(_ file: [String: Any]) -> Known {
        let clocks = [
            ("ExifIFD:DateTimeOriginal", "ExifIFD:OffsetTimeOriginal"),
            ("ExifIFD:CreateDate", "ExifIFD:OffsetTimeDigitized"), ("IFD0:ModifyDate", "ExifIFD:OffsetTime"),
        ]
        let told = clocks.lazy.compactMap { clock, offset -> (Int64, String?)? in
            seconds(file[clock] as? String ?? "").map { ($0, file[offset] as? String) }
        }.first
        let latitude = file["Composite:GPSLatitude"] as? Double
        let longitude = file["Composite:GPSLongitude"] as? Double
        let orientation = file["IFD0:Orientation"] as? Int ?? 1
        return Known(
            clock: told?.0, offset: told?.1.flatMap(minutes),
            orientation: (1...8).contains(orientation) ? orientation : 1,
            place: latitude.flatMap { latitude in longitude.map { (latitude, $0) } })
    }

    /// By Foundation's calendar, and not by the code that is tested.
    private static func seconds(_ text: String) -> Int64? {
        let numbers = text.prefix(19).split(whereSeparator: { ":-/ T".contains($0) }).compactMap { Int($0) }
        guard text.count >= 19, numbers.count == 6 else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? calendar.timeZone
        let parts = DateComponents(
            year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4],
            second: numbers[5])
        guard parts.isValidDate(in: calendar) else { return nil }
        return calendar.date(from: parts).map { Int64($0.timeIntervalSince1970) }
    }

    private static func minutes(_ text: String) -> Int? {
        if text == "Z" { return 0 }
        let numbers = text.dropFirst().split(separator: ":").compactMap { Int($0) }
        guard numbers.count == 2 else { return nil }
        return (numbers[0] * 60 + numbers[1]) * (text.hasPrefix("-") ? -1 : 1)
    }
}
