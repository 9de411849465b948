import ImageSandbox
import Linux
import Secrets
import Zones

/// Has photos worked on by decoders, a few at a time, beside everything else that the program does.
///
/// What waits holds no bytes: a photo is opened part by part as its decoder takes it.
final class PhotoDesk {
    /// What is wanted of a photo.
    enum Wish {
        /// Its facts and a small picture.
        case look
        /// A picture of at most 2048 pixels a side.
        case preview
        /// The photo without metadata: as it is where its kind allows that, else as a JPEG.
        case shared

        fileprivate func job(for kind: ImageKind?) -> ImageJob {
            switch self {
            case .look: .thumbnail
            case .preview: .preview
            case .shared: kind?.isStrippable == false ? .convert : .strip
            }
        }
    }

    typealias WhenDone = (Result<ImageAnswer, ImageError>) -> Void

    private struct Order {
        let wish: Wish
        let photo: AssetReference
        let assets: AssetFolder
        let whenDone: WhenDone
    }

    private let pool: ImagePool
    /// One more than can run, so that there is work while another is being fed.
    private let limit = SystemFacts.processorCount + 1
    /// What waits, names and keys alone: first what somebody waits for.
    private var waiting: [Order] = []
    private var urgentCount = 0

    init(program: String) { pool = ImagePool(program: program, limit: limit) }

    /// Has a photo looked at when there is time for it.
    ///
    /// - Parameter whenDone: called once, from ``advance(_:)``; with nil where the program itself could not be
    ///   run, so that the photo is looked at another time.
    func look(
        at photo: AssetReference, in assets: AssetFolder, isUrgent: Bool = false,
        whenDone: @escaping (PhotoLook?) -> Void
    ) {
        make(.look, of: photo, in: assets, isUrgent: isUrgent) { result in
            if case .failure(let error) = result, !PhotoLook.isFinal(result) {
                Log.error("a photo could not be looked at", error)
                return whenDone(nil)
            }
            whenDone(PhotoLook(result))
        }
    }

    /// - Parameters:
    ///   - isUrgent: whether somebody waits for it.
    ///   - whenDone: called once, from ``advance(_:)``.
    func make(
        _ wish: Wish, of photo: AssetReference, in assets: AssetFolder, isUrgent: Bool = true,
        whenDone: @escaping WhenDone
    ) {
        let order = Order(wish: wish, photo: photo, assets: assets, whenDone: whenDone)
        guard isUrgent else { return waiting.append(order) }
        waiting.insert(order, at: urgentCount)
        urgentCount += 1
    }

    /// Opens the next few: each is an open file.
    private func start() {
        while pool.count < limit, !waiting.isEmpty {
            let order = waiting.removeFirst()
            urgentCount = max(0, urgentCount - 1)
            let file: SealedPhoto
            do { file = try SealedPhoto(order.photo, in: order.assets) } catch {
                Log.error("a photo's file could not be opened", error)
                order.whenDone(.failure(.sourceFailed))
                continue
            }
            let source = file.source
            pool.submit(order.wish.job(for: ImageKind(of: source.beginning)), of: source, whenDone: order.whenDone)
        }
    }

    /// How many have not been worked on.
    var count: Int { pool.count + waiting.count }

    func forgetAll() {
        waiting = []
        urgentCount = 0
        pool.cancelAll()
    }

    // MARK: In the loop

    var patience: Int? { waiting.isEmpty || pool.count >= limit ? pool.patience : 0 }
    func add(to poll: inout Poll) { pool.add(to: &poll) }
    func advance(_ poll: Poll) {
        pool.advance(poll)
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
