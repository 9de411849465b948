package import Linux
import Localization
package import Widgets

/// A program of somebody's that provides widgets; specs/widget-program.md.
///
///     let program = try ExternalProgram(path: folder + "/weather", builtInKinds: kinds)
///     for widget in try program.describe() { try program.timeline(widget, in: widget.families, at: now) }
///
/// Every call starts the program anew and blocks.
package struct ExternalProgram: Sendable {
    /// Its file's name; every kind of its begins with it and a full stop.
    package let name: String
    private let runner: ProgramRunner

    /// - Parameters:
    ///   - path: absolute.
    ///   - builtInKinds: the kinds of our own widgets; a program may not be called as one of them begins.
    ///   - latest: when its last answer has to be there; milliseconds since the machine started.
    /// - Throws: `ProgramError.unfitFile` where somebody else could change the file, or its name can't begin
    ///   a kind.
    package init(path: String, builtInKinds: [String], until latest: UInt64 = .max) throws(ProgramError) {
        name = path.split(separator: "/").last.map(String.init) ?? ""
        try Self.checkName(name, builtInKinds: builtInKinds)
        try Self.checkFile(path)
        runner = ProgramRunner(path: path, until: latest)
    }

    /// The paths of the programs in a folder, by name; none where there is no such folder.
    ///
    /// Names that begin with a full stop and end with `~` are left out, as editors make them.
    ///
    /// - Throws: `LinuxError` where the folder is there and cannot be read.
    package static func paths(in folder: String) throws(LinuxError) -> [String] {
        guard try FileSystem.status(folder) != nil else { return [] }
        let names = try FileSystem.names(in: folder)
        return names.filter { !$0.hasPrefix(".") && !$0.hasSuffix("~") }.sorted().map { folder + "/" + $0 }
    }

    /// Its widgets, under their full kinds.
    package func describe() throws(ProgramError) -> [WidgetConfiguration] {
        let answer = try runner.run(ProgramRequest.describe.line)
        var configurations = try refused { () throws(ProgramRefusal) in try AnswerReader.description(answer) }
        for index in configurations.indices { configurations[index].kind = name + "." + configurations[index].kind }
        return configurations
    }

    /// What one of its widgets shows from now on.
    ///
    /// - Parameters:
    ///   - widget: as ``describe()`` gives it.
    ///   - families: the sizes that are shown.
    ///   - now: the time; the program is told whole seconds.
    /// - Throws: `ProgramError.failed` where it says that it has nothing.
    package func timeline(
        _ widget: WidgetConfiguration, in families: [WidgetFamily], at now: Moment
    ) throws(ProgramError) -> TimelineArchive {
        let seconds = Moment(seconds: max(now.microseconds, 0) / 1_000_000)
        let request = ProgramRequest.timeline(kind: ownKind(widget), families: families, now: seconds)
        let answer = try runner.run(request.line)
        let result = try refused { () throws(ProgramRefusal) in
            try AnswerReader.timeline(answer, families: widget.families, wanted: families)
        }
        switch result {
        case .success(let archive): return archive
        case .failure(let failure): throw .failed(failure)
        }
    }

    /// What stands where one of its widgets may show nothing, in each of its sizes.
    ///
    /// It is to be asked for and kept when the program is found: before the first unlock no provider runs.
    ///
    /// - Parameter widget: as ``describe()`` gives it.
    package func placeholders(
        of widget: WidgetConfiguration
    ) throws(ProgramError) -> [(family: WidgetFamily, view: Node)] {
        let answer = try runner.run(ProgramRequest.placeholder(kind: ownKind(widget)).line)
        return try refused { () throws(ProgramRefusal) in
            try AnswerReader.placeholders(answer, families: widget.families)
        }
    }

    /// The kind as the program says it.
    private func ownKind(_ widget: WidgetConfiguration) -> String {
        let prefix = name + "."
        return widget.kind.hasPrefix(prefix) ? String(widget.kind.dropFirst(prefix.count)) : widget.kind
    }

    private func refused<Answer>(_ read: () throws(ProgramRefusal) -> Answer) throws(ProgramError) -> Answer {
        do throws(ProgramRefusal) { return try read() } catch { throw .refused(error) }
    }
}

// What may be started at all.
extension ExternalProgram {
    /// Kinds of ours that may come begin like this.
    private static let reserved = [
        "tresor", "notes", "diary", "keychain", "lock", "codes", "passwords", "device", "system",
    ]

    private static func checkName(_ name: String, builtInKinds: [String]) throws(ProgramError) {
        guard WidgetConfiguration.isKind(name), !name.contains("."), name.utf8.count <= ProgramLimit.nameBytes else {
            throw .unfitFile(
                localized("its file's name has to have 1 to \(ProgramLimit.nameBytes) letters, digits and “-”"))
        }
        let taken = reserved + builtInKinds.compactMap { $0.split(separator: ".").first.map(String.init) }
        guard !taken.contains(where: { $0.lowercased() == name.lowercased() }) else {
            throw .unfitFile(localized("its file's name is how kinds of Tresor's own widgets begin: rename it"))
        }
    }

    private static func checkFile(_ path: String) throws(ProgramError) {
        guard path.hasPrefix("/") else { throw .unfitFile(localized("its path has to be absolute")) }
        for place in [FileSystem.directory(of: path), path] {
            let status = try? FileSystem.status(place)
            guard let status else { throw .notStarted(code: LinuxError.Code.missing) }
            guard place != path || status.isRegular else {
                throw .unfitFile(localized("is no file; links are not followed"))
            }
            guard status.owner == CurrentProcess.user || status.owner == 0, status.mode & 0o022 == 0 else {
                throw .unfitFile(localized("it or its folder belongs to somebody else, or others may write to it"))
            }
        }
    }
}
