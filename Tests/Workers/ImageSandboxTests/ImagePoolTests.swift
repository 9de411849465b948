import Foundation
import Glibc
import Linux
import Testing

@testable import ImageSandbox

/// Several images at once, in a loop like that of a resident program.
@Suite struct ImagePoolTests {
    private static func drive(_ pool: ImagePool, while isGoingOn: () -> Bool = { true }) throws {
        while pool.count > 0 && isGoingOn() {
            var poll = Poll()
            // Another descriptor of the loop's stands before those of the pool.
            poll.add(-1, reading: true, writing: false)
            pool.add(to: &poll)
            try poll.wait(milliseconds: pool.patience)
            pool.advance(poll)
        }
    }

    @Test func `each image gets its own answer, however many there are`() throws {
        let pool = ImagePool(program: Program.path, limit: 3)
        let images = [
            Pictures.jpeg, Array("text".utf8), Pictures.heic, Files.jpeg(.photo(orientation: 6)), Pictures.avif,
            Array(Pictures.transparentPNG.prefix(100)), Pictures.tiff, Pictures.transparentGIF,
        ]
        // More than one server has slots for.
        let count = images.count * 5
        var answers: [Int: Result<ImageAnswer, ImageError>] = [:]
        for number in 0..<count {
            pool.submit(.thumbnail, of: ImageSource(images[number % images.count])) { result in
                #expect(answers[number] == nil)
                answers[number] = result
            }
        }
        try Self.drive(pool)
        #expect(answers.count == count)
        for number in 0..<count {
            switch number % images.count {
            case 1: #expect(answers[number] == .success(.refused(.notAnImage)))
            case 5: #expect(answers[number] == .success(.refused(.damaged)))
            default:
                guard case .success(.pictures(let facts, let thumbnail, nil)) = answers[number] else {
                    return #expect(Bool(false), "no pictures of \(number)")
                }
                #expect(facts.orientation == (number % images.count == 3 ? 6 : 1))
                #expect(try DecodedImage(thumbnail).width == facts.width)
            }
        }
    }

    @Test func `an image is lent in parts, and its source given back when it has been read`() throws {
        final class Watched {}
        var watched: Watched? = Watched()
        weak let memory = watched
        let pool = ImagePool(program: Program.path, limit: 1)
        var answer: Result<ImageAnswer, ImageError>?
        pool.submit(.convert, of: Self.source(of: Pictures.tiff, holding: watched)) { answer = $0 }
        watched = nil
        #expect(memory != nil)
        try Self.drive(pool)
        guard case .success(.file(let jpeg)) = answer else { return #expect(Bool(false), "no file") }
        #expect(try DecodedImage(jpeg).width == 96)
        #expect(memory == nil)
    }

    private static func source(of image: [UInt8], holding owner: AnyObject?) -> ImageSource {
        ImageSource(beginning: Array(image.prefix(16)), byteCount: image.count) { offset, write in
            _ = owner
            let part = Array(image[offset..<min(offset + 100, image.count)])
            return try write(part.span.bytes)
        }
    }

    @Test func `a source that fails ends its own run alone`() throws {
        struct Gone: Error {}
        let pool = ImagePool(program: Program.path, limit: 2)
        var results: [Result<ImageAnswer, ImageError>] = []
        pool.submit(.thumbnail, of: ImageSource(beginning: Pictures.jpeg, byteCount: 5000) { _, _ in throw Gone() }) {
            results.append($0)
        }
        pool.submit(.strip, of: ImageSource(Pictures.jpeg)) { results.append($0) }
        try Self.drive(pool)
        #expect(results.contains(.failure(.sourceFailed)) && results.contains(.success(.file(Pictures.jpeg))))
    }

    @Test func `what is cancelled is never heard of again, and its process goes`() throws {
        let pool = ImagePool(program: Program.path, limit: 2)
        var isHeard = false
        // It never gets the rest of its image.
        let stuck = ImageSource(beginning: Pictures.jpeg, byteCount: 5000) { _, _ in .wouldBlock }
        let ticket = pool.submit(.thumbnail, of: stuck) { _ in isHeard = true }
        pool.submit(.thumbnail, of: stuck) { _ in isHeard = true }
        let start = SystemClock.monotonicNanoseconds()
        try Self.drive(pool) { SystemClock.monotonicNanoseconds() < start + 300_000_000 }
        #expect(pool.count == 2)
        pool.cancel(ticket)
        #expect(pool.count == 1)
        pool.cancelAll()
        #expect(pool.count == 0 && !isHeard && pool.patience == nil)
    }

    @Test func `the pool goes on when its server is killed`() throws {
        let pool = ImagePool(program: Program.path, limit: 1)
        var results: [Result<ImageAnswer, ImageError>] = []
        let stuck = ImageSource(beginning: Pictures.jpeg, byteCount: 5000) { _, _ in .wouldBlock }
        pool.submit(.thumbnail, of: stuck) { results.append($0) }
        let start = SystemClock.monotonicNanoseconds()
        try Self.drive(pool) { SystemClock.monotonicNanoseconds() < start + 300_000_000 }
        let server = try #require(pool.server?.process.id)
        kill(server, SIGKILL)
        pool.submit(.strip, of: ImageSource(Pictures.jpeg)) { results.append($0) }
        try Self.drive(pool)
        #expect(results == [.failure(.failed(.killed(signal: SIGKILL))), .success(.file(Pictures.jpeg))])
    }

    @Test func `a program that is missing is told`() throws {
        let pool = ImagePool(program: "/nonexistent/tresor-thumb", limit: 1)
        var result: Result<ImageAnswer, ImageError>?
        pool.submit(.thumbnail, of: ImageSource(Pictures.jpeg)) { result = $0 }
        try Self.drive(pool)
        #expect(result == .failure(.missingProgram))
    }

    @Test func `a decoder of the server's is sandboxed like any other, and has no descriptor but its own`() throws {
        let pool = ImagePool(program: Program.path, limit: 1)
        let stuck = ImageSource(beginning: Pictures.jpeg, byteCount: 5000) { _, _ in .wouldBlock }
        pool.submit(.thumbnail, of: stuck) { _ in }
        let start = SystemClock.monotonicNanoseconds()
        var status = ""
        var descriptors: [String] = []
        try Self.drive(pool) {
            guard let server = pool.server?.process.id else { return true }
            let children =
                (try? String(contentsOfFile: "/proc/\(server)/task/\(server)/children", encoding: .utf8)) ?? ""
            let child = children.split(separator: " ").first.map(String.init) ?? ""
            status = (try? String(contentsOfFile: "/proc/\(child)/status", encoding: .utf8)) ?? ""
            descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(child)/fd")) ?? []
            return !status.contains("Seccomp:\t2") && SystemClock.monotonicNanoseconds() < start + 5_000_000_000
        }
        #expect(status.contains("Seccomp:\t2") && status.contains("NoNewPrivs:\t1") && status.contains("Threads:\t1"))
        // Those of others are shown to root alone.
        if getuid() == 0 { #expect(descriptors.sorted() == ["0", "1", "2"]) }
    }
}
