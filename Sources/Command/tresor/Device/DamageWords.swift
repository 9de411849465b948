import Localization
import ResidentClient
import TerminalScreen

extension FoundDamage {
    /// As a person reads it.
    var words: String {
        let name = title.map { " \"\(SafeText.line($0))\"" } ?? ""
        return
            "\(SafeText.line(kindWord))\(id.isEmpty ? "" : " \(SafeText.line(id))")\(name): \(SafeText.line(partWord))"
    }

    /// What its owner can do.
    var advice: String {
        switch (kind, part) {
        case ("item", _): localized("'tresor keychain delete --reference' removes it; add it anew from elsewhere")
        case ("page", _):
            localized("'tresor repair' saves all but what was on it, 'tresor repair --from' that too from a copy")
        case ("store", _):
            localized(
                "stop the device; 'tresor repair' saves what can be read, and '--from' takes the rest from a copy")
        case ("note", "head"):
            localized("'tresor repair --from' takes it from a copy; 'tresor notes restore' makes it anew of a text")
        case ("entry", "head"):
            localized("'tresor repair --from' takes it from a copy; 'tresor diary restore' makes it anew of a text")
        default: localized("it is kept; take it from an export or a copy")
        }
    }

    /// Without what a user wrote.
    var untitled: FoundDamage { FoundDamage(kind: kind, id: id, part: part) }

    /// The programs that look speak English: JSON has what they say as it is.
    private var kindWord: String {
        switch kind {
        case "item": localized("item")
        case "page": localized("page")
        case "store": localized("store")
        case "note": localized("note")
        case "version": localized("version")
        case "passphrase": localized("passphrase")
        case "entry": localized("entry")
        case "settings": localized("settings")
        case "template": localized("template")
        case "record": localized("record")
        case "text": localized("text")
        default: kind
        }
    }

    private var partWord: String {
        switch part {
        case "item": localized("item")
        case "of the keychain's database": localized("of the keychain's database")
        case "of the database": localized("of the database")
        case "of the notes": localized("of the notes")
        case "of the diary": localized("of the diary")
        case "head": localized("head")
        case "text": localized("text")
        case "lock": localized("lock")
        case "history": localized("history")
        case "origin": localized("origin")
        case "draft": localized("draft")
        case "file": localized("file")
        case "record": localized("record")
        case "list": localized("list")
        default: part
        }
    }
}
