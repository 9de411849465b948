import Localization
import Protection

extension LockState {
    /// As a person reads it; its name is what JSON has.
    var words: String {
        switch self {
        case .beforeFirstUnlock: localized("before first unlock")
        case .locked: localized("locked")
        case .unlocked: localized("unlocked")
        }
    }
}

extension PasscodeStrength {
    /// `40 minutes`, `5.5 years`, `longer than the universe is old`, in the language of whoever reads it.
    static func words(seconds: Double) -> String {
        let english = describe(seconds: seconds)
        let parts = english.split(separator: " ").map(String.init)
        guard parts.count == 2, Double(parts[0]) != nil else {
            switch english {
            case "longer than the universe is old": return localized("longer than the universe is old")
            case "millions of years and more": return localized("millions of years and more")
            default: return english
            }
        }
        let digits = parts[0].split(separator: ".")
        let amount = digits.count == 2 ? localized("\(digits[0]).\(digits[1])") : parts[0]
        let number = parts[0] == "1" ? 1 : 2
        switch parts[1].prefix(3) {
        case "sec": return localized(number, one: "\(amount) second", many: "\(amount) seconds")
        case "min": return localized(number, one: "\(amount) minute", many: "\(amount) minutes")
        case "hou": return localized(number, one: "\(amount) hour", many: "\(amount) hours")
        case "day": return localized(number, one: "\(amount) day", many: "\(amount) days")
        case "yea": return localized(number, one: "\(amount) year", many: "\(amount) years")
        default: return english
        }
    }
}
