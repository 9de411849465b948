import KeychainFormats
import Linux
import Localization
import Secrets
import TerminalScreen
import Tresor
import Wire

/// Reads an export into locked memory.
enum ImportInput {
    static let limit = 64 * 1024 * 1024

    /// - Parameter format: nil for CSV.
    static func plan(_ bytes: consuming SecretBytes, _ format: KeychainFormat?) throws -> CSVImport {
        do {
            if let format { return try format.read(bytes) }
            return try CSVImport(bytes)
        } catch let error as KeychainFormatError {
            throw Failure(
                error.isDamage ? Wire.ExitCode.damaged : Wire.ExitCode.usage,
                localized("\(error); nothing was written"), hint: error.advice)
        } catch let error as CSVError {
            throw Failure(
                Wire.ExitCode.usage, localized("\(error); nothing was written"),
                hint: localized("the first line has to be the header that the export wrote, in UTF-8"))
        }
    }

    static func read(_ file: String) throws -> SecretBytes {
        if file == "-" {
            guard !Terminal.isTerminal(0) else {
                throw Failure(
                    Wire.ExitCode.usage, localized("the terminal would show what is typed; give a file, or pipe it in"))
            }
            return try read(descriptor: 0, file)
        }
        do {
            // 0 is O_RDONLY: a link is followed here, as in <(command).
            let opened = try FileDescriptor.open(file, 0)
            return try read(descriptor: opened.raw, file)
        } catch let error as LinuxError {
            throw Failure(Wire.ExitCode.usage, localized("the export cannot be read: \(error)"))
        }
    }

    private static func read(descriptor: Int32, _ file: String) throws -> SecretBytes {
        do {
            return SecretBytes(try SecretInput.readAll(descriptor, limit: limit))
        } catch let error as LinuxError where error.isTooLarge {
            throw Failure(Wire.ExitCode.usage, localized("the file is larger than 64 MiB; nothing was written"))
        } catch let error as LinuxError where error.isOutOfLockedMemory {
            throw SecretMemoryError()
        }
    }
}

extension LinuxError {
    /// ENOMEM, which is what locked memory throws when the kernel grants no more.
    fileprivate var isOutOfLockedMemory: Bool { code == 12 }
}
