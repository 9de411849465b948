/// What a file of an entry is.
package enum MediaKind: String, Codable, Sendable, CaseIterable {
    case photo, audio, video, pdf
}

/// What a photo's metadata says of when, where and how it was taken.
///
/// It is offered for the entry, and never taken over by itself.
package struct PhotoFacts: Codable, Sendable, Equatable {
    /// The wall clock of the camera: seconds since 1970 as if it had stood in UTC.
    package var wallClock: Int64?
    /// Minutes by which that clock was ahead of UTC; nil where the camera did not say.
    package var offsetMinutes: Int?
    /// In degrees, north positive; nil where the file does not say.
    package var latitude: Double?
    /// In degrees, east positive; nil where the file does not say.
    package var longitude: Double?
    /// Pixels, upright.
    package var width: Int?
    /// Pixels, upright.
    package var height: Int?
    /// The eight orientations of TIFF 6.0, 1 for upright.
    package var orientation: Int?
    /// Maker and model.
    package var camera: String?

    /// A photo that says nothing.
    package init() {}
}

/// A file of an entry as lists show it.
package struct MediaSummary: Codable, Sendable, Equatable {
    /// 32 hexadecimal digits.
    package var id: String
    /// As which it is shown and exported.
    package var kind: MediaKind
    /// The name that the file had.
    package var name: String
    /// Such as `image/jpeg`; empty where it is not known.
    package var mediaType: String
    /// Of the original, in bytes.
    package var byteCount: UInt64
    /// Empty for what is no photo, and for one that has not been looked at yet.
    package var facts: PhotoFacts
    /// Whether there is a small picture of it.
    package var hasThumbnail: Bool
    /// Why a photo has no thumbnail, in words; nil where it has one, or has not been looked at yet.
    package var problem: String?

    /// - Parameters:
    ///   - id: 32 hexadecimal digits.
    ///   - problem: why a photo has no thumbnail, in words.
    package init(
        id: String, kind: MediaKind, name: String, mediaType: String, byteCount: UInt64, facts: PhotoFacts,
        hasThumbnail: Bool, problem: String?
    ) {
        self.id = id
        self.kind = kind
        self.name = name
        self.mediaType = mediaType
        self.byteCount = byteCount
        self.facts = facts
        self.hasThumbnail = hasThumbnail
        self.problem = problem
    }
}

extension MediaSummary {
    /// What becomes of it where it goes out as ``MediaSize/shared``.
    ///
    /// Kinds of images that cannot be parted from their metadata become a JPEG.
    package var shared: MediaSummary {
        guard kind == .photo, !Self.strippable.contains(mediaType) else { return self }
        var shared = self
        shared.mediaType = "image/jpeg"
        let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
        shared.name = (stem.isEmpty ? name[...] : stem) + ".jpg"
        return shared
    }

    private static let strippable: Set = ["image/jpeg", "image/png", "image/gif", "image/webp"]
}

/// A file that is to be added to an entry.
package struct NewMedia: Codable, Sendable, Equatable {
    /// What its client takes it for.
    package var kind: MediaKind
    /// That the file had, for people.
    package var name: String
    /// Such as `image/jpeg`; empty where it is not known.
    package var mediaType: String
    /// Whether the answer waits until a photo was looked at, so that it has the photo's facts.
    package var awaitsLook = false

    /// - Parameter awaitsLook: whether the answer waits for a photo's facts.
    package init(kind: MediaKind, name: String, mediaType: String, awaitsLook: Bool = false) {
        self.kind = kind
        self.name = name
        self.mediaType = mediaType
        self.awaitsLook = awaitsLook
    }
}
