public import Protection

/// What may be drawn of a widget, and why not more: the one place where lock state, class, placement and settings meet.
///
/// The rules are Apple's as documented, and three that are stricter: nothing is asked of a provider whose class is
/// shut, protected widgets go to no other device, and before the first unlock everything counts as seen by strangers
/// (docs/decisions/0026).
public enum Resolution: Equatable, Sendable {
    /// Not offered at this placement.
    case unavailable
    /// The placeholder, all of it masked.
    case placeholder
    /// The timeline's entry, for these reasons redacted.
    case content(RedactionReasons)

    /// Everything that it depends on.
    public struct Input: Equatable, Sendable {
        /// The widget's kind, for the settings.
        public var kind: String
        /// When what it shows can be read.
        public var protection: WidgetProtection
        /// Of the device whose data it is.
        public var lock: LockState
        /// Of the device that shows it; the same unless the placement is remote.
        public var showingLock: LockState
        /// Without a passcode nothing is ever locked.
        public var hasPasscode: Bool
        /// Where.
        public var placement: WidgetPlacement
        /// Whether the display is an always-on one, dimmed now.
        public var isLuminanceReduced: Bool
        /// What the owner chose.
        public var settings: WidgetSettings
        /// Whether the provider is being asked for something newer.
        public var isUpdating: Bool
        /// Whether the provider has ever answered.
        public var hasTimeline: Bool

        /// A widget of an unlocked device, where anybody sees it once it is locked; set what is different.
        public init(kind: String, protection: WidgetProtection) {
            self.kind = kind
            self.protection = protection
            lock = .unlocked
            showingLock = .unlocked
            hasPasscode = true
            placement = .lockScreen
            isLuminanceReduced = false
            settings = WidgetSettings()
            isUpdating = false
            hasTimeline = true
        }
    }

    /// - Parameter input: everything that it depends on.
    public init(_ input: Input) {
        // 1. Nothing can be locked where no passcode is set.
        let protection = input.hasPasscode ? input.protection : .none
        let lock = input.hasPasscode ? input.lock : .unlocked
        // 2. What is protected as a whole stays on its device.
        if input.placement == .remote && protection.isWhole { self = .unavailable; return }
        // 3. and 4. The class is shut, or there is nothing yet.
        guard Self.isOpen(protection, lock), input.hasTimeline else { self = .placeholder; return }
        // 5. Who may look?
        var reasons: RedactionReasons = []
        if Self.isSeenByOthers(input, lock) { reasons.insert(.privacy) }
        if input.isLuminanceReduced && input.settings[input.placement].contains(input.kind) {
            reasons.insert(.privacy)
        }
        if input.isUpdating { reasons.insert(.invalidated) }
        self = .content(reasons)
    }

    /// Whether what is sealed may be opened for this drawing.
    public var opensSealed: Bool {
        guard case .content(let reasons) = self else { return false }
        return !reasons.contains(.privacy)
    }

    /// Whether the provider's answer may be used at all.
    public var showsEntry: Bool {
        if case .content = self { return true }
        return false
    }

    /// The reasons that hold for the whole widget.
    public var reasons: RedactionReasons {
        switch self {
        case .unavailable, .placeholder: .placeholder
        case .content(let reasons): reasons
        }
    }

    private static func isOpen(_ protection: WidgetProtection, _ lock: LockState) -> Bool {
        switch protection {
        case .none: true
        case .completeUntilFirstUserAuthentication: lock != .beforeFirstUnlock
        case .complete, .completeUnlessOpen: lock == .unlocked
        }
    }

    private static func isSeenByOthers(_ input: Input, _ lock: LockState) -> Bool {
        guard !input.settings.allowsAccessWhenLocked else { return false }
        if lock == .beforeFirstUnlock { return true }
        switch input.placement {
        case .desktop: return false
        case .lockScreen: return lock != .unlocked
        case .remote: return input.showingLock != .unlocked
        }
    }
}

extension WidgetProtection {
    /// Whether the widget as a whole is shut while the device is locked.
    public var isWhole: Bool { self == .complete || self == .completeUnlessOpen }
}
