import DiaryClient
import ImageSandbox
import Localization
import Resident
import Secrets
import Zones

/// Files of entries: as they come in, and as they go out.
struct EntryFiles {
    let desk: PhotoDesk

    /// A file is complete, and waits for its entry; where its sender wants to know, a photo is looked at first.
    ///
    /// - Parameter mayWait: whether there is time to look at one.
    func stage(
        _ incoming: IncomingMedia, _ journal: Journal, _ peer: DiaryPeer, id: UInt32, mayWait: Bool
    ) throws {
        let staged = try incoming.finish(journal)
        peer.staged.append(staged)
        guard incoming.description.awaitsLook, staged.media.waitsForLook, mayWait else {
            return try peer.send(.staged(staged.media.summary), id: id)
        }
        func answer(_ look: PhotoLook?) {
            guard peer.answerEarly.take() != nil else { return }
            if let look { staged.take(look) }
            do { try peer.send(.staged(staged.media.summary), id: id) } catch { peer.pipe.isClosed = true }
        }
        peer.answerEarly = { answer(nil) }
        desk.look(at: staged.media.original, in: staged.folder, isUrgent: true) { answer($0) }
    }

    // MARK: Out

    /// Sends a file, or what is made of it: then the answer waits for a decoder.
    func send(_ file: EntryMedia, _ size: MediaSize, _ journal: Journal, _ peer: DiaryPeer, id: UInt32) throws {
        let wish: PhotoDesk.Wish
        switch size {
        case .original: return try send(file.original, of: file.summary, journal, peer, id: id)
        case .thumbnail:
            guard let thumbnail = file.thumbnail else {
                let reason = file.problem.isEmpty ? marked("only photos have small pictures") : file.problem
                throw DiaryError(.notFound, marked("there is no small picture of it: \(reason)"))
            }
            return try send(thumbnail, of: file.summary, journal, peer, id: id)
        case .shared:
            guard file.kind == .photo else {
                return try send(file.original, of: file.summary, journal, peer, id: id)
            }
            wish = .shared
        case .preview:
            guard file.kind == .photo else { throw DiaryError(.notFound, marked("only photos have pictures")) }
            wish = .preview
        }
        func answer(_ send: () throws -> Void) {
            guard peer.answerEarly.take() != nil else { return }
            do {
                do { try send() } catch let error as DiaryError { try peer.send(.error(error), id: id) }
            } catch { peer.pipe.isClosed = true }
        }
        peer.answerEarly = {
            answer { try peer.send(.error(DiaryError(.unavailable, marked("the diary is being locked"))), id: id) }
        }
        let assets = journal.store.assets
        desk.make(wish, of: file.original, in: assets) { result in
            answer {
                if case .failure(.sourceFailed) = result { throw Self.whyUnreadable(file.original, in: assets) }
                try Self.send(result, of: file.summary, to: peer, id: id)
            }
        }
    }

    /// Why a photo's file could not be handed to the decoder: most of all, that it is damaged.
    private static func whyUnreadable(_ photo: AssetReference, in assets: AssetFolder) -> DiaryError {
        do {
            let reader = try assets.makeReader(photo)
            for index in 0..<reader.chunkCount { _ = try reader.chunk(index) }
            return DiaryError(.unavailable, marked("the photo's file could not be read a moment ago; try again"))
        } catch { return DiaryError(error) }
    }

    private func send(
        _ reference: AssetReference, of summary: MediaSummary, _ journal: Journal, _ peer: DiaryPeer, id: UInt32
    ) throws {
        let chunks = AssetChunks(try journal.store.assets.makeReader(reference))
        try peer.send(.media(summary), id: id, body: .parts(chunks.next) { DiaryReply.error(DiaryError($0)) })
    }

    private static func send(
        _ result: Result<ImageAnswer, ImageError>, of summary: MediaSummary, to peer: DiaryPeer, id: UInt32
    ) throws {
        switch result {
        case .success(.file(let bytes)): try peer.send(.media(summary.shared), id: id, body: .bytes(bytes))
        case .success(.pictures(_, _, let preview?)): try peer.send(.media(summary), id: id, body: .bytes(preview))
        default:
            let problem = PhotoLook.problem(result) ?? marked("the decoder gave something else")
            // Of a photo that is why, and of a decoder that could not be run.
            let code = PhotoLook.isFinal(result) ? DiaryError.Code.notFound : .unavailable
            try peer.send(.error(DiaryError(code, marked("nothing can be made of this photo: \(problem)"))), id: id)
        }
    }
}

/// A sealed file on its way to a client, chunk by chunk.
private final class AssetChunks {
    private let reader: AssetReader
    private var index = 0

    init(_ reader: AssetReader) { self.reader = reader }

    func next() throws -> [UInt8]? {
        guard index < reader.chunkCount else { return nil }
        defer { index += 1 }
        return try reader.chunk(index)
    }
}
