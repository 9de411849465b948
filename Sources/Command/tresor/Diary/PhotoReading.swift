import DiaryClient
import ImageSandbox
import Linux
import ResidentClient
import Secrets
import Wire

/// What photos of a folder say of themselves, read by decoders in processes of their own.
struct PhotoReading {
    private let pool: ImagePool

    init() throws {
        let program = try CurrentProcess.executableDirectory() + "/tresor-thumb"
        pool = ImagePool(program: program, limit: SystemFacts.processorCount)
    }

    /// By path; a photo that cannot be read has none.
    func facts(of paths: [String]) throws -> [String: PhotoFacts] {
        let found = Findings()
        for path in paths {
            guard let source = PhotoFile(path)?.source else { continue }
            pool.submit(.facts, of: source) { result in
                guard case .success(.facts(let facts)) = result else { return }
                var kept = PhotoFacts()
                kept.wallClock = facts.wallClock
                kept.offsetMinutes = facts.offsetMinutes
                found.facts[path] = kept
            }
        }
        while pool.count > 0 {
            var poll = Poll()
            pool.add(to: &poll)
            try poll.wait(milliseconds: pool.patience)
            pool.advance(poll)
        }
        return found.facts
    }

    private final class Findings { var facts: [String: PhotoFacts] = [:] }
}

/// A photo on the disk, opened while it is read.
private final class PhotoFile {
    private let path: String
    private let byteCount: Int
    private let beginning: [UInt8]
    private var part: (offset: Int, bytes: [UInt8]) = (offset: 0, bytes: [])

    init?(_ path: String) {
        guard let file = try? FileDescriptor.open(path, FileFlags.readFollowing), let count = try? file.byteCount(),
            let beginning = try? file.read(count: ImageKind.headerByteCount, at: 0)
        else { return nil }
        self.path = path
        byteCount = count
        self.beginning = beginning
    }

    var source: ImageSource {
        ImageSource(beginning: beginning, byteCount: byteCount) { offset, write in try self.lend(offset, write) }
    }

    private func lend(_ offset: Int, _ write: (RawSpan) throws(LinuxError) -> Transfer) throws -> Transfer {
        if offset < part.offset || offset >= part.offset + part.bytes.count {
            let file = try FileDescriptor.open(path, FileFlags.readFollowing)
            part = (offset: offset, bytes: try file.read(count: MessageFrame.bodyPart, at: offset))
        }
        let rest = offset - part.offset
        return try part.bytes.withSpan { try write($0.extracting(droppingFirst: rest)) }
    }
}
