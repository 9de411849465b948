extension HTMLRenderer {
    /// A page of its own, which loads nothing.
    ///
    /// Its content security policy, in a `meta` element, lets in the stylesheet by its hash and pictures from `data:`;
    /// a server that sends one of its own should send the same (``contentSecurityPolicy``).
    ///
    /// - Parameters:
    ///   - frames: the widgets, one below the other where they do not fit side by side.
    ///   - title: the page's.
    ///   - language: of the widgets' words, as BCP 47 has it; anything but letters, digits and `-` gives `en`.
    /// - Returns: the document, HTML that is well-formed XML behind its first line.
    public static func page(_ frames: [Frame], title: String, language: String = "en") -> String {
        let isLanguage = !language.isEmpty && Markup.className(language).utf8.elementsEqual(language.utf8)
        var html = "<!DOCTYPE html>\n<html lang=\"\(isLanguage ? language : "en")\">\n<head>\n"
        html += "<meta charset=\"utf-8\" />\n"
        html += "<meta http-equiv=\"Content-Security-Policy\" content=\"\(contentSecurityPolicy)\" />\n"
        html += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n"
        html += "<meta name=\"referrer\" content=\"no-referrer\" />\n"
        html += "<title>" + Markup.escaped(DisplayText.clean(title)) + "</title>\n"
        html += "<style>" + stylesheet + "</style>\n</head>\n<body>\n<main class=\"tresor-widgets\">\n"
        for frame in frames { html += render(frame) + "\n" }
        return html + "</main>\n</body>\n</html>\n"
    }

    /// What ``page(_:title:language:)`` lets in: nothing but pictures in it, and its stylesheet (CSP Level 3, 2.3.1).
    public static let contentSecurityPolicy =
        "default-src 'none'; img-src data:; style-src 'sha256-\(stylesheetHash)'; base-uri 'none'; form-action 'none'"

    /// SHA-256 of ``stylesheet`` in Base64; a test compares the two.
    private static let stylesheetHash = "lJHrW69G7A3LPHzMkGBFoluLYKYYmRc+nby4uDaI3bU="
}
