/// What `?` shows.
enum Help {
    static let lines = [
        " j k ↑ ↓        next and previous; g G first and last",
        " Tab Shift+Tab  the next kind, the one before",
        " K              the next keychain; System and System Roots are read-only",
        " /              search in label, account, service",
        " Enter          all of an item but its secret",
        " Esc            back; in the list: end the search",
        " r              reveal the secret for 30 seconds",
        " y              copy the secret for 45 seconds",
        " d              delete, after a question",
        " Ctrl+R         read everything anew",
        " Ctrl+Z         suspend",
        " q              quit",
        "",
        " Readable says when an item can be read:",
        " unlocked    while the device is unlocked",
        " 1st unlock  from the first unlock on",
        " always      also while it is locked",
        " passcode    as long as a passcode is set",
        " *           on this device only",
    ]
}
