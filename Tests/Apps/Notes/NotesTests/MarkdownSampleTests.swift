/// The documents that the tests of reading and writing share.
enum MarkdownSamples {
    /// Documents that reading and writing leaves alone, as far as a reader sees.
    static let documents = (texts + "\n").split(separator: "%%%\n").map { String($0.dropLast()) } + special

    private static let special = [
        "",
        "Hard break  \nby spaces\\\nand backslash",
        "Caf\u{E9} \u{1F511}",
        "```\n  kept  \n\ttab\n```",
        "- a\n- \n- c",
        "\tcode\n\n a",
        "a\u{0}b",
        "\u{FEFF}a",
        "\r\na\r\n\r\nb\rc",
        "a\u{B}b\u{C}c",
        "a\u{2028}b",
    ]

    /// Documents of which something is normalised; see ``Markdown``.
    static let normalized = [
        "```\n```", "```\n\n```", "  <div>", "-    <div>\n     x", "[p](attachment:00112233445566778899aabbccddeeff)",
        "![p](attachment:00112233445566778899aabbccddeeff \"title\")",
        "- [ ] open\n- [x] done\n- [X] Done\n- [ ]\n- [x]\n  - sub",
        "[a]: /u\n2. not a list", "[a]: /u\n<b>", "- [ ] # no heading\n- [ ] - no list",
        String(repeating: "> ", count: 50) + "deep",
        String(repeating: "- ", count: 50) + "deep\n\n  a",
    ]

    static let pieces = [
        "a", "b *c*", "- ", "- a", "* b", "+ c", "1. a", "2. b", "3) c", "10. x", "> ", "> a", ">b", ">> c", "# h", "#",
        "## t #", "===", "---", "***", "```",
        "~~~", "``` x", "    ", "  ", " ", "   ", "\t", "", "", "", "| a | b |", "|---|:-:|", "|-|", "<div>", "</div>",
        "<!-- x", "-->", "<b>", "[a]: /u\nx", "[a]: /u\n\n", "[a]",
        "[a][b] c", "`x", "y`", "\\x", "![i](/p)", "a  ", "a\\", "www.x.org", "_", "-", "*", "+", "=", "1.", "| x",
        "c |", "<?", "?>", "a\\|b", "&amp;", "~~x~~", "[b]: <",
    ]

    static func makeDocument(_ random: inout SplitMix64) -> String {
        (0..<Int.random(in: 1...9, using: &random)).map { _ in
            (0..<Int.random(in: 0...3, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        }.joined(separator: "\n")
    }

    private static let texts = ##"""
        Plain text.
        %%%
        Two
        lines
        %%%
        One



        Two
        %%%
        *em* **strong** ***both*** ~~gone~~ `code` ``a ` b``
        %%%
        snake_case_name 2*3*4 a_b_
        %%%
        \*not em\* \# \[x\]
        %%%
        &amp; &copy; &#35; &unknown;
        %%%
        <b>bold</b> <i class="x">i</i> <!-- c -->
        %%%
        a <https://example.org/> b
        %%%
        see https://example.org/a?b=c&d=e and www.example.org, mail a.b@example.org.
        %%%
        [a](/u "title") [b](<u v>) ![pic](/p.png 'x')
        %%%
        [unresolved] and [this][too] ![and][that]
        %%%
        # One
        ## Two
        ### Three
        #### Four
        ##### Five
        ###### Six
        %%%
        # *em* `c`
        %%%
        #
        %%%
        ## ##
        %%%
        # a # b \#
        %%%
        # a \# #
        %%%
        Setext
        ===

        Also
        ---
        %%%
        Two
        lines
        ===

        three
        more
        lines
        ---
        %%%
        ####### seven
        %%%
        #hash
        %%%
        ---
        %%%
        a

        ***

        b
        %%%
        * * *
        _ _ _
        %%%
        a
        ***
        b
        %%%
        ```
        code
        ```
        %%%
        ```swift
        let a = "```"
        ```
        %%%
        ~~~ a ` b
        x
        ~~~
        %%%
        ````
        ```
        inner
        ```
        ````
        %%%
            indented

              more
        %%%
        ```


        ```
        %%%
        ```a\*b &amp;amp; c
        x
        ```
        %%%
        ``` a&#10;b
        x
        ```
        %%%
        ```
        open
        %%%
        ~~~
        ```
        ~~~
        %%%
        > quote
        %%%
        > a
        > b

        > c
        %%%
        >
        %%%
        > > nested
        > back
        %%%
        > a
        >
        > > b
        >
        > c
        %%%
        > # h
        > - a
        > - b
        >
        > end
        %%%
        > lazy
        line
        %%%
        > ```
        > code
        >
        > more
        > ```
        %%%
        >     indented
        %%%
        > - a
        >
        >   b
        %%%
        >
        > a
        %%%
        > a

        b
        %%%
        - a
        - b
        - c
        %%%
        * a
        + b
        - c
        %%%
        - a

        - b
        %%%
        - a

          second
        %%%
        - a
          - b
            - c
          - d
        - e
        %%%
        - a
          1. b
          2. c
        %%%
        1. a
        2. b
        %%%
        7. a
        8. b
        %%%
        1) a
        2) b
        1. c
        %%%
        0. zero
        %%%
        999999999. a
        1. b
        %%%
        10. a
            - b
        11. c
        %%%
        -
        - a
        %%%
        -
        %%%
        1.
        %%%
        - - - a
        %%%
        - - a
          - b
        - c
        %%%
        - 1. - deep
        %%%
        - # heading
        - b
        %%%
        - # h
          text
        %%%
        - ```
          code
          ```
        - b
        %%%
        - ```
          a

          b
          ```
        - c
        %%%
        -     indented
        - b
        %%%
        - > quote
        - b
        %%%
        - > a
          >
          > b
        - c
        %%%
        - ***
        - a
        %%%
        * ---
        * - ***
        %%%
        - a
          > q
        - b
        %%%
        - a

          - b
        - c
        %%%
        - a
          - b

          - c
        - d
        %%%
        - a
          - b

            c
        - d
        %%%
        - a
        - b

        para

        - c
        %%%
        - a


        - b
        %%%
        - a
        + b

        + c
        %%%
        - a
          ***
          b
        %%%
        - a
          # h
          c
        - d
        %%%
        - a
          ```
          c
          ```
          d
        %%%
        - a
          + b
          - c
        %%%
        1. a

           b

        2. c
        %%%
        - a

              code
        - b
        %%%
        - - -a
          - b
        %%%
        + * +
        %%%
        - * - +
        %%%
        - +
        - a
        %%%
        text
        - a
        - b
        %%%
        text
        1. a
        %%%
        text
        2. not a list
        %%%
        a
        > q
        %%%
        - | a |
          |---|
          | b |
        - c
        %%%
        -
          a
        -
          ```
          x
          ```
        %%%
        | a | b |
        |---|---|
        | c | d |
        %%%
        a | b
        :-|-:
        c | d
        %%%
        | a |
        |:-:|
        | `x\|y` |
        | \| |
        %%%
        |a|b|
        |-|-|
        |c|
        |d|e|f|
        %%%
        | *a* | [b](c) |
        |:--|--:|
        %%%
        text
        | a | b |
        |---|---|
        | c | d |

        after
        %%%
        > | a |
        > |---|
        > | b |
        %%%
        | a |
        |---|
        # h
        %%%
        |  |
        |--|
        |  |
        %%%
        | a\\ |
        |---|
        | b\\|
        %%%
        <div>
        raw *x*
        </div>
        %%%
        <div>

        *md*

        </div>
        %%%
        <!-- c

        d -->
        text
        %%%
        <script>

        x

        </script>
        after
        %%%
        a
        <div>
        b
        %%%
        <?php

        ?>
        %%%
        <a>

        b
        %%%
        - <div>
          x

          y
        %%%
        > <div>
        > x

        y
        %%%
        <b>not a block</b> because of text
        %%%
        - <!-- x -->
          text
        - b
        %%%
        [a]

        [a]: /url "t"
        %%%
        [Text][a] ![i][a] [a][] *[a]*

        [a]: <u v>
        %%%
        [a]: /u
        ===
        %%%
        > [a]: /u

        [a] and
        `[a]`
        %%%
        - [a] x
        - [b]

        [a]: /u
        [b]: /v
        %%%
        # [a]

        | [a] |
        |---|
        | `[a]` |

        [a]: /u
        %%%
        [a]: b c d
        %%%
        [a]:
        %%%
        [a]: /u
            text
        %%%
        a
            - not a list
        %%%
        a
            # not a heading
            > not a quote
        %%%
        a
            ---
        %%%
        a | b
            --|--
        %%%
        a
            ```
            x
            ```
        %%%
        a
            <div>
        %%%
        para
              deep
        %%%
        ***a** b*
        %%%
        **a*
        %%%
        !
        %%%
        !
        [a](b)
        %%%
        \
        %%%
        a\
        %%%
        `
        %%%
        a `` b
        %%%
        <
        %%%
        <a
        %%%
        &
        %%%
        [
        %%%
        ](
        %%%
        []()
        %%%
        ![]()
        %%%
        [](<>)
        %%%
        _
        %%%
        ~
        %%%
        ~~~
        %%%
        ```
        %%%
        ~~a~ b~~
        %%%
        a~b~c
        %%%
        |
        %%%
        ||
        %%%
        |-|
        %%%
        :-:
        %%%
        a
        :-:
        %%%
        a
        -
        %%%
        a
        =
        """##
}
