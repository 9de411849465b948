import Localization
import Wire

/// What a device has that its owner sets up once; `tresor doctor` names the one command for what is missing.
struct SetupState: Encodable {
    /// Nil where systemd has no instance for this user, so that nothing could start it.
    let startsByItself: Bool?
    /// Nil where the device does not say.
    let isPasscodeSet: Bool?

    private enum CodingKeys: String, CodingKey {
        case startsByItself
        case isPasscodeSet = "passcodeSet"
    }

    /// How things stand in a home.
    ///
    /// - Parameter isPasscodeSet: nil where the device does not say.
    static func current(_ home: Home, isPasscodeSet: Bool?) -> SetupState {
        SetupState(startsByItself: UserService.current()?.starts(home), isPasscodeSet: isPasscodeSet)
    }

    /// What plain `doctor` says of the start.
    var startLine: String {
        switch startsByItself {
        case true?: localized("starts       by itself")
        case false?: localized("starts       by hand; 'tresor service enable' has it start by itself")
        case nil: localized("starts       by hand, with 'tresor up': systemd has no instance for this user here")
        }
    }

    /// What it says of the passcode; nil where that is not known.
    var passcodeLine: String? {
        isPasscodeSet.map {
            $0 ? localized("passcode     set") : localized("passcode     none; 'tresor passcode set' sets one")
        }
    }
}
