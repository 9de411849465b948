import ImageSandbox
import Linux
import Secrets
import Zones

/// Has photos looked at, a few at a time, beside everything else that the program does.
///
/// What waits holds no bytes: a photo is opened part by part as its decoder takes it.
final class PhotoDesk {
    private let pool: ImagePool
    private let limit = SystemFacts.processorCount
    /// What waits: the newest wish last, names and keys alone.
    private var waiting: [(photo: AssetReference, assets: AssetFolder, whenDone: (PhotoLook?) -> Void)] = []

    /// As many decoders as there are processors.
    init(program: String) { pool = ImagePool(program: program, limit: limit) }

    /// - Parameter whenDone: called once, from ``advance(_:from:)``; with nil where the program itself could not be
    ///   run, so that the photo is looked at another time.
    func look(at photo: AssetReference, in assets: AssetFolder, whenDone: @escaping (PhotoLook?) -> Void) {
        waiting.append((photo: photo, assets: assets, whenDone: whenDone))
    }

    /// Opens the next few: each is an open file.
    private func start() {
        while pool.count < limit, !waiting.isEmpty {
            let (photo, assets, whenDone) = waiting.removeFirst()
            let file: SealedPhoto
            do { file = try SealedPhoto(photo, in: assets) } catch {
                Log.error("a photo's file could not be opened", error)
                whenDone(nil)
                continue
            }
            pool.submit(.thumbnail, of: file.source) { result in
                if case .failure(let error) = result, !PhotoLook.isFinal(result) {
                    Log.error("a photo could not be looked at", error)
                    return whenDone(nil)
                }
                whenDone(PhotoLook(result))
            }
        }
    }

    /// How many have not been looked at.
    var count: Int { pool.count + waiting.count }

    func forgetAll() {
        waiting = []
        pool.cancelAll()
    }

    // MARK: In the loop

    var patience: Int? { waiting.isEmpty || pool.count >= limit ? pool.patience : 0 }
    var descriptorCount: Int { pool.descriptorCount }
    func add(to poll: inout Poll) { pool.add(to: &poll) }
    func advance(_ poll: Poll, from index: Int) {
        pool.advance(poll, from: index)
        start()
    }
}

/// A sealed photo on its way to a decoder; holds one chunk of it at a time.
private final class SealedPhoto {
    private let reader: AssetReader
    private var chunk: (index: Int, bytes: [UInt8])

    init(_ photo: AssetReference, in assets: AssetFolder) throws {
        reader = try assets.makeReader(photo)
        chunk = (index: 0, bytes: try reader.chunk(0))
    }

    var source: ImageSource {
        let beginning = Array(chunk.bytes.prefix(ImageKind.headerByteCount))
        return ImageSource(beginning: beginning, byteCount: Int(clamping: reader.byteCount)) { offset, write in
            try self.lend(offset, write)
        }
    }

    private func lend(_ offset: Int, _ write: (RawSpan) throws(LinuxError) -> Transfer) throws -> Transfer {
        let (index, rest) = offset.quotientAndRemainder(dividingBy: AssetReader.chunkByteCount)
        if index != chunk.index { chunk = (index: index, bytes: try reader.chunk(index)) }
        return try chunk.bytes.withSpan { try write($0.extracting(droppingFirst: rest)) }
    }
}
