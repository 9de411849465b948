/// What all pages have in common.
enum PageStyle {
    /// - Parameter title: as HTML.
    ///
    /// `file:` stands beside `'self'` because browsers differ in what that is for a page without a server.
    static func head(_ title: String) -> String {
        """
        <!DOCTYPE html>
        <html>
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
        audio { width: 100%; }
        pre { white-space: pre-wrap; }
        blockquote { margin-left: 0; padding-left: 1rem; border-left: 3px solid; }
        ul.index { list-style: none; padding: 0; }
        @media print {
          body { max-width: none; margin: 0; font-size: 11pt; }
          article, img { break-inside: avoid; }
          img { max-height: 20cm; }
          audio, video { display: none; }
          a { color: inherit; text-decoration: none; }
        }

        """
}
