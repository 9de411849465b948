import Foundation

/// What a page shows of the command line: commands, and what they print.
enum ConsoleLines {
    struct Step: Equatable {
        let line: Int
        let command: String
        var output: [String]
    }

    /// The commands of fenced code: `$ …`, and in blocks of `console` also lines that begin with `tresor `.
    ///
    /// - Parameter onlyConsole: whether blocks of another name, or of none, are left out.
    static func steps(in text: String, onlyConsole: Bool = false) -> [Step] {
        var steps: [Step] = []
        var fence: String?
        var goesOn = false
        for (number, line) in text.components(separatedBy: "\n").enumerated() {
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            if trimmed.hasPrefix("```") {
                fence = fence == nil ? String(trimmed.dropFirst(3)) : nil
                goesOn = false
                continue
            }
            guard let fence, !onlyConsole || fence == "console" else { continue }
            let isCommand = trimmed.hasPrefix("$ ") || (fence == "console" && trimmed.hasPrefix("tresor "))
            let command = trimmed.hasPrefix("$ ") ? String(trimmed.dropFirst(2)) : trimmed
            if let last = steps.last, goesOn {
                steps[steps.count - 1] = Step(
                    line: last.line, command: String(last.command.dropLast()) + trimmed, output: [])
                goesOn = trimmed.hasSuffix("\\")
            } else if isCommand {
                steps.append(Step(line: number + 1, command: command, output: []))
                goesOn = command.hasSuffix("\\")
            } else if !steps.isEmpty {
                steps[steps.count - 1].output.append(line)
            }
        }
        return steps
    }

    /// Commands in backticks, outside of fenced code.
    static func inProse(_ text: String) -> [Step] {
        var isCode = false
        var found: [Step] = []
        for (number, line) in text.components(separatedBy: "\n").enumerated() {
            if line.trimmingCharacters(in: .whitespaces).hasPrefix("```") { isCode.toggle() }
            guard !isCode else { continue }
            found += line.matches(of: #/`(tresor [^`]+)`/#).map { match in
                // In a table a bar is written with a backslash before it.
                let command = String(match.output.1).replacingOccurrences(of: "\\|", with: "|")
                return Step(line: number + 1, command: command, output: [])
            }
        }
        return found
    }

    /// Whether a command has said what a page shows; an ellipsis there stands for anything.
    static func said(_ text: String, as shown: [String]) -> Bool {
        let said = text.trimmingCharacters(in: .newlines)
        var parts = shown.joined(separator: "\n").trimmingCharacters(in: .newlines).components(separatedBy: "…")
        let start = parts.removeFirst()
        guard let end = parts.popLast() else { return said == start }
        guard said.hasPrefix(start) else { return false }
        var rest = said.dropFirst(start.count)
        for part in parts {
            guard let found = rest.range(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.hasSuffix(end)
    }

    /// The commands of a line of a shell, each as its words, without what is sent where.
    static func commands(in line: String) -> [[String]] {
        var commands: [[String]] = [[]]
        var word: String?
        var quote: Character?
        var isTarget = false
        func end() {
            guard let ended = word else { return }
            if isTarget { isTarget = false } else { commands[commands.count - 1].append(ended) }
            word = nil
        }
        for sign in line {
            if let open = quote {
                if sign == open { quote = nil } else { word = (word ?? "") + String(sign) }
                continue
            }
            if sign == "#", word == nil { break }
            switch sign {
            case "'", "\"":
                quote = sign
                word = word ?? ""
            case "|", ";", "&", "(", ")":
                end()
                isTarget = sign == "&" && isTarget
                commands.append([])
            case "<", ">":
                // The number of a descriptor is no word of the command.
                if word?.allSatisfy(\.isNumber) == true { word = nil }
                end()
                isTarget = true
            case " ": end()
            default: word = (word ?? "") + String(sign)
            }
        }
        end()
        return commands.filter { !$0.isEmpty }
    }
}
