import ArgumentParser
import DiaryClient
import DiaryFormats
import DiaryViews
import ImageSandbox
import Linux
import Localization

struct DiaryImport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: localized("Take in the entries of another diary, or a folder of photos."),
        discussion: localized(
            """
            What came in once is not taken in again. What could not be carried over as it was is reported by kinds and \
            counts. A file that is damaged is named, and its entry comes in without it; an archive in which it is \
            whole brings it later. --dry-run reads, reports, and changes nothing. Exit codes: 8 when a file was \
            damaged, 74 when one could not be read now and its entry waits for the next import.
            """),
        subcommands: [DayOne.self, Jrnl.self, Photos.self])

    struct Options: ParsableArguments {
        @Flag(help: ArgumentHelp(localized("Print JSON.")))
        var json = false
        @Flag(help: ArgumentHelp(localized("Read and report; change nothing.")))
        var dryRun = false
        @Flag(help: ArgumentHelp(localized("Keep the screen from locking by itself until all has come in.")))
        var keepAwake = false
    }

    struct DayOne: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "day-one",
            abstract: localized("From Day One: its zip of JSON, or the folder unpacked from it."))

        @OptionGroup var options: Options
        @Argument(help: ArgumentHelp(localized("The zip, the .json file or the folder.")), completion: .file())
        var path: String

        func run() throws {
            try DiaryTransfer(options).run { try DayOneDiary(path, zone: DiaryOptions.zone.identifier) }
        }
    }

    struct Jrnl: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "jrnl", abstract: localized("From jrnl: its export to JSON, or its plain text."))

        @OptionGroup var options: Options
        @Argument(help: ArgumentHelp(localized("The file.")), completion: .file())
        var path: String

        func run() throws {
            try DiaryTransfer(options).run {
                try JrnlDiary(path, zone: DiaryOptions.zone.identifier, clock: DiaryOptions.clock)
            }
        }
    }

    struct Photos: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "photos",
            abstract: localized("From a folder of photos: an entry for each day, with that day's photos."))

        @OptionGroup var options: Options
        @Argument(help: ArgumentHelp(localized("The folder.")), completion: .directory)
        var folder: String

        func run() throws {
            try DiaryTransfer(options).run {
                let listing = try PhotoListing(folder) { ImageKind(of: $0)?.mediaType }
                let facts = try PhotoReading().facts(of: listing.paths.map { listing.root + "/" + $0 })
                return PhotoDiary(listing, zone: DiaryOptions.zone.identifier, clock: DiaryOptions.clock) { facts[$0] }
            }
        }
    }
}

extension DiaryOptions {
    static var clock: ZoneClock { ZoneClock { DiaryZone($0).offset(at: $1) } }
}

extension ImageKind {
    /// As entries name it.
    fileprivate var mediaType: String {
        switch self {
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        case .gif: "image/gif"
        case .webp: "image/webp"
        case .tiff: "image/tiff"
        case .heif: "image/heic"
        }
    }
}
