import DiaryClient
import ImageSandbox
import Localization

/// What was seen of a photo by a process of its own; the original stays as it is, whatever that process says.
struct PhotoLook {
    var facts = PhotoFacts()
    /// A JPEG of at most 512 pixels a side.
    var thumbnail: [UInt8]?
    /// Why there is none, in words; empty where there is one.
    var problem = ""

    init(_ result: Result<ImageAnswer, ImageError>) {
        switch result {
        case .success(.pictures(let facts, let thumbnail, _)):
            self.facts = PhotoFacts(facts)
            self.thumbnail = thumbnail
        case .success(.refused(let refusal)): problem = Self.words(refusal)
        case .success(.file), .success(.facts), .success(.pixels): problem = Self.words(.badAnswer)
        case .failure(let error): problem = Self.words(error)
        }
    }

    /// Why a photo could not be worked on, in words; nil where it was.
    static func problem(_ result: Result<ImageAnswer, ImageError>) -> String? {
        switch result {
        case .success(.pictures), .success(.file), .success(.facts), .success(.pixels): nil
        case .success(.refused(let refusal)): words(refusal)
        case .failure(let error): words(error)
        }
    }

    /// Whether the photo itself is why there is none, so that another look would see the same.
    static func isFinal(_ result: Result<ImageAnswer, ImageError>) -> Bool {
        switch result {
        case .success, .failure(.refused), .failure(.tooLarge), .failure(.failed), .failure(.badAnswer),
            .failure(.timedOut):
            true
        case .failure(.missingProgram), .failure(.sourceFailed), .failure(.system): false
        }
    }

    private static func words(_ refusal: ImageRefusal) -> String {
        switch refusal {
        case .notAnImage: marked("it is no image of a kind that is decoded")
        case .damaged: marked("it is cut off or damaged")
        case .tooManyPixels: marked("it has more pixels than are decoded")
        case .unsupported, .notStrippable: marked("it needs what the codec does not have")
        }
    }

    private static func words(_ error: ImageError) -> String {
        switch error {
        case .refused(let refusal): words(refusal)
        case .tooLarge: marked("it is larger than \(ImageRequest.longestImage >> 20) MiB")
        case .failed: marked("the decoder ended while it looked at it")
        case .missingProgram: marked("the decoder tresor-thumb is missing")
        case .badAnswer: marked("the decoder gave something else than a picture")
        case .timedOut: marked("the decoder took too long")
        case .sourceFailed: marked("its file could not be read")
        case .system: marked("the decoder could not be started")
        }
    }
}

extension PhotoFacts {
    fileprivate init(_ facts: ImageFacts) {
        self.init()
        wallClock = facts.wallClock
        offsetMinutes = facts.offsetMinutes
        latitude = facts.place?.latitudeDegrees
        longitude = facts.place?.longitudeDegrees
        width = facts.width
        height = facts.height
        orientation = facts.orientation
        camera = facts.camera
    }
}
