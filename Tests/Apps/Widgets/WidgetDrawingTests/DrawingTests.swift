import Foundation
import Linux
import Testing
import Thoroughness
import WidgetDrawing
import Widgets

/// What the real program draws.
///
/// It looks for its fonts behind a sandbox that needs Landlock.
@Suite(.enabled(if: Sandbox.holds() == true, "needs Landlock"))
struct DrawingTests {
    @Test(arguments: WidgetFamily.allCases)
    func `given a widget in any state, the picture has its size`(_ family: WidgetFamily) throws {
        let program = Programs.make()
        for state in Frame.State.allCases {
            let root = state == .shown ? Sample.content(family) : Sample.masks(family)
            let frame = Sample.frame(family, root, state: state, isLuminanceReduced: state == .redacted)
            for (scale, depth) in [(DrawScale.one, DrawDepth.color), (.two, .color), (.one, .ink), (.two, .ink)] {
                let file = try program.png(frame, scale: scale, depth: depth, theme: .dark)
                let picture = try #require(DecodedPNG(file))
                #expect(picture.width == family.size.width * Int(scale.rawValue))
                #expect(picture.height == family.size.height * Int(scale.rawValue))
                #expect(picture.bitDepth == (depth == .ink ? 1 : 8))
                #expect(picture.colorType == (depth == .ink ? 0 : 6))
                #expect(picture.colors.count > 1)
            }
        }
    }

    @Test func `given the same frame, the picture is the same, from another program too`() throws {
        let frame = Sample.frame(.systemLarge, Sample.content(.systemLarge))
        let program = Programs.make()
        let first = try program.png(frame, scale: .two)
        _ = try program.png(Sample.frame(.systemLarge, Sample.text("in between")), scale: .two)
        #expect(try program.png(frame, scale: .two) == first)
        #expect(try Programs.make().png(frame, scale: .two) == first)
    }

    @Test func `given light and dark, the ground is of that colour, and what is outside of its corners is not there`()
        throws
    {
        let program = Programs.make()
        for (theme, ground) in [(WidgetTheme.light, 0xffff_ffff as UInt32), (.dark, 0xff1c_1c20)] {
            let frame = Sample.frame(.systemSmall, Sample.text("words"))
            let picture = try #require(DecodedPNG(try program.png(frame, theme: theme)))
            #expect(picture.pixel(79, 150) == ground)
            #expect(picture.pixel(0, 0) == 0)
            let ink = try #require(DecodedPNG(try program.png(frame, depth: .ink, theme: theme)))
            #expect(ink.pixel(0, 0) == (theme == .light ? 0xffff_ffff : 0xff00_0000))
        }
    }

    @Test func `given two secrets, the masked pictures are the same to the byte`() throws {
        let program = Programs.make()
        for (scale, depth) in [(DrawScale.one, DrawDepth.color), (.two, .color), (.one, .ink)] {
            let files = try Secrets.frames.map { try program.png($0, scale: scale, depth: depth) }
            #expect(Set(files).count == 1)
        }
    }

    @Test(arguments: [Pictures.png, Pictures.jpeg, Pictures.progressiveJPEG])
    func `given a picture, it is drawn`(_ file: [UInt8]) throws {
        let image = FrameNode.image(Picture(file, width: 100, height: 50), isDimmed: false)
        let picture = try #require(DecodedPNG(try Programs.make().png(Sample.frame(.systemSmall, image))))
        let pixel = picture.pixel(40, 79)
        // Red at the left, in all of them.
        #expect(pixel >> 16 & 255 > 180 && pixel >> 8 & 255 < 80 && pixel & 255 < 80)
    }

    @Test func `given a picture and two colours, there are as many white pixels as it is light`() throws {
        let image = FrameNode.image(Picture(Pictures.jpeg, width: 100, height: 50), isDimmed: false)
        let file = try Programs.make().png(Sample.frame(.systemSmall, image), scale: .two, depth: .ink)
        let picture = try #require(DecodedPNG(file))
        var white = 0
        for y in 120..<190 { for x in 100..<200 where picture.pixel(x, y) == 0xffff_ffff { white += 1 } }
        // Of 255, red of 208 with 32 of each other is as light as 69.
        #expect(abs(Double(white) / 7000 - 69.0 / 255) < 0.03)
    }

    @Test func `given a file that can't be drawn, there is a grey box in its place`() throws {
        let program = Programs.make()
        var large = Pictures.png
        // 4,026,531,840 pixels, it says.
        large.replaceSubrange(16..<24, with: [0, 0, 0x78, 0, 0, 2, 0, 0])
        for file in [Array("GIF89a".utf8), [], Pictures.printJPEG, Array(Pictures.png.prefix(60)), large] {
            let image = FrameNode.image(Picture(file, width: 100, height: 50), isDimmed: false)
            let picture = try #require(DecodedPNG(try program.png(Sample.frame(.systemSmall, image))))
            #expect(picture.pixel(79, 79) == 0xffdc_dce2)
        }
    }

    @Test func `given frames that nobody would think of, the same program draws them all`() throws {
        var random = SeededGenerator(state: 3)
        let program = Programs.make()
        try program.prepare()
        let id = program.processID
        for round in 0..<Thoroughness.count(30, soak: 150) {
            let frame = RandomFrame.make(&random)
            let file = try program.png(frame, depth: round % 2 == 0 ? .color : .ink)
            #expect(DecodedPNG(file)?.width == frame.family.size.width)
        }
        #expect(program.processID == id)
    }

    @Test func `given many damaged pictures, the same program goes on`() throws {
        var random = SeededGenerator(state: 4)
        let program = Programs.make()
        try program.prepare()
        let id = program.processID
        for _ in 0..<Thoroughness.count(5, soak: 20) {
            let images = (0..<20).map { _ in
                FrameNode.image(Picture(RandomFrame.picture(&random), width: 30, height: 20), isDimmed: false)
            }
            let frame = Sample.frame(.accessoryRectangular, .stack(.depth, .center, spacing: 0, images))
            #expect(DecodedPNG(try program.png(frame)) != nil)
        }
        #expect(program.processID == id)
    }

    @Test func `given endless words, stacks 60 deep and 4,000 texts in one place, they are drawn in time`() throws {
        var deep = Sample.text("in the middle")
        for level in 0..<60 {
            deep = level % 2 == 0 ? Sample.row([deep, .spacer, Sample.text("x")]) : Sample.column([deep, .divider])
        }
        let words = [String(repeating: "W", count: 10_000), String(repeating: "e\u{301}", count: 5000), "\u{202e}שלום"]
        let pile = (0..<3900).map { Sample.text("text \($0)") }
        let program = Programs.make(patience: 10_000)
        for node in [deep, Sample.column(words.map { Sample.text($0) }), .stack(.depth, .center, spacing: 0, pile)] {
            #expect(DecodedPNG(try program.png(Sample.frame(.systemExtraLarge, node))) != nil)
        }
    }

    @Test func `given that the program is killed, the next picture comes from a fresh one`() throws {
        let frame = Sample.frame(.systemSmall, Sample.content(.systemSmall))
        let program = Programs.make()
        let first = try program.png(frame)
        let id = try #require(program.processID)
        kill(id, SIGKILL)
        #expect(try program.png(frame) == first)
        #expect(program.processID != id)
        program.end()
        #expect(program.processID == nil)
        #expect(try program.png(frame) == first)
    }

    @Test func `given that its owner is gone, so is the program`() throws {
        var program: DrawingProgram? = Programs.make()
        _ = try program?.png(Sample.frame(.systemSmall, Sample.text("words")))
        let id = try #require(program?.processID)
        program = nil
        #expect(kill(id, 0) != 0)
    }

    @Test func `the program has closed itself off when it draws`() throws {
        let program = Programs.make()
        _ = try program.png(Sample.frame(.systemSmall, Sample.text("words")))
        let id = try #require(program.processID)
        let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
        #expect(status.contains("Seccomp:\t2"))
        #expect(status.contains("NoNewPrivs:\t1"))
        let limits = try String(contentsOfFile: "/proc/\(id)/limits", encoding: .utf8)
        let space = limits.split(separator: "\n").first { $0.hasPrefix("Max address space") }
        #expect(space?.contains("2147483648") == true)
    }
}
