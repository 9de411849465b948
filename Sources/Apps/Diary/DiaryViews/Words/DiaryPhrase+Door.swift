import Localization

/// The diary's door: choosing a password, signing in, the lock screen.
extension DiaryPhrase {
    /// The name over every screen.
    package static let title = DiaryPhrase("Diary")

    /// The two passwords of a registration differ.
    package static let passwordsDiffer = DiaryPhrase("The passwords do not match! Please try again!")

    /// The password was wrong; nothing more is said.
    package static let signInFailed = DiaryPhrase("Sign-in failed")

    /// The prompt of the door.
    package static let password = DiaryPhrase("Password")

    /// The second prompt of a registration.
    package static let repeatPassword = DiaryPhrase("Repeat password")

    /// The prompt where the password is changed.
    package static let newPassword = DiaryPhrase("New password")

    /// Over the first start's two fields.
    package static let registerTitle = DiaryPhrase("Choose a password")

    /// Below the first start's two fields.
    package static let registerAdvice = DiaryPhrase("Without this password the diary does not open.")

    /// Registering does not sign in.
    package static let registered = DiaryPhrase("Password set. Please sign in now.")

    /// The lock screen's line; it says nothing of what is behind it.
    package static let locked = DiaryPhrase("The diary is locked.")

    /// Below the lock screen's line.
    package static let unlockKey = DiaryPhrase("Enter: unlock")
}
