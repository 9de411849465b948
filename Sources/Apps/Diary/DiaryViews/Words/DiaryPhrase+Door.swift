/// The diary's door: choosing a password, signing in, the lock screen.
extension DiaryPhrase {
    /// The name over every screen.
    package static let title = DiaryPhrase(
        "Tagebuch",
        "Diary",
        "Journal intime",
        "Dagbok")

    /// The two passwords of a registration differ.
    package static let passwordsDiffer = DiaryPhrase(
        "Passwörter stimmen nicht überein! Bitte erneut versuchen!",
        "The passwords do not match! Please try again!",
        "Les mots de passe ne correspondent pas\u{a0}! Veuillez réessayer\u{a0}!",
        "Passordene stemmer ikke overens! Prøv igjen!")

    /// The password was wrong; nothing more is said.
    package static let signInFailed = DiaryPhrase(
        "Anmeldung fehlgeschlagen",
        "Sign-in failed",
        "Échec de la connexion",
        "Innloggingen mislyktes")

    /// The prompt of the door.
    package static let password = DiaryPhrase(
        "Passwort",
        "Password",
        "Mot de passe",
        "Passord")

    /// The second prompt of a registration.
    package static let repeatPassword = DiaryPhrase(
        "Passwort wiederholen",
        "Repeat password",
        "Répéter le mot de passe",
        "Gjenta passordet")

    /// The prompt where the password is changed.
    package static let newPassword = DiaryPhrase(
        "Neues Passwort",
        "New password",
        "Nouveau mot de passe",
        "Nytt passord")

    /// Over the first start's two fields.
    package static let registerTitle = DiaryPhrase(
        "Passwort festlegen",
        "Choose a password",
        "Choisir un mot de passe",
        "Velg et passord")

    /// Below the first start's two fields.
    package static let registerAdvice = DiaryPhrase(
        "Ohne dieses Passwort öffnet sich das Tagebuch nicht.",
        "Without this password the diary does not open.",
        "Sans ce mot de passe, le journal ne s’ouvre pas.",
        "Uten dette passordet åpnes ikke dagboken.")

    /// Registering does not sign in.
    package static let registered = DiaryPhrase(
        "Passwort festgelegt. Bitte jetzt anmelden.",
        "Password set. Please sign in now.",
        "Mot de passe enregistré. Veuillez vous connecter.",
        "Passordet er satt. Logg inn nå.")

    /// The lock screen's line; it says nothing of what is behind it.
    package static let locked = DiaryPhrase(
        "Das Tagebuch ist gesperrt.",
        "The diary is locked.",
        "Le journal est verrouillé.",
        "Dagboken er låst.")

    /// Below the lock screen's line.
    package static let unlockKey = DiaryPhrase(
        "Eingabe: entsperren",
        "Enter: unlock",
        "Entrée\u{a0}: déverrouiller",
        "Enter: lås opp")
}
