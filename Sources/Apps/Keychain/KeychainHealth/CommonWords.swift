/// Words that stand at the top of every published list of stolen passwords, and those that people put a year behind.
///
/// Short on purpose: it is no dictionary, but what is tried in the first second.
enum CommonWords {
    /// In lower case.
    static let all: [[UInt8]] = words.split(whereSeparator: { $0 == " " || $0 == "\n" }).map { Array($0.utf8) }

    private static let words = """
        password passwort passw pass kennwort motdepasse contrasena senha parola secret geheim login logon welcome \
        willkommen bienvenue hello hallo letmein open admin administrator root user guest test testing default \
        changeme change access master super superman batman spiderman pokemon starwars trustno matrix ninja dragon \
        monkey tiger lion eagle falcon shadow angel devil princess prinzessin sunshine sonnenschein flower iloveyou \
        love lover liebe schatz baby honey football fussball soccer baseball basketball hockey golf liverpool chelsea \
        arsenal barcelona bayern ferrari porsche mercedes harley yamaha computer internet samsung apple google \
        windows linux server system network wireless router cisco oracle qwerty qwertz azerty asdf asdfgh zxcvbn \
        abc abcd abcdef world welt summer sommer winter spring autumn fall fruehling herbst january february march \
        april june july august september october november december januar februar maerz juni juli oktober dezember \
        monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag \
        sonntag michael daniel thomas andrew joshua jessica jennifer ashley charlie jordan robert george matthew \
        the my new pw pwd
        """
}
