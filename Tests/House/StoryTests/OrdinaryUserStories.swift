import CTestSupport
import Conformance
import Foundation
import Glibc
import Linux
import Secrets
import Testing
import Wire

/// What a hostile program of the same account, and of another one, can do at most; nobody here is root.
@Suite(.serialized, .enabled(if: OrdinaryUser.isThere, "needs root, setpriv and python3"))
struct OrdinaryUserStories {
    /// Starts a resident program, opens its memory as often as the kernel lets it, and keeps the last of that; says when
    /// it has opened it first.
    ///
    /// Once a file is there it looks for the word in that, wherever it may read.
    private static let keeper = """
        import os, subprocess, sys, time
        program, home, go = sys.argv[1:4]
        kept, best = [], None
        child = subprocess.Popen([program], env={"TRESOR_HOME": home, "PATH": "/usr/bin:/bin"},
                                 stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.time() + 60
        while time.time() < end:
            try:
                fd = os.open(f"/proc/{child.pid}/mem", os.O_RDONLY)
                try: maps = open(f"/proc/{child.pid}/maps").read()
                except OSError: maps = ""
                if "tresor-" in maps:
                    if best: os.close(best[0])
                    else: print("there", flush=True)
                    best = (fd, maps)
                else: os.close(fd)
            except OSError:
                if best: break
        print("kept", best is not None, flush=True)
        def found(word):
            fd, maps = best; count = 0; bytes_read = 0
            spans = []
            for line in maps.splitlines():
                left, right = line.split()[0].split("-")
                if int(right, 16) >= 1 << 47: continue
                spans.append((int(left, 16), int(right, 16)))
                if "[heap]" in line: spans.append((int(right, 16), int(right, 16) + (64 << 20)))
            # Between what was mapped then lies what was mapped later.
            low = min(s for s, e in spans if s > 1 << 40); high = max(e for s, e in spans if e < 1 << 47)
            spans += [(max(low, high - (256 << 20)), high)]
            for start, stop in spans:
                at = start
                while at < stop:
                    try: part = os.pread(fd, min(1 << 20, stop - at) , at)
                    except OSError: part = b""
                    if not part: at += 4096; continue
                    bytes_read += len(part); count += part.count(word); at += len(part)
            return count, bytes_read
        while not os.path.exists(go): time.sleep(0.02)
        count, total = found(open(go, "rb").read().strip())
        print("found", count, "read", total > 0, flush=True)
        opened = 0
        for number in filter(str.isdigit, os.listdir("/proc")):
            try:
                if open(f"/proc/{number}/comm").read().strip() != os.path.basename(program)[:15]: continue
                os.open(f"/proc/{number}/mem", os.O_RDONLY); opened += 1
            except OSError: pass
        print("opened", opened, flush=True)
        """

    @Test(arguments: ["tresor-notes", "tresor-diary", "tresor-widgets"])
    func `who opened a program's memory before it hid reads nothing of what it holds later`(program: String) throws {
        let user = try OrdinaryUser()
        try user.start()
        let go = user.folder + "/go"
        // A program hides once tresord has looked at it: until the attacker has got there, nobody looks.
        let daemon = wards("tresord", user)
        for process in daemon { #expect(kill(process, SIGSTOP) == 0) }
        defer { for process in daemon { kill(process, SIGCONT) } }
        let attacker = try user.script(Self.keeper, user.programs + "/" + program, user.home, go)
        #expect(attacker.line("there") != nil && !daemon.isEmpty, "the control: it was there in time")
        for process in daemon { kill(process, SIGCONT) }
        #expect(attacker.line("kept")?.hasSuffix("True") == true, "the control: it has it still")
        let word = "mrk" + Identifier.makeRandom().description.prefix(20)
        try write(String(word), to: program, user)
        #expect(wards(program, user).contains { isIn($0, String(word)) }, "the control: somebody holds it")
        try Data(word.utf8).write(to: URL(fileURLWithPath: go + ".new"))
        chmod(go + ".new", 0o644)
        rename(go + ".new", go)
        #expect(attacker.line("found") == "found 0 read True", "\(attacker.text)")
        #expect(attacker.line("opened") == "opened 0", "nor is any of them to be opened now")
    }

    /// Has a program hold a word: as a note's title, an entry, or a title that a widget shows.
    private func write(_ word: String, to program: String, _ user: OrdinaryUser) throws {
        switch program {
        case "tresor-diary":
            #expect(try user.run("tresor", "diary", "register", input: "a blue door\na blue door\n").code == 0)
            #expect(try user.run("tresor", "diary", "sign-in", input: "a blue door\n").code == 0)
            #expect(try user.run("tresor", "diary", "add", input: "\(word) was here\n").code == 0)
        default: #expect(try user.run("tresor", "notes", "new", input: "# \(word)\n\ntext \(word)\n").code == 0)
        }
        guard program == "tresor-widgets" else { return }
        let shown = try user.run("tresor", "widget", "render", "notes.recent")
        #expect(shown.text.contains(word), "\(shown.text)")
    }

    private func wards(_ program: String, _ user: OrdinaryUser) -> [Int32] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.compactMap { Int32($0) }.filter { id in
            (try? FileSystem.target(ofLink: "/proc/\(id)/exe")) == user.programs + "/" + program
        }
    }

    private func isIn(_ process: Int32, _ word: String) -> Bool {
        var unreadable = 0
        let bytes = Array(word.utf8)
        return ct_count(process, bytes, bytes.count, &unreadable) > 0
    }

    /// Says who tresord takes it for, hidden as tresor-pages is.
    private static let impostor = """
        #!/usr/bin/python3
        import ctypes, os, socket, struct, sys
        ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
        s = socket.socket(socket.AF_UNIX); s.connect(os.environ["TRESOR_HOME"] + "/tresord.sock"); s.settimeout(5)
        def ask(opcode):
            payload = bytes([1]) + struct.pack(">I", 1) + bytes([opcode])
            s.sendall(struct.pack(">I", len(payload)) + payload)
            size = struct.unpack(">I", s.recv(4, socket.MSG_WAITALL))[0]
            return s.recv(size, socket.MSG_WAITALL)
        print("answer", ask(24), flush=True)
        """

    @Test func `the program that serves pages is nobody to tresord, whoever started it`() throws {
        let user = try OrdinaryUser(without: ["tresor-pages"])
        let path = user.programs + "/tresor-pages"
        try Data(Self.impostor.utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o755)
        try user.start()
        let served = try user.run("tresor", "widget", "serve", "--port", "0")
        #expect(served.text.contains("answer"), "\(served.text)")
        #expect(!served.text.contains("tresor"), "\(served.text)")
    }

    /// Many connections that each send the beginning of something, anew when they are closed; says when they are there.
    private static let crowd = """
        import os, socket, sys, time
        place, count, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
        there, refused = [], 0
        halves = [b"", b"\\0", b"\\0\\x0f\\xff\\xff" + b"\\1\\1" + b"x" * 4000, b"\\0\\0\\0\\x20" + b"\\1\\1"]
        end = time.time() + seconds; said = False; number = 0
        while time.time() < end:
            while len(there) < count:
                s = socket.socket(socket.AF_UNIX if "/" in place else socket.AF_INET); s.settimeout(2)
                try:
                    s.connect(place if "/" in place else ("127.0.0.1", int(place)))
                    s.send(halves[number % 4] if "/" in place else b"GET / HT"[: number % 8]); s.setblocking(False)
                    there.append(s)
                except OSError: refused += 1; break
                number += 1
            if not said: said = True; print("there", flush=True)
            for s in list(there):
                try:
                    if not s.recv(1): there.remove(s); s.close()
                except BlockingIOError: pass
                except OSError: there.remove(s); s.close()
            time.sleep(0.02)
        print("end", number, flush=True)
        """

    @Test(arguments: [
        ("tresor-notes", "tresor-notes.sock", ["notes", "list"]),
        ("tresor-diary", "tresor-diary.sock", ["diary", "status"]),
        ("tresor-widgets", "widgets.sock", ["widget", "render", "device.lock"]),
    ])
    func `connections without number, silent or half a frame long, keep no command out, and leave no memory behind`(
        program: String, socket: String, command: [String]
    ) throws {
        let user = try OrdinaryUser()
        try user.start()
        let output = user.folder + "/asked"
        func ask() throws -> Int32 {
            let process = try user.begin(user.programs + "/tresor", command, output: output)
            process.waitUntilExit()
            return process.terminationStatus
        }
        #expect(try ask() == 0)
        let ward = try #require(wards(program, user).max())
        let before = try ProcessUsage(of: ward).residentBytes
        let crowds = try [40, 400, 40].map {
            try user.script(Self.crowd, user.home + "/" + socket, "\($0)", "12")
        }
        for crowd in crowds { #expect(crowd.line("there") != nil, "\(crowd.text)") }
        var slowest = 0.0
        for _ in 0..<12 {
            let start = SystemClock.monotonicNanoseconds()
            #expect(try ask() == 0)
            slowest = max(slowest, Double(SystemClock.monotonicNanoseconds() - start) / 1e9)
            usleep(300_000)
        }
        print("\(program): the slowest command among 480 connections took \(slowest) s")
        #expect(slowest < 8)
        for crowd in crowds { #expect(crowd.line("end") != nil, "\(crowd.text)") }
        #expect(try ask() == 0)
        #expect(wards(program, user).contains(ward), "the same process goes on")
        let after = try ProcessUsage(of: ward).residentBytes
        #expect(after < before + 16 << 20, "\(before) before, \(after) after")
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(ward)/fd").count
        #expect(open < 40, "\(open) descriptors")
    }

    @Test func `slow connections of another user keep nobody from a page, now and afterwards`() throws {
        let user = try OrdinaryUser()
        try user.start()
        let output = user.folder + "/served"
        let server = try user.begin(user.programs + "/tresor", ["widget", "serve", "--port", "0"], output: output)
        defer {
            server.terminate()
            server.waitUntilExit()
        }
        var port = ""
        for _ in 0..<500 where port.isEmpty {
            let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
            let lines = text.components(separatedBy: "\n").dropLast()
            port = lines.first.flatMap { $0.split(separator: ":").last }.map(String.init) ?? ""
            usleep(20_000)
        }
        #expect(UInt16(port) != nil)
        let ask = """
            import socket, sys, time
            s = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5)
            time.sleep(0.3)  # On a busy machine a program is slow between the two.
            s.sendall(b"GET / HTTP/1.1\\r\\nHost: localhost:%s\\r\\n\\r\\n" % sys.argv[1].encode())
            print("got", s.recv(12).decode(), flush=True)
            """
        let crowd = try user.script(Self.crowd, port, "200", "14", as: 64_322)
        #expect(crowd.line("there") != nil)
        for _ in 0..<6 {
            let page = try user.script(ask, port)
            #expect(page.line("got", seconds: 8) == "got HTTP/1.1 404", "\(page.text)")
            sleep(1)
        }
        #expect(crowd.line("end") != nil)
        sleep(2)
        #expect(try user.script(ask, port).line("got", seconds: 8) == "got HTTP/1.1 404")
    }

    @Test func `a note goes to another editor in a folder that was made for it, whatever others have put in its place`()
        throws
    {
        let user = try OrdinaryUser()
        try user.start()
        let made = try user.run("tresor", "notes", "new", input: "before\n")
        let id = made.text.trimmingCharacters(in: .whitespacesAndNewlines)
        // Where the folder lay before, for whatever number the command gets: 20,000 of them, and open to all.
        let trap = """
            import os, sys
            os.umask(0); own = os.getpid(); paths = [f"/dev/shm/tresor-edit-{n}" for n in range(own, own + 20000)]
            for path in paths: os.mkdir(path, 0o777)
            print("there", flush=True); sys.stdin.read()
            import time
            while not os.path.exists(sys.argv[1]): time.sleep(0.05)
            got = [path for path in paths if os.listdir(path)]
            for path in paths:
                for name in os.listdir(path):
                    try: os.unlink(path + "/" + name)
                    except OSError: pass
                try: os.rmdir(path)
                except OSError: pass
            print("got", got, flush=True)
            """
        let go = user.folder + "/go"
        let attacker = try user.script(trap, go, as: 64_322)
        #expect(attacker.line("there") != nil)
        let editor = user.folder + "/editor"
        try Data("#!/bin/sh\nstat -c '%a %u %n' \"${1%/*}\" \"$1\"\nls -l /proc/self/fd\necho after > \"$1\"\n".utf8)
            .write(to: URL(fileURLWithPath: editor))
        chmod(editor, 0o755)
        let process = try user.begin(
            "/usr/bin/env", ["EDITOR=" + editor, user.programs + "/tresor", "notes", "edit", "--editor", id],
            output: user.folder + "/edited")
        process.waitUntilExit()
        let lines = try String(contentsOfFile: user.folder + "/edited", encoding: .utf8).split(separator: "\n")
        #expect(process.terminationStatus == 0, "\(lines)")
        #expect(!lines.contains { $0.contains("socket:") }, "it inherits no connection: \(lines)")
        let folder = try #require(lines.first { $0.hasPrefix("700 \(user.id) /dev/shm/tresor-edit-") })
        #expect(lines.contains { $0.hasPrefix("600 \(user.id) /dev/shm/tresor-edit-") })
        let path = String(folder.split(separator: " ")[2])
        #expect(path.count > "/dev/shm/tresor-edit-".count + 30)
        #expect(!FileManager.default.fileExists(atPath: path), "nothing is left of it")
        #expect(try user.run("tresor", "notes", "show", id).text == "after\n")
        _ = FileManager.default.createFile(atPath: go, contents: nil)
        #expect(attacker.line("got") == "got []", "\(attacker.text)")
    }
}
