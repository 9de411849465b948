import Foundation
import Linux
import Testing
import Thoroughness

@testable import ImageSandbox

/// Damaged files go through real decoders, one process each: they may refuse or die, and the pool goes on.
///
/// `TRESOR_IMAGE_MUTATIONS` names another number, `TRESOR_SEED` the seed of a run that failed, and
/// `TRESOR_EXIF_SAMPLES` a folder whose files are mutated too.
@Suite struct MutationTests {
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64

        /// SplitMix64.
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }
    }

    private static let environment = ProcessInfo.processInfo.environment
    private static let count = Thoroughness.count(60, soak: 300, orBy: "TRESOR_IMAGE_MUTATIONS")
    private static let seed = environment["TRESOR_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...9_999_999)
    private static let longest = 400_000

    private static let originals: [[UInt8]] = {
        var images = [
            Pictures.jpeg, Pictures.heic, Pictures.avif, Pictures.tiff, Pictures.transparentPNG,
            Pictures.transparentGIF, Pictures.transparentWebP, Files.jpeg(.photo(orientation: 6)),
            Files.png(with: Files.chunk("eXIf", ExifBlock.photo().tiff)),
            Files.webp(Files.webpPicture + Files.webpChunk("EXIF", ExifBlock.photo().tiff)),
        ]
        guard let folder = environment["TRESOR_EXIF_SAMPLES"] else { return images }
        let names = (FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []).sorted()
        for name in names {
            guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)"), data.count <= longest else {
                continue
            }
            if ImageKind(of: Array(data.prefix(16))) != nil { images.append([UInt8](data)) }
        }
        return images
    }()

    private static func mutated(_ number: Int) -> (image: [UInt8], job: ImageJob) {
        var numbers = Numbers(state: seed &* 0x1_0000_0001 &+ UInt64(number))
        var image = originals.randomElement(using: &numbers) ?? []
        // Metadata stand in front.
        let range = Bool.random(using: &numbers) ? image.count : min(image.count, 2048)
        for _ in 0..<Int.random(in: 1...8, using: &numbers) {
            let place = Int.random(in: 0..<range, using: &numbers)
            switch Int.random(in: 0..<4, using: &numbers) {
            case 0: image[place] = UInt8.random(in: 0...255, using: &numbers)
            case 1: image[place] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
            case 2: for index in place..<min(place + 4, image.count) { image[index] = 0xFF }
            default: for index in place..<min(place + 4, image.count) { image[index] = 0 }
            }
        }
        if Int.random(in: 0..<20, using: &numbers) == 0 {
            image.removeLast(Int.random(in: 0..<image.count, using: &numbers))
        }
        return (image, ImageJob.allCases.randomElement(using: &numbers) ?? .thumbnail)
    }

    @Test func `whatever becomes of a decoder, the pool answers for each image and goes on`() throws {
        let pool = ImagePool(program: Program.path, limit: 2)
        var outcomes: [String: Int] = [:]
        var answered = 0
        var made = 0
        while made < Self.count || pool.count > 0 {
            while made < Self.count && pool.count < 4 {
                let (image, job) = Self.mutated(made)
                let number = made
                pool.submit(job, of: ImageSource(image)) { result in
                    answered += 1
                    switch result {
                    case .success(.refused(let refusal)): outcomes["refused: \(refusal)", default: 0] += 1
                    case .success: outcomes["\(job)", default: 0] += 1
                    case .failure(let error):
                        outcomes["\(error)", default: 0] += 1
                        print("image \(number) of seed \(Self.seed): \(error)")
                        // The program of its own accord: never.
                        let isOurs = [.badAnswer, .missingProgram, .sourceFailed, .tooLarge].contains(error)
                        #expect(!isOurs, "image \(number) of seed \(Self.seed): \(error)")
                    }
                }
                made += 1
            }
            var poll = Poll()
            pool.add(to: &poll)
            try poll.wait(milliseconds: pool.patience)
            pool.advance(poll)
        }
        print("\(Self.count) mutated images, seed \(Self.seed): \(outcomes.sorted { $0.key < $1.key })")
        #expect(answered == Self.count)
    }
}
