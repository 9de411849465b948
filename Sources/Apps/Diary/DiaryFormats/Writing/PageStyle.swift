import DiaryViews

/// What all pages have in common.
enum PageStyle {
    /// - Parameter title: as HTML.
    ///
    /// `file:` stands beside `'self'` because browsers differ in what that is for a page without a server.
    static func head(_ title: String, _ language: DiaryLanguage) -> String {
        """
        <!DOCTYPE html>
        <html lang="\(language.rawValue)">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' file:; \
        media-src 'self' file:; style-src 'self' file:; base-uri 'none'; form-action 'none'">
        <meta name="referrer" content="no-referrer">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(title)</title>
        <link rel="stylesheet" href="style.css">
        </head>
        <body>
        <main>
        <h1>\(title)</h1>

        """
    }

    static let foot = "</body>\n</html>\n"

    static let css = """
        :root { color-scheme: light dark; }
        body { font: 1.05rem/1.5 Georgia, serif; max-width: 42rem; margin: 2rem auto; padding: 0 1rem; }
        article { margin: 2.5rem 0; padding-top: 1rem; border-top: 1px solid; overflow-wrap: anywhere; }
        header { font: 0.85rem/1.4 system-ui, sans-serif; opacity: 0.75; }
        img, video { max-width: 100%; height: auto; max-height: 90vh; display: block; margin: 0.5rem 0; }
        h2 { font-size: 1.3rem; margin: 2.5rem 0 0; }
        article h3 { font: inherit; font-weight: 600; margin: 0; }
        header p { margin: 0; }
        span.photo { display: block; font-style: italic; }
        nav { margin: 2.5rem 0; font: 0.85rem/1.4 system-ui, sans-serif; }
        audio { width: 100%; }
        pre { white-space: pre-wrap; }
        blockquote { margin-left: 0; padding-left: 1rem; border-left: 3px solid; }
        svg.map { width: 100%; height: auto; border: 1px solid; border-radius: 4px; }
        .coast { fill: none; stroke: currentColor; stroke-width: 1.2; stroke-linecap: round; opacity: 0.55; }
        .map circle { fill: #b3261e; fill-opacity: 0.75; stroke: Canvas; }
        ul.index { list-style: none; padding: 0; }
        @media print {
          body { max-width: none; margin: 0; font-size: 11pt; }
          article, img, svg { break-inside: avoid; }
          img { max-height: 20cm; }
          audio, video, nav { display: none; }
          a { color: inherit; text-decoration: none; }
        }

        """
}
