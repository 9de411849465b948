import ShippedCatalogues
import Testing

@testable import Localization
@testable import ParserWords

/// What the argument parser's version 1.8 prints, and what a reader sees of it.
struct ParserWordsTests {
    private static func french() throws -> MessageCatalogue {
        try MessageCatalogue(
            CatalogueFile.make([
                "Error: {1}": "Erreur : {1}", "Help:  {1}": "Aide :  {1}", "Usage: {1}": "Usage : {1}",
                "  See '{1}' for more information.": "  Voir '{1}' pour en savoir plus.",
                "OVERVIEW: {1}": "APERÇU : {1}", "USAGE: {1}": "USAGE : {1}", "OPTIONS:": "OPTIONS :",
                "SUBCOMMANDS:": "SOUS-COMMANDES :", "{1} SUBCOMMANDS:": "{1} :",
                "  See '{1}' for detailed help.": "  Voir '{1}' pour plus de détails.",
                "Show help information.": "Montrer cette aide.", "(default)": "(défaut)", "(values:": "(choix :",
                "<subcommand>": "<sous-commande>", "<options>": "<choix>",
                "Unknown option '{1}'": "Option inconnue '{1}'",
                "Unknown option '{1}'. Did you mean '{2}'?": "Option inconnue '{1}'. Plutôt '{2}' ?",
                "Missing expected argument '{1}'": "Il manque l’argument '{1}'",
                "Missing value for '{1}'": "Il manque la valeur de '{1}'",
                "Missing value for '{1}' in '{2}'": "Il manque la valeur de '{1}' dans '{2}'",
                "{1}\n   or: {2}": "{1}\n   ou : {2}", "{1} unexpected arguments: '{2}'": "{1} en trop : '{2}'",
                "The value '{1}' is invalid for '{2}'": "La valeur '{1}' ne va pas pour '{2}'",
                "The value '{1}' is invalid for '{2}': {3}": "La valeur '{1}' ne va pas pour '{2}' : {3}",
                "The value '{1}' is invalid for '{2}'. Please provide one of {3}.":
                    "La valeur '{1}' ne va pas pour '{2}'. Possibles : {3}.", "'{1}' or '{2}'": "'{1}' ou '{2}'",
                "The value '{1}' is invalid for '{2}'. Please provide one of the following:\n{3}":
                    "La valeur '{1}' ne va pas pour '{2}'. Possibles :\n{3}",
            ]))
    }

    private static let help = """
        OVERVIEW: Montrer quelque chose.

        USAGE: tool group [--kind <kind>] <subcommand>

        OPTIONS:
          --kind <kind>           Le type. (values: a,
                                  b)
          -h, --help              Show help information.

        SUBCOMMANDS:
          show (default)          Montrer.

        JOUR SUBCOMMANDS:
          get                     Prendre.

          See 'tool help group <subcommand>' for detailed help.
        """

    @Test func `of a page of help each heading is in the language, and each column stays where it is`() throws {
        let shown = ParserWords.translated(help: Self.help, in: try Self.french())
        #expect(
            shown == """
                APERÇU : Montrer quelque chose.

                USAGE : tool group [--kind <kind>] <sous-commande>

                OPTIONS :
                  --kind <kind>           Le type. (choix : a,
                                          b)
                  -h, --help              Montrer cette aide.

                SOUS-COMMANDES :
                  show (défaut)           Montrer.

                JOUR :
                  get                     Prendre.

                  Voir 'tool help group <sous-commande>' pour plus de détails.
                """)
    }

    @Test func `what programs read, and English, are as the parser has them`() throws {
        for text in ["#compdef tool\nOPTIONS:\n", "{\n  \"abstract\" : \"OPTIONS:\"\n}", "tool 1.0"] {
            #expect(ParserWords.translated(help: text, in: try Self.french()) == text)
        }
        #expect(ParserWords.translated(help: Self.help, in: nil) == Self.help)
        let error = "Error: Unknown option '--foo'\nUsage: tool <options>\n  See 'tool --help' for more information."
        #expect(ParserWords.translated(error, message: "Unknown option '--foo'", in: nil) == error)
    }

    @Test func `of an error all lines are in the language`() throws {
        let message = "The value 'x' is invalid for '--kind <kind>'. Please provide one of 'a', 'b' or 'c'."
        let text = """
            Error: \(message)
            Help:  --kind <kind>  Le type.
            Usage: tool [<options>] <name>
              See 'tool --help' for more information.
            """
        #expect(
            ParserWords.translated(text, message: message, in: try Self.french()) == """
                Erreur : La valeur 'x' ne va pas pour '--kind <kind>'. Possibles : 'a', 'b' ou 'c'.
                Aide :  --kind <kind>  Le type.
                Usage : tool [<choix>] <name>
                  Voir 'tool --help' pour en savoir plus.
                """)
    }

    @Test(arguments: [
        ("Unknown option '--foo'", "Option inconnue '--foo'"),
        ("Unknown option '--foo'. Did you mean '--for'?", "Option inconnue '--foo'. Plutôt '--for' ?"),
        (
            "Unknown option '-ab'\n   or: Missing value for '-a <a>' in '-ab'",
            "Option inconnue '-ab'\n   ou : Il manque la valeur de '-a <a>' dans '-ab'"
        ),
        ("Missing expected argument '<name>'", "Il manque l’argument '<name>'"),
        ("2 unexpected arguments: 'a', 'b'", "2 en trop : 'a', 'b'"),
        ("The value 'a' is invalid for '--count <count>'", "La valeur 'a' ne va pas pour '--count <count>'"),
        ("The value 'a' is invalid for '<at>': c’est tard", "La valeur 'a' ne va pas pour '<at>' : c’est tard"),
        (
            "The value 'a' is invalid for '<k>'. Please provide one of the following:\n  - b\n  - c",
            "La valeur 'a' ne va pas pour '<k>'. Possibles :\n  - b\n  - c"
        ),
        ("--json et --clip : l’un des deux", "--json et --clip : l’un des deux"),
        ("two unexpected arguments: 'a'", "two unexpected arguments: 'a'"),
    ]) func `an error is recognised by its form, and another is left alone`(english: String, french: String) throws {
        #expect(ParserErrors.translated(english, try Self.french()) == french)
    }
}
