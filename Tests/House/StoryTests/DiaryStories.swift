import CTestSupport
import DiaryClient
import Foundation
import Glibc
import Linux
import Protection
import ResidentClient
import Secrets
import Testing
import Wire

/// What the stories about the diary do with the real programs.
extension LiveDevice {
    @discardableResult
    func diary(_ arguments: String..., input: String = "", language: String = "C") throws -> Outcome {
        try run(["diary"] + arguments, input: Data(input.utf8), environment: ["LANG": language, "TZ": "Europe/Oslo"])
    }

    /// Registers, and signs in; the recovery key.
    @discardableResult
    func openDiary(_ password: String = "a blue door", _ arguments: String...) throws -> String {
        let made = try run(["diary", "register"] + arguments, input: Data("\(password)\n\(password)\n".utf8))
        #expect(made.code == 0, "\(made.errors)")
        let opened = try diary("sign-in", input: password + "\n")
        #expect(opened.code == 0, "\(opened.errors)")
        return made.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// An entry of this text; its id.
    func newEntry(_ text: String, _ arguments: String...) throws -> String {
        let made = try run(["diary", "add"] + arguments, input: Data(text.utf8), environment: ["TZ": "Europe/Oslo"])
        #expect(made.code == 0, "\(made.errors)")
        return made.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

/// The door of the diary: its password, and the ways back in.
@Suite(.serialized) struct DiaryDoorStories {
    @Test func `a password is registered once, typed twice, and signs nobody in`() throws {
        let device = try LiveDevice()
        #expect(try device.diary("list").code == 7, "nothing is registered")
        let german = try device.diary(
            "register", input: "eins\nzwei\nein blaues Tor\nein blaues Tor\n", language: "de_DE.UTF-8")
        #expect(german.code == 0)
        #expect(german.errors.contains("Passwörter stimmen nicht überein! Bitte erneut versuchen!"))
        #expect(german.text.trimmingCharacters(in: .newlines).split(separator: "-").count == 7)
        #expect(try device.diary("list").code == 5, "registering does not sign in")
        #expect(try device.diary("register", input: "x\nx\n").code == 7, "it is registered once")
        // Nor does tresor-diary itself take another one, which no command would ask for.
        let connection = try device.diaryConnection()
        #expect(throws: DiaryError.self) {
            _ = try connection.askForSecret(
                .register(allowsPasscode: false), secrets: MessageSecrets(try SecretBytes(text: "x")))
        }
        let wrong = try device.diary("sign-in", input: "ein rotes Tor\n", language: "de_DE.UTF-8")
        #expect(wrong.code == 6 && wrong.errors.contains("Anmeldung fehlgeschlagen"))
        #expect(try device.diary("sign-in", input: "x\n", language: "nb_NO").errors.contains("Innloggingen mislyktes"))
        #expect(try device.diary("list").code == 5)
        #expect(try device.diary("sign-in", input: "ein blaues Tor\n").code == 0)
        #expect(try device.diary("list").code == 0)
    }

    @Test func `an input that ends too early registers nothing`() throws {
        let device = try LiveDevice()
        #expect(try device.diary("register", input: "one\n").code == 6)
        #expect(try device.diary("register", input: "one\ntwo\n").code == 6)
        #expect(try device.diary("sign-in", input: "one\n").code == 7)
        let status = try device.diary("status", "--json")
        #expect(status.text.contains("\"isRegistered\" : false"))
    }

    @Test func `every start asks: after a lock, the device's lock and a restart`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        try device.openDiary()
        let id = try device.newEntry("The fjord was still.")
        #expect(try device.diary("lock").code == 0)
        #expect(try device.diary("show", id).code == 5)
        #expect(try device.diary("sign-in", input: "a blue door\n").code == 0)
        #expect(try device.diary("show", id).text == "The fjord was still.\n")
        #expect(try device.run("lock").code == 0)
        #expect(try device.diary("show", id).code == 5)
        #expect(try device.diary("sign-in", input: "a blue door\n").code == 5, "the device is locked")
        try device.unlock()
        #expect(try device.diary("show", id).code == 5, "an unlock signs nobody in")
        #expect(try device.diary("sign-in", input: "a blue door\n").code == 0)
        try device.restart()
        try device.unlock()
        #expect(try device.diary("show", id).code == 5)
        #expect(try device.diary("sign-in", input: "a blue door\n").code == 0)
        #expect(try device.diary("show", id).text == "The fjord was still.\n")
    }

    @Test func `the password changes with the present one only, and everything stays`() throws {
        let device = try LiveDevice()
        let key = try device.openDiary()
        let id = try device.newEntry("Before.")
        #expect(try device.diary("password", "change", input: "wrong\nnew one\nnew one\n").code == 6)
        #expect(try device.diary("password", "change", input: "a blue door\nnew one\nnew one\n").code == 0)
        #expect(try device.diary("show", id).text == "Before.\n", "whoever is in stays in")
        try device.diary("lock")
        #expect(try device.diary("sign-in", input: "a blue door\n").code == 6)
        #expect(try device.diary("sign-in", input: "new one\n").code == 0)
        #expect(try device.diary("show", id).text == "Before.\n")
        try device.diary("lock")
        let reset = try device.diary("password", "reset", input: "\(key.lowercased())\nthird\nthird\n")
        #expect(reset.code == 0, "the recovery key outlives a change: \(reset.errors)")
        #expect(try device.diary("sign-in", input: "third\n").code == 0)
        #expect(try device.diary("show", id).text == "Before.\n")
    }

    @Test func `a forgotten password: by the recovery key, by the passcode where that was allowed, or not at all`()
        throws
    {
        let device = try LiveDevice()
        try device.setPasscode()
        let key = try device.openDiary()
        let id = try device.newEntry("Kept.")
        try device.diary("lock")
        let passcode = try device.diary("password", "reset", "--by-passcode", input: "1234\nnew\nnew\n")
        #expect(passcode.code == 7, "it was not allowed: \(passcode.errors)")
        let slip = String(key.reversed())
        #expect(try device.diary("password", "reset", input: "\(slip)\nnew\nnew\n").code == 6)
        let second = try device.diary("password", "reset", input: "\(key)\nnew\nnew\n")
        #expect(second.code == 0)
        #expect(try device.diary("password", "reset", input: "\(key)\nx\nx\n").code == 6, "a used key opens nothing")
        #expect(try device.diary("sign-in", input: "a blue door\n").code == 6)
        #expect(try device.diary("password", "passcode", "on", input: "new\n").code == 0)
        #expect(try device.diary("password", "passcode", "on", input: "new\n").code == 0, "twice is as once")
        #expect(try device.diary("password", "reset", "--by-passcode", input: "9999\nx\nx\n").code == 6)
        let third = try device.diary("password", "reset", "--by-passcode", input: "1234\nthird\nthird\n")
        #expect(third.code == 0, "\(third.errors)")
        #expect(try device.diary("sign-in", input: "third\n").code == 0)
        #expect(try device.diary("show", id).text == "Kept.\n")
        #expect(try device.diary("password", "passcode", "off", input: "third\n").code == 0)
        try device.diary("lock")
        #expect(try device.diary("password", "reset", "--by-passcode", input: "1234\nx\nx\n").code == 7)
    }

    @Test func `erasing says what is lost, wants it typed, and begins anew`() throws {
        let device = try LiveDevice()
        try device.openDiary()
        _ = try device.newEntry("One.")
        _ = try device.newEntry("Two.")
        try device.diary("lock")
        let former = device.home.diaryDatabase + ".before-0.1"
        try FileManager.default.copyItem(atPath: device.home.diaryDatabase, toPath: former)
        let spare = device.home.diaryFolder + "/spare"
        #expect(FileManager.default.fileExists(atPath: spare), "the control")
        let refused = try device.diary("password", "reset", "--erase", input: "yes\n")
        #expect(refused.code == 6 && refused.errors.contains("2 entries"))
        #expect(try device.diary("sign-in", input: "a blue door\n").code == 0)
        #expect(try device.diary("password", "reset", "--erase", input: "erase my diary\n").code == 0)
        #expect(try device.diary("list").code == 7)
        for path in [device.home.diaryDatabase, former, spare] {
            #expect(!FileManager.default.fileExists(atPath: path), "\(path)")
        }
        try device.openDiary("another")
        #expect(try device.diary("list", "--json").text.trimmingCharacters(in: .whitespacesAndNewlines) == "[\n\n]")
    }

    @Test func `the keychain holds a salted hash and a sealed key, in a group that no other program reaches`() throws {
        let device = try LiveDevice()
        let before = try rowsPerClass(device)
        try device.openDiary()
        #expect(try !device.run("keychain", "list", "--json").text.contains("tresor.diary"))
        #expect(try device.run("keychain", "get", "--service", "tresor.diary", "--account", "password").code == 3)
        #expect(try device.state().range(of: Data("$scrypt$".utf8)) == nil, "the hash itself is sealed")
        // The owner has put nothing in yet.
        #expect(try device.status().itemsPerClass.values.allSatisfy { $0 == 0 })
        let added = try rowsPerClass(device).merging(before) { $0 - $1 }.filter { $0.value > 0 }
        let wanted = "\(ProtectionClass.whenUnlocked.rawValue)"
        #expect(added == [wanted: 3], "password, recovery key, wrong tries: \(added)")
    }

    /// By the class's number.
    private func rowsPerClass(_ device: LiveDevice) throws -> [String: Int] {
        try device.stop()
        let rows = try StoppedDatabase(path: device.home.database).rows(
            "SELECT class, count(*) FROM item WHERE tombstone = 0 GROUP BY class")
        try device.start()
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], Int($0[1]) ?? 0) })
    }
}

/// Entries, their files, and what is left of them.
@Suite(.serialized) struct DiaryEntryStories {
    /// A photo of noise that libvips makes.
    private func makePhoto(_ device: LiveDevice, _ name: String) throws -> String {
        let path = device.folder + "/\(name).png"
        let script = """
            import struct, sys, zlib
            w, h = 640, 480
            rows = b"".join(b"\\0" + bytes((x * y + x) % 256 for x in range(w * 3)) for y in range(h))
            def chunk(kind, data):
                return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
            head = chunk(b"IHDR", struct.pack(">IIBBBBB", w, h, 8, 2, 0, 0, 0))
            open(sys.argv[1], "wb").write(b"\\x89PNG\\r\\n\\x1a\\n" + head
                + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", script, path]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return path
    }

    @Test func `an entry keeps its photo byte for byte, and has a small one beside it`() throws {
        let device = try LiveDevice()
        try device.openDiary()
        let photo = try makePhoto(device, "harbour")
        let id = try device.newEntry(
            "# Harbour\n\nBoats and **rain**.", "--photo", photo, "--tag", "sea", "--mood", "good", "--starred",
            "--date", "2024-02-29 14:05", "--place", "59.913,10.752", "--place-name", "Oslo")
        let shown = try JSONSerialization.jsonObject(with: device.diary("show", id, "--json").output)
        let entry = try #require(shown as? [String: Any])
        #expect(entry["localTime"] as? String == "2024-02-29 14:05" && entry["timeZone"] as? String == "Europe/Oslo")
        #expect(entry["date"] as? String == "2024-02-29T13:05:00Z")
        #expect(entry["tags"] as? [String] == ["sea"] && entry["mood"] as? String == "good")
        #expect(entry["starred"] as? Bool == true && entry["opening"] as? String == "Harbour Boats and rain.")
        #expect((entry["place"] as? [String: Any])?["name"] as? String == "Oslo")
        let original = try device.diary("extract", id, "0", "--size", "original").output
        #expect(try original == Data(contentsOf: URL(fileURLWithPath: photo)))
        let small = try device.diary("extract", id, "0", "--size", "thumbnail").output
        #expect(small.starts(with: [0xFF, 0xD8, 0xFF]))
        #expect(try device.diary("search", "boats").text.contains("Boats and"))
        #expect(try device.diary("search", "sea").code == 0 && device.diary("search", "oslo").code == 0)
        #expect(try device.diary("search", "mountain").code == 3)
        #expect(try device.diary("on-this-day", "--day", "2025-02-28").text.contains("1 year ago"))
        #expect(try device.diary("on-this-day", "--day", "2026-02-27").text.isEmpty)
    }

    /// A photo that says where and when it was taken, and by what.
    private func makeTold(_ device: LiveDevice) throws -> String {
        let told = device.folder + "/told.png"
        let script = """
            import struct, sys, zlib
            def table(entries, at):
                head = struct.pack(">H", len(entries))
                data, here = b"", at + 2 + 12 * len(entries) + 4
                for tag, kind, count, value in entries:
                    if len(value) > 4:
                        value, data, here = struct.pack(">I", here), data + value, here + len(value)
                    head += struct.pack(">HHI", tag, kind, count) + value.ljust(4, b"\\0")
                return head + b"\\0" * 4 + data
            def text(tag, value): return (tag, 2, len(value) + 1, value.encode() + b"\\0")
            def degrees(tag, *v): return (tag, 5, 3, b"".join(struct.pack(">II", round(n * 10), 10) for n in v))
            first = [text(0x10f, "Voigt"), text(0x110, "Bessa R"), (0x8769, 4, 1, b"aaaa"), (0x8825, 4, 1, b"aaaa")]
            photo = [text(0x9003, "2024:02:29 14:05:06"), text(0x9011, "+02:00")]
            place = [text(1, "N"), degrees(2, 59, 54, 46.8), text(3, "E"), degrees(4, 10, 45, 7.2)]
            one = len(table(first, 8)) + 8
            two = len(table(photo, one)) + one
            first[2], first[3] = (0x8769, 4, 1, struct.pack(">I", one)), (0x8825, 4, 1, struct.pack(">I", two))
            tiff = b"MM" + struct.pack(">HI", 42, 8) + table(first, 8) + table(photo, one) + table(place, two)
            plain = open(sys.argv[1], "rb").read()
            said = struct.pack(">I", len(tiff)) + b"eXIf" + tiff + struct.pack(">I", zlib.crc32(b"eXIf" + tiff))
            # Behind the signature and the header.
            open(sys.argv[2], "wb").write(plain[:33] + said + plain[33:])
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", script, try makePhoto(device, "plain"), told]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return told
    }

    @Test func `show prints everything that an entry has, and into a pipe the text alone`() throws {
        let device = try LiveDevice()
        try device.openDiary()
        let photo = try makeTold(device)
        let sound = device.folder + "/tone.ogg"
        try Data("OggS not much".utf8).write(to: URL(fileURLWithPath: sound))
        let id = try device.newEntry(
            "# Harbour\n\nBoats.", "--photo", photo, "--audio", sound, "--tag", "sea", "--tag", "rain", "--mood",
            "good",
            "--starred", "--date", "2024-02-29 14:05", "--place", "59.913,10.752", "--place-name",
            "Aker\u{1b}[2J brygge")
        #expect(try device.diary("show", id).text == "# Harbour\n\nBoats.\n", "what edit takes")
        #expect(try device.diary("show", id, "--no-all").text == "# Harbour\n\nBoats.\n")
        let all = try device.diary("show", id, "--all").text
        for fact in [
            "29 February 2024", "14:05 Europe/Oslo", "★", id, "good", "Aker", "brygge, 59.913,10.752", "#sea  #rain",
            "media:0   photo", "media:1   audio  tone.ogg", "bytes", "written   20", "# Harbour\n\nBoats.",
        ] { #expect(all.lowercased().contains(fact.lowercased()), "\(fact) in \(all)") }
        #expect(!all.contains("\u{1b}"), "a terminal has nothing to obey")
        let shown = try JSONSerialization.jsonObject(with: device.diary("show", id, "--json").output) as? [String: Any]
        let media = try #require(shown?["media"] as? [[String: Any]])
        #expect(media.count == 2 && media[1]["kind"] as? String == "audio")
        #expect((media[0]["width"] as? Int ?? 0) > 0 && all.contains(" × "))
        // What the camera says.
        for fact in ["Voigt Bessa R", "taken 2024-02-29 14:05 +02:00", "at 59.9", "image/png"] {
            #expect(all.contains(fact), "\(fact) in \(all)")
        }
        #expect(media[0]["taken"] as? String == "2024-02-29 14:05" && media[0]["offsetMinutes"] as? Int == 120)
        #expect(media[0]["latitude"] as? Double != nil && media[0]["camera"] as? String == "Voigt Bessa R")
    }

    @Test func `show says where an entry was imported from, and what was said there besides`() throws {
        let device = try LiveDevice()
        try device.openDiary()
        let path = try makeDayOne(device)
        #expect(try device.diary("import", "day-one", path).code == 0)
        let id = try #require(try summaries(device).last?["id"] as? String)
        let all = try device.diary("show", id, "--all").text
        #expect(all.contains("source    ") && all.contains("weather") && all.contains("rain"), "\(all)")
        #expect(all.contains("Home") && all.contains("#spring") && all.contains("03:30 Europe/Oslo"))
        let shown = try JSONSerialization.jsonObject(with: device.diary("show", id, "--json").output) as? [String: Any]
        #expect((shown?["source"] as? String)?.isEmpty == false)
        #expect((shown?["foreign"] as? String)?.contains("weather") == true)
    }

    @Test func `a photo that cannot be decoded is kept, and it is said why it has no small one`() throws {
        let device = try LiveDevice()
        try device.openDiary()
        let path = device.folder + "/broken.jpg"
        let bytes = Data([0xFF, 0xD8, 0xFF, 0xE0] + Array("no image at all".utf8))
        try bytes.write(to: URL(fileURLWithPath: path))
        let made = try device.diary("add", "--photo", path, input: "Broken.")
        #expect(made.code == 0 && made.errors.contains("no small picture"))
        let id = made.text.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(try device.diary("extract", id, "0", "--size", "original").output == bytes)
        #expect(try device.diary("extract", id, "0").code == 3, "its metadata cannot be taken out")
        #expect(try device.diary("extract", id, "0", "--size", "thumbnail").code == 3)
    }

    @Test func `what is deleted comes back from the trash, and goes for good from there alone`() throws {
        let device = try LiveDevice()
        try device.openDiary()
        let photo = try makePhoto(device, "photo")
        let id = try device.newEntry("Gone soon.", "--photo", photo)
        #expect(try device.diary("delete", id, "--forever").code == 7)
        #expect(try device.diary("delete", id).code == 0)
        #expect(try device.diary("list").text.isEmpty && device.diary("search", "soon").code == 3)
        #expect(try device.diary("list", "--trash").text.contains("Gone soon."))
        #expect(try device.diary("restore", id).code == 0)
        #expect(try device.diary("search", "soon").code == 0)
        #expect(try device.diary("delete", id).code == 0 && device.diary("delete", id, "--forever").code == 0)
        #expect(try device.diary("show", id).code == 3)
        #expect(try FileManager.default.contentsOfDirectory(atPath: device.folder + "/diary/assets") == [])
    }

    @Test func `bad input changes nothing and says what is wrong`() throws {
        let device = try LiveDevice()
        try device.openDiary()
        let cases: [([String], String)] = [
            (["--date", "2025-02-29"], "no such day"), (["--date", "yesterday-ish"], "A date is written"),
            (["--place", "91,0"], "no place"),
            (["--place", "north"], "no place"), (["--place-name", "Oslo"], "--place"),
            (["--photo", "/nonexistent.jpg"], "nonexistent"), (["--photo", "/dev/zero"], "regular file"),
            (["--mood", "splendid"], "mood"),
        ]
        for (arguments, word) in cases {
            let outcome = try device.run(["diary", "add"] + arguments, input: Data("Text.".utf8))
            #expect(outcome.code == 64 && outcome.errors.contains(word), "\(arguments): \(outcome.errors)")
        }
        #expect(try device.diary("add", input: "").code == 64, "an entry has words or files")
        #expect(try device.diary("list").text.isEmpty)
        #expect(try device.diary("show", "ffff").code == 3)
    }

    /// A diary as Day One exports it, made by Python.
    private func makeDayOne(_ device: LiveDevice) throws -> String {
        let path = device.folder + "/export.zip"
        let script = """
            import json, sys, zipfile
            photo = open(sys.argv[2], "rb").read()
            entries = [
                {"uuid": "A" * 32, "creationDate": "2019-03-31T01:30:00Z", "timeZone": "Europe/Oslo", "starred": True,
                 "text": "# Night\\n\\nClocks went on\\\\. ![](dayone-moment://P1)", "tags": ["spring"],
                 "location": {"latitude": 59.9, "longitude": 10.7, "placeName": "Home"}, "weather": {"code": "rain"},
                 "photos": [{"identifier": "P1", "md5": "0" * 32, "type": "png"}]},
                {"uuid": "B" * 32, "creationDate": "2020-02-29T12:00:00Z", "photos": [{"identifier": "P2"}]},
            ]
            with zipfile.ZipFile(sys.argv[1], "w") as archive:
                archive.writestr("Reise.json", json.dumps({"metadata": {"version": "1.0"}, "entries": entries}))
                archive.writestr("photos/" + "0" * 32 + ".png", photo)
                archive.writestr("../../evil.txt", "evil")
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", script, path, try makePhoto(device, "moment")]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return path
    }

    private func summaries(_ device: LiveDevice) throws -> [[String: Any]] {
        let list = try JSONSerialization.jsonObject(with: device.diary("list", "--json").output)
        return try #require(list as? [[String: Any]])
    }

    @Test func `Day One's export comes in once, and goes out and in again without loss`() throws {
        let device = try LiveDevice()
        try device.openDiary()
        let path = try makeDayOne(device)
        #expect(try device.diary("import", "day-one", path, "--dry-run").text.contains("2 would be added"))
        #expect(try summaries(device).isEmpty, "a dry run changes nothing")
        let first = try device.diary("import", "day-one", path)
        #expect(first.code == 0 && first.text.contains("2 added with 1 file,"), "\(first.text)\(first.errors)")
        #expect(first.text.contains("name that points elsewhere") && first.text.contains("does not hold"))
        #expect(!FileManager.default.fileExists(atPath: device.folder + "/../evil.txt"))
        #expect(try device.diary("import", "day-one", path).text.contains("0 added with 0 files, 2 there already"))
        let before = try summaries(device)
        let night = try #require(before.last)
        #expect(night["localTime"] as? String == "2019-03-31 03:30" && night["starred"] as? Bool == true)
        let id = try #require(night["id"] as? String)
        #expect(try device.diary("show", id).text.contains("Clocks went on. ![](media:0)"))
        let out = device.folder + "/out.zip"
        #expect(try device.diary("export", "--format", "day-one", out).code == 0)
        #expect(try device.diary("export", "--format", "day-one", out).code == 4, "nothing is overwritten")

        let second = try LiveDevice()
        try second.openDiary("other")
        #expect(try second.diary("import", "day-one", out).text.contains("2 added with 1 file,"))
        let after = try summaries(second)
        for (one, other) in zip(before, after) {
            for key in ["localTime", "timeZone", "date", "tags", "starred", "opening", "created", "modified"] {
                #expect("\(one[key] ?? "-")" == "\(other[key] ?? "-")", "\(key)")
            }
        }
        let copy = try #require(after.last?["id"] as? String)
        #expect(try second.diary("extract", copy, "0").output == device.diary("extract", id, "0").output)
        let again = second.folder + "/again.zip"
        #expect(try second.diary("export", "--format", "day-one", again).code == 0)
        #expect(try device.diary("import", "day-one", again).text.contains("0 added"), "it is known by its source")
        _ = try device.newEntry("Written here.")
        #expect(try device.diary("export", "--format", "day-one", again + "2").code == 0)
        let dry = try device.diary("import", "day-one", "--dry-run", again + "2")
        #expect(dry.text.contains("0 would be added") && dry.text.contains("3 there already"), "\(dry.text)")
        #expect(try device.diary("import", "day-one", again + "2").text.contains("0 added"), "and by its own name")
    }

    @Test func `an entry of another diary is taken once, whoever sends it`() throws {
        let device = try LiveDevice()
        try device.openDiary()
        let head = ImportedHead(
            source: "other:1", head: EntryHead(date: 1_600_000_000_000_000, timeZone: "Europe/Oslo"))
        let outcomes = try (0..<2).map { _ -> ImportOutcome? in
            // A client of its own each time, which has not asked what is there.
            let reply = try device.diaryConnection().ask(.importEntry(head), body: Array("once\n".utf8)).reply
            guard case .imported(let outcome) = reply else { return nil }
            return outcome
        }
        #expect(outcomes.map { $0?.change } == [.added, .unchanged] && outcomes[0]?.id == outcomes[1]?.id)
        #expect(try summaries(device).count == 1)
    }

    @Test func `photos of a folder come in by days, and get their small pictures in the background`() throws {
        let device = try LiveDevice()
        try device.openDiary()
        let folder = device.folder + "/photos"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in ["a", "b", "c"] {
            let photo = try makePhoto(device, name)
            try FileManager.default.moveItem(atPath: photo, toPath: folder + "/\(name).png")
        }
        try Data("no photo".utf8).write(to: URL(fileURLWithPath: folder + "/readme.txt"))
        #expect(try device.diary("import", "photos", folder).text.contains("1 added with 3 files"))
        let id = try #require(try summaries(device).first?["id"] as? String)
        var waiting = -1
        for _ in 0..<200 where waiting != 0 {
            let status = try JSONSerialization.jsonObject(with: device.diary("status", "--json").output)
            waiting = (status as? [String: Any])?["waitingPhotos"] as? Int ?? -1
            usleep(100_000)
        }
        #expect(try device.diary("import", "photos", folder).text.contains("0 added with 0 files, 1 there already"))
        let late = try makePhoto(device, "late")
        try FileManager.default.moveItem(atPath: late, toPath: folder + "/d.png")
        #expect(try device.diary("edit", id, input: "A day of photos.").code == 0)
        #expect(try device.diary("import", "photos", "--dry-run", folder).text.contains("1 with photos added"))
        #expect(try device.diary("import", "photos", folder).text.contains("1 file, 1 with photos added"))
        let shown = try device.diary("show", id, "--json").text
        #expect(shown.contains("d.png") && shown.contains("c.png") && shown.contains("A day of photos."))
        for number in ["0", "1", "2"] {
            let small = try device.diary("extract", id, number, "--size", "thumbnail").output
            #expect(small.starts(with: [0xFF, 0xD8, 0xFF]))
        }
    }

    @Test func `an export as Markdown and as pages has every entry and its photo`() throws {
        let device = try LiveDevice()
        try device.openDiary()
        let photo = try makePhoto(device, "harbour")
        _ = try device.newEntry("Boats & <rain>. ![](media:0)", "--photo", photo, "--date", "2024-02-29 14:05")
        _ = try device.newEntry("Second.")
        let markdown = device.folder + "/markdown"
        #expect(try device.diary("export", "--format", "markdown", markdown).code == 0)
        let files = FileManager.default.enumerator(atPath: markdown)?.compactMap { $0 as? String } ?? []
        #expect(files.filter { $0.hasSuffix(".md") }.count == 2 && files.contains { $0.hasSuffix(".png") })
        let pages = device.folder + "/pages"
        #expect(try device.diary("export", "--format", "html", pages).code == 0)
        let page = try String(contentsOfFile: pages + "/index.html", encoding: .utf8)
        #expect(page.contains("Boats &amp; &lt;rain&gt;") && !page.contains("<rain>"))
    }

    @Test(.enabled(if: MemoryClaims.areTested, MemoryClaims.reason))
    func `password and words are in no file, no log, and after a lock in no process`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        let markers = (0..<12).map { _ in "mrk" + Identifier.makeRandom().description.prefix(20) }
        let key = try device.openDiary("pass \(markers[0])")
        let photo = try makePhoto(device, markers[1])
        let id = try device.newEntry(
            "\(markers[2]) and \(markers[3])", "--photo", photo, "--tag", markers[4], "--place", "1,2", "--place-name",
            markers[5])
        try FileManager.default.removeItem(atPath: photo)
        #expect(try device.diary("search", markers[3]).code == 0)
        #expect(
            try device.diary(
                "password", "change", input: "pass \(markers[0])\npass \(markers[6])\npass \(markers[6])\n"
            ).code == 0)
        #expect(try device.diary("edit", id, input: "\(markers[7]) instead").code == 0)
        let status = try JSONSerialization.jsonObject(with: device.diary("status", "--json").output)
        let process = try #require((status as? [String: Any])?["process"] as? Int32)
        func found(_ process: Int32) throws -> [String] {
            try (markers + [key]).filter { marker in
                var unreadable = 0
                let bytes = Array(marker.utf8)
                let count = ct_count(process, bytes, bytes.count, &unreadable)
                guard count >= 0 else { throw LinuxError(call: "/proc/PID/mem", code: Int32(-count)) }
                return count > 0
            }
        }
        #expect(try found(process).contains(markers[7]), "the control: an open diary is in memory")
        #expect(try !found(process).contains(markers[0]) && !found(process).contains(markers[6]))
        #expect(try device.diary("lock").code == 0)
        let after = device.keeperAndWard("tresor-diary")
        #expect(after.count == 2 && !after.contains(process))
        let all = after + [device.daemon, try Int32(device.status().enclaveProcess)]
        for process in all { #expect(try found(process) == []) }
        let state = try device.state()
        for marker in markers + [key] { #expect(state.range(of: Data(marker.utf8)) == nil) }
    }
}
