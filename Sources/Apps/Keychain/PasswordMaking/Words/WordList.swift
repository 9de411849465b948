import Secrets

/// 7,776 English words of three to nine letters `a` to `z`, none of which begins another.
///
/// Source: the large word list of the Electronic Frontier Foundation for dice (eff.org/dice, "EFF's New Wordlists for
/// Random Passphrases", 2016, by Joseph Bonneau), under CC BY 3.0 US, which leaves out what is vulgar, rare, long or
/// hard to spell; as Debian's diceware 0.10-2 has it. Changed: the hyphens of three words are left out, and *yo-yo*,
/// beside which *yoyo* stands, has become *yolk*. packaging/word_list.py does that.
enum WordList {
    private static let text = Array((WordsFromA.text + " " + WordsFromM.text).utf8)

    /// Where each word lies in the text.
    private static let places: [Range<Int>] = {
        var places: [Range<Int>] = []
        var start = 0
        for (place, byte) in text.enumerated() where byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") {
            places.append(start..<place)
            start = place + 1
        }
        places.append(start..<text.count)
        return places
    }()

    static var count: Int { places.count }

    /// Copies a word, letter by letter: which one it is must be in no array.
    static func append(_ number: Int, to buffer: inout SecretBuffer) throws(SecretMemoryError) {
        for place in places[number] { try buffer.append(byte: text[place]) }
    }
}
