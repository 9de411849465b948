// swift-tools-version: 6.2
import PackageDescription

/// Every target of ours is compiled under the same rules; CONTRIBUTING.md says why each is there.
let rules: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableExperimentalFeature("Lifetimes"),
]

/// `-z now` resolves every symbol at start: lazy binding spills vector registers, keys included, to the stack.
let hardenedLink: [LinkerSetting] = [
    .unsafeFlags(["-Xlinker", "-z", "-Xlinker", "now", "-Xlinker", "-z", "-Xlinker", "relro"])
]

/// The enclave is also linked statically, where `free` cannot be replaced by defining it: its calls are redirected.
let wrappedFree: [LinkerSetting] = [
    .unsafeFlags(["-Xlinker", "--wrap=free", "-Xlinker", "--wrap=realloc"])
]

/// The targets of one folder: each lies in a folder of its own name, unless it says otherwise.
func folder(_ path: String, _ targets: [Target]) -> [Target] {
    for target in targets where target.path == nil { target.path = "\(path)/\(target.name)" }
    return targets
}

func ours(_ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil) -> Target {
    .target(name: name, dependencies: dependencies, path: path, swiftSettings: rules)
}

func program(_ name: String, _ dependencies: [Target.Dependency], linker: [LinkerSetting] = []) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, swiftSettings: rules, linkerSettings: hardenedLink + linker)
}

/// Tests provoke what our targets must survive, and so may handle raw memory.
func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, exclude: exclude,
        swiftSettings: [
            .swiftLanguageMode(.v6), .treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny"),
            .enableExperimentalFeature("Lifetimes"),
        ])
}

/// Code as it is written for a Mac: its `import Security` means our module here.
let appleNames: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .treatAllWarnings(as: .error),
    .unsafeFlags(["-module-alias", "Security=TresorSecurity"]),
]

// The order is that of Sources/LAYERS.txt: each wing may use those above it.

var targets: [Target] = []

targets += folder(
    "Sources/Ground",
    [
        .target(name: "CLinux"),
        .target(name: "CZeroingFree"),
        .target(name: "CZeroingWrap"),
        .systemLibrary(
            name: "CMarkdown", pkgConfig: "libcmark-gfm",
            providers: [.apt(["libcmark-gfm-dev", "libcmark-gfm-extensions-dev"])]),
        .systemLibrary(name: "CZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"])]),
        .systemLibrary(
            name: "CQrencode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(name: "CPango", pkgConfig: "pangocairo", providers: [.apt(["libpango1.0-dev"])]),
        .systemLibrary(name: "CJpeg", pkgConfig: "libjpeg", providers: [.apt(["libjpeg62-turbo-dev"])]),
        .systemLibrary(name: "CVips", pkgConfig: "vips", providers: [.apt(["libvips-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CFido", pkgConfig: "libfido2", providers: [.apt(["libfido2-dev"])]),
        .systemLibrary(
            name: "CMicrohttpd", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        ours("Linux", ["CLinux"]),
        ours("Secrets", ["Linux"]),
        ours("Codecs", ["Secrets"]),
        ours("QRCodes", ["CQrencode", "Secrets"]),
        ours("TimeZones", ["Codecs", "Linux"]),
        ours("EventLoop", ["Linux"]),
        ours("SQLite", ["CSQLite"]),
        ours("DurableDatabase", ["Linux", "SQLite"]),
        ours("SoughtNames"),
        ours("Localization", ["Linux"]),
        ours("ParserWords", ["Localization"]),
        ours("TerminalScreen", ["Localization", "SoughtNames", "Secrets", "Linux"]),
        ours("MessageBus", ["CSystemd", "Linux"]),
    ])

targets += folder(
    "Sources/Workers",
    [
        ours("ImageSandbox", ["Codecs", "Linux"]),
        program("tresor-thumb", ["ImageSandbox", "Linux", "CVips"]),
    ])

targets += folder(
    "Sources/Owner",
    [
        ours("Pinentry", ["Secrets", "Linux"]),
        ours("DesktopSession", ["MessageBus", "Linux"]),
        ours("Biometry", ["MessageBus", "Linux"]),
        ours("SecurityKeys", ["CFido", "Linux", "Secrets"]),
    ])

targets += folder(
    "Sources/Vault",
    [
        ours("Protection"),
        ours(
            "KeyEnvelopes",
            [
                "Protection", "Secrets", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ]),
        ours(
            "Envelopes",
            [
                "KeyEnvelopes", "Protection", "Secrets", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ]),
        ours("EnclaveWire", ["Protection", "Secrets"]),
        ours("Wire", ["Protection", "Localization", "Secrets", "Linux"]),
        ours("Enclave", ["KeyEnvelopes", "Protection", "EnclaveWire", "Secrets", "Linux"]),
        ours("StoreTables"),
        ours(
            "KeychainStore",
            [
                "StoreTables", "DurableDatabase", "EnclaveWire", "Envelopes", "KeyEnvelopes", "Protection", "Wire",
                "Secrets", "Linux",
                "SQLite",
            ]),
        ours(
            "Daemon",
            [
                "StoreTables", "KeychainStore", "Biometry", "DesktopSession", "MessageBus", "EnclaveWire", "Envelopes",
                "KeyEnvelopes",
                "Wire", "Protection", "EventLoop", "Secrets", "Linux",
                .product(name: "Logging", package: "swift-log"),
            ]),
        program("tresor-enclave", ["Enclave", "CZeroingWrap"], linker: wrappedFree),
        program("tresord", ["Daemon", "CZeroingFree"]),
    ])

targets += folder(
    "Sources/SDK",
    [
        ours(
            "Tresor",
            ["Envelopes", "KeyEnvelopes", "Pinentry", "Wire", "Protection", "Localization", "Secrets", "Linux"]),
        ours(
            "Certificates",
            [
                "Localization", "Secrets", "Linux", .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"), .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ]),
        ours("IdleInhibition", ["MessageBus", "Tresor", "Linux"]),
        ours("TresorLogging", [.product(name: "Logging", package: "swift-log")]),
        ours(
            "TresorTesting",
            ["KeychainStore", "Tresor", "EnclaveWire", "KeyEnvelopes", "Protection", "Wire", "Secrets"]),
    ])

targets += folder(
    "Sources/SDK/Apple",
    [
        ours("TresorCoreFoundation"),
        ours(
            "TresorLocalAuthentication",
            ["TresorCoreFoundation", "Tresor", "Pinentry", "Wire", "Protection", "Secrets", "Linux"]),
        ours(
            "TresorSecurity",
            [
                "TresorCoreFoundation", "TresorLocalAuthentication", "Tresor", "Certificates", "Wire", "Protection",
                "Secrets",
            ]),
    ])

targets += folder(
    "Sources/Records",
    [
        ours("Membership", ["Envelopes", "KeyEnvelopes", "Secrets"]),
        ours(
            "Zones",
            [
                "Membership", "StoreTables", "DurableDatabase", "Envelopes", "KeyEnvelopes", "Secrets", "Linux",
                "SQLite",
            ]),
        ours(
            "StoreRepair", ["StoreTables", "DurableDatabase", "Linux", "SQLite"]),
        ours("ResidentClient", ["Wire", "Localization", "Secrets", "Linux"]),
        ours(
            "Resident", ["ResidentClient", "Tresor", "Wire", "EventLoop", "Localization", "Secrets", "Linux"]),
        ours("TextIndex", ["Secrets", "SQLite"]),
    ])

targets += folder(
    "Sources/Cloud",
    [
        ours("CloudWire", ["Secrets"])
    ])

targets += folder(
    "Sources/Apps/Keychain",
    [
        ours(
            "KeychainTerminal",
            [
                "TerminalScreen", "Localization", "PasswordMaking", "Certificates", "Tresor", "TimeZones", "Codecs",
                "Wire",
                "Protection", "QRCodes", "Secrets", "Linux",
            ]),
        ours(
            "KeychainHealth", ["Certificates", "Envelopes", "Protection", "Tresor", "Wire", "Secrets"]),
        ours("KeychainNames", ["Tresor", "Wire", "SoughtNames"]),
        ours("KeychainFormats", ["CExpat", "Tresor", "Localization", "Secrets"]),
        ours("PasswordMaking", ["Localization", "Secrets"]),
        ours("Profiles", ["Codecs", "Certificates", "Tresor", "Wire", "Secrets", "Localization"]),
    ])

targets += folder(
    "Sources/Apps/Notes",
    [
        ours("NotesClient", ["ResidentClient", "Wire", "Localization"]),
        ours(
            "NotesTerminal",
            [
                "Codecs", "TerminalScreen", "Localization", "TimeZones", "NotesClient", "ResidentClient", "Tresor",
                "Wire", "Secrets",
                "Linux",
            ]),
        ours("MarkdownFolder", ["Codecs", "NotesClient", "Localization", "Linux"]),
        ours(
            "NoteFormats",
            ["Codecs", "CMarkdown", "MarkdownFolder", "NotesClient", "Envelopes", "Localization", "Linux"]),
        ours(
            "AppleImport",
            [
                "Codecs", "Envelopes", "KeyEnvelopes", "Localization", "Secrets", "Linux", "CZlib",
                "SQLite",
            ]),
        ours(
            "Notes",
            [
                "CMarkdown", "ImageSandbox", "Tresor", "Zones", "NotesClient", "ResidentClient", "Resident",
                "Protection", "Envelopes", "KeyEnvelopes", "TextIndex", "Wire", "Localization", "Secrets", "Linux",
            ]),
        program("tresor-notes", ["Notes", "CZeroingFree"]),
    ])

targets += folder(
    "Sources/Apps/Diary",
    [
        ours("DiaryClient", ["ResidentClient", "Wire", "Localization"]),
        ours(
            "Diary",
            [
                "DiaryClient", "DiaryViews", "ImageSandbox", "ResidentClient", "Resident", "TextIndex", "Tresor",
                "Zones", "Envelopes", "KeyEnvelopes", "Protection", "Wire", "Localization", "Secrets", "Linux",
            ]),
        ours("DiaryViews", ["Codecs", "TimeZones", "Localization", "DiaryClient"]),
        ours(
            "DiaryTerminal",
            [
                "DiaryClient", "DiaryViews", "Localization", "ResidentClient", "ImageSandbox", "TerminalScreen",
                "Tresor", "Wire",
                "Secrets", "Linux",
            ]),
        ours("PrintStream", ["Secrets"]),
        ours("DiaryFormats", ["Codecs", "CZip", "DiaryClient", "DiaryViews", "Localization", "Linux"]),
        ours("DiaryPrint", ["DiaryClient", "DiaryFormats", "DiaryViews", "Localization", "PrintStream", "Linux"]),
        program("tresor-diary", ["Diary", "CZeroingFree"]),
        program("tresor-print", ["PrintStream", "Secrets", "Linux", "CPango"]),
    ])

targets += folder(
    "Sources/Apps/Widgets",
    [
        ours("Widgets", ["Protection"]),
        ours("WidgetProgram", ["Widgets", "Linux"]),
        ours("WidgetPrograms", ["Codecs", "Widgets", "Linux", "Localization"]),
        ours(
            "WidgetServer",
            [
                "CMicrohttpd", "ResidentClient", "WidgetClient", "WidgetDrawing", "Widgets", "Wire", "Linux",
                "Localization",
            ]),
        ours("WidgetDrawing", ["Widgets", "Linux"]),
        ours(
            "WidgetClient",
            ["Envelopes", "ResidentClient", "Tresor", "Widgets", "Wire", "Linux", "Localization"]),
        ours(
            "WidgetHost",
            [
                "DiaryClient", "DiaryViews", "Envelopes", "KeyEnvelopes", "NotesClient", "Protection", "Resident",
                "ResidentClient",
                "Tresor", "WidgetClient", "WidgetPrograms", "KeychainHealth", "Widgets", "Wire", "Secrets", "Linux",
                "Localization",
            ]),
        program("tresor-widgets", ["WidgetHost", "CZeroingFree"]),
        program("tresor-pages", ["WidgetServer", "CZeroingFree"]),
        program("tresor-draw", ["WidgetDrawing", "Widgets", "Linux", "CPango", "CZlib", "CJpeg"]),
    ])

targets += folder(
    "Sources/Command",
    [
        program(
            "tresor",
            [
                "Tresor", "DesktopSession", "KeychainFormats", "KeychainHealth", "KeychainNames", "SoughtNames",
                "Localization",
                "ParserWords",
                "WidgetClient",
                "WidgetDrawing",
                "WidgetPrograms",
                "Widgets", "AppleImport", "DurableDatabase", "StoreRepair", "StoreTables",
                "MarkdownFolder", "NoteFormats", "NotesClient", "DiaryClient", "DiaryFormats",
                "DiaryPrint", "DiaryTerminal", "DiaryViews", "PrintStream", "IdleInhibition", "ImageSandbox",
                "ResidentClient", "TerminalScreen", "NotesTerminal",
                "KeychainTerminal", "PasswordMaking", "Profiles", "Pinentry", "Protection", "QRCodes", "SecurityKeys",
                "Wire",
                "Secrets", "Linux", "CZeroingFree", "Certificates", "Envelopes", "KeyEnvelopes",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ])
    ])

// Tests

targets += folder(
    "Tests/Programs",
    [
        program("tresor-enclave-testing", ["Enclave", "CZeroingWrap"], linker: wrappedFree),
        program("tresord-testing", ["Daemon", "Biometry", "DesktopSession", "Linux", "CZeroingFree"]),
        program("tresor-notes-testing", ["Notes", "Resident", "Linux", "CZeroingFree"]),
        program("tresor-integrity-testing", ["Tresor", "Linux"]),
        program("tresor-diary-testing", ["Diary", "Resident", "Linux", "CZeroingFree"]),
        // Speaks for a program of somebody's in the tests of who may open what; never installed.
        // As somebody's program is compiled: without our rule on memory, which Apple's API with its pointers breaks.
        .executableTarget(
            name: "tresor-caller-testing",
            dependencies: ["Tresor", "TresorLocalAuthentication", "Protection", "Wire", "Secrets", "Linux"],
            swiftSettings: [.swiftLanguageMode(.v6), .enableExperimentalFeature("Lifetimes")],
            linkerSettings: hardenedLink),
        program("tresor-widgets-testing", ["WidgetHost", "Resident", "Linux", "CZeroingFree"]),
        // A terminal program of somebody's, for ToolboxTests; never installed.
        .executableTarget(
            name: "tresor-lifecycle-testing", dependencies: ["Tresor"],
            swiftSettings: [.swiftLanguageMode(.v6)]),
    ])

targets += folder(
    "Tests/Support",
    [
        .target(name: "Checkout", swiftSettings: [.swiftLanguageMode(.v6)]),
        ours("ShippedCatalogues", ["Checkout", "Localization"]),
        ours("ScreenPlaces", ["TerminalScreen"]),
        ours("Conformance", ["Tresor", "Wire", "Secrets"]),
        // A security key in software, for tests alone.
        .target(name: "DesktopBus", swiftSettings: [.swiftLanguageMode(.v6)]),
        .target(
            name: "SoftKeys",
            dependencies: [
                "Linux", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ], swiftSettings: [.swiftLanguageMode(.v6), .enableExperimentalFeature("Lifetimes")]),
        .target(
            name: "Fuzzing",
            dependencies: [
                "Checkout",
                "Certificates", "CloudWire", "DiaryFormats", "Enclave", "EnclaveWire", "Envelopes", "KeyEnvelopes",
                "ImageSandbox",
                "NotesClient", "KeychainFormats",
                "ResidentClient",
                "PrintStream", "Profiles", "Protection",
                "Tresor", "WidgetPrograms", "Widgets", "Wire",
                "Secrets", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            swiftSettings: [
                .swiftLanguageMode(.v6), .enableUpcomingFeature("InternalImportsByDefault"),
                .enableExperimentalFeature("Lifetimes"),
            ]),
        .target(name: "CTestSupport"),
        ours("ProcessorTime"),
        .target(name: "Thoroughness", swiftSettings: [.swiftLanguageMode(.v6)]),
    ])

targets += folder(
    "Tests/Apps/Diary",
    [
        tests(
            "DiaryTests",
            [
                "Thoroughness", "Diary", "DiaryClient", "Envelopes", "Fuzzing", "ImageSandbox", "Tresor",
                "TresorTesting", "Wire",
                "Secrets", "Zones", "Linux",
                "SQLite",
            ]),
        tests(
            "DiaryTerminalTests",
            [
                "Thoroughness", "Checkout", "ShippedCatalogues", "ScreenPlaces", "DiaryTerminal", "DiaryClient",
                "DiaryViews",
                "TerminalScreen", "Localization", "Tresor",
            ],
            exclude: ["Screens"]),
        tests(
            "DiaryFormatsTests",
            ["ProcessorTime", "ShippedCatalogues", "CZip", "DiaryClient", "DiaryFormats", "DiaryViews"]),
        tests(
            "DiaryPrintTests",
            [
                "Thoroughness", "Checkout", "ShippedCatalogues",
                "DiaryPrint", "DiaryClient", "DiaryFormats", "DiaryViews", "PrintStream", "Secrets", "Linux",
            ]),
        tests(
            "DiaryViewsTests",
            ["Thoroughness", "Checkout", "ShippedCatalogues", "Localization", "DiaryViews", "DiaryClient"]),
    ])

targets += folder(
    "Tests/Apps/Keychain",
    [
        tests(
            "ProfileTests",
            [
                "Thoroughness", "Checkout", "ProcessorTime", "Profiles", "Fuzzing", "Conformance", "Tresor",
                "TresorTesting", "Wire",
                "Secrets",
            ]),
        tests(
            "KeychainHealthTests",
            ["KeychainHealth", "Certificates", "Tresor", "TresorTesting", "Protection", "Wire", "Secrets"]),
        tests(
            "KeychainNamesTests",
            ["KeychainNames", "SoughtNames", "Tresor", "TresorTesting", "Protection", "Wire", "Secrets"]),
        tests(
            "KeychainFormatsTests",
            ["ProcessorTime", "KeychainFormats", "Conformance", "Tresor", "TresorTesting", "Secrets"]),
        tests("PasswordMakingTests", ["PasswordMaking", "Secrets"]),
        tests(
            "KeychainTerminalTests",
            [
                "ShippedCatalogues", "Localization",
                "Thoroughness", "Checkout", "ProcessorTime", "ScreenPlaces", "PasswordMaking",
                "KeychainTerminal", "TerminalScreen", "TresorTesting", "Certificates", "Tresor", "Protection", "Wire",
                "Secrets",
            ]),
    ])

targets += folder(
    "Tests/Apps/Notes",
    [
        tests(
            "NotesTests",
            [
                "Thoroughness", "ProcessorTime", "Fuzzing", "Notes", "NotesClient", "ResidentClient", "Resident",
                "TextIndex", "Zones",
                "CMarkdown",
                "Envelopes", "KeyEnvelopes", "Tresor", "Wire", "Secrets",
                "Linux", "SQLite",
            ], exclude: ["Examples"]),
        tests("MarkdownFolderTests", ["Thoroughness", "ProcessorTime", "MarkdownFolder", "NotesClient", "Linux"]),
        tests(
            "NoteFormatsTests", ["Thoroughness", "ProcessorTime", "NoteFormats", "NotesClient", "Fuzzing", "Linux"],
            exclude: ["Samples"]),
        tests(
            "AppleImportTests",
            [
                "Thoroughness", "Checkout",
                "AppleImport", "Envelopes", "Notes", "Secrets", "Linux", "CZlib",
                "SQLite",
            ]),
        tests(
            "NotesTerminalTests",
            [
                "Thoroughness", "Checkout", "ScreenPlaces", "ShippedCatalogues", "NotesTerminal", "TerminalScreen",
                "Localization",
                "NotesClient", "Tresor", "Secrets",
            ]),
    ])

targets += folder(
    "Tests/Apps/Widgets",
    [
        // The guide's example, so that it cannot go stale; never installed.
        .executableTarget(
            name: "todo-widget", dependencies: ["WidgetProgram"], path: "docs/guides/widget-programs/todo",
            swiftSettings: [.swiftLanguageMode(.v6)]),
        tests("WidgetProgramsTests", ["Checkout", "WidgetPrograms", "Widgets", "Linux", "todo-widget"]),
        // The sample of docs/widgets/browser, which packaging/wasm also compiles for browsers; never installed.
        ours("BrowserWidget", ["Protection", "Widgets"], path: "packaging/wasm/BrowserWidget"),
        tests(
            "WidgetsBrowserTests", ["Checkout", "BrowserWidget", "Protection", "Widgets"],
            exclude: ["module.mjs", "page.mjs"]),
        tests(
            "WidgetServerTests", ["Thoroughness", "Linux", "WidgetServer", "WidgetClient", "WidgetDrawing", "Widgets"]),
        tests(
            "WidgetHostTests",
            [
                "ShippedCatalogues", "Localization",
                "WidgetHost", "WidgetClient", "Widgets", "NotesClient", "DiaryViews", "KeychainHealth", "EventLoop",
                "Resident", "ResidentClient", "Wire", "Secrets", "Linux",
            ]),
        tests("WidgetDrawingTests", ["Thoroughness", "Checkout", "WidgetDrawing", "Widgets", "Linux", "CPango"]),
        tests("WidgetsTests", ["Thoroughness", "Checkout", "ProcessorTime", "Widgets", "Protection"]),
    ])

targets += folder(
    "Tests/Cloud",
    [
        tests("CloudWireTests", ["Checkout", "CloudWire", "Secrets"])
    ])

targets += folder(
    "Tests/Ground",
    [
        tests("CodecsTests", ["Thoroughness", "Codecs", "Secrets"]),
        tests("QRCodesTests", ["QRCodes", "Secrets"]),
        tests("TimeZonesTests", ["Thoroughness", "TimeZones", "Codecs", "Linux"]),
        tests("EventLoopTests", ["Thoroughness", "EventLoop", "Linux"]),
        tests("SQLiteTests", ["SQLite", "CSQLite", "Linux"]),
        tests("LocalizationTests", ["ShippedCatalogues", "Localization", "ParserWords"]),
        tests("TerminalScreenTests", ["Thoroughness", "ProcessorTime", "TerminalScreen", "Secrets", "Linux"]),
    ])

targets += folder(
    "Tests/Owner",
    [
        tests("DesktopSessionTests", ["DesktopSession", "DesktopBus", "MessageBus", "Linux"]),
        tests("BiometryTests", ["Biometry", "MessageBus", "Linux"]),
        tests("PinentryTests", ["Thoroughness", "Pinentry", "Secrets", "Linux"]),
        tests(
            "SecurityKeyTests",
            [
                "SecurityKeys", "SoftKeys", "Secrets", "Linux", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ]),
    ])

targets += folder(
    "Tests/Records",
    [
        tests("MembershipTests", ["Thoroughness", "Membership", "Envelopes", "KeyEnvelopes", "Secrets"]),
        tests(
            "StoreRepairTests",
            ["Thoroughness", "StoreRepair", "StoreTables", "Linux", "SQLite"]),
        tests(
            "ZonesTests",
            [
                "Zones", "DurableDatabase", "Envelopes", "KeyEnvelopes", "Secrets", "Linux",
                "SQLite",
            ]),
        tests(
            "ResidentTests",
            [
                "ShippedCatalogues", "EventLoop", "Resident", "ResidentClient", "Tresor", "Wire", "Localization",
                "Secrets",
                "Linux",
            ]),
        tests("TextIndexTests", ["Thoroughness", "TextIndex", "Secrets"]),
    ])

targets += folder(
    "Tests/SDK",
    [
        tests("ToolboxTests", ["Checkout", "Tresor", "Linux", "tresor-lifecycle-testing"]),
        tests("TresorLoggingTests", ["TresorLogging", "Secrets", .product(name: "Logging", package: "swift-log")]),
        tests("IdleInhibitionTests", ["IdleInhibition", "DesktopBus", "MessageBus", "Tresor"]),
        tests("IntegrityTests", ["Checkout", "Tresor", "Linux"]),
        tests(
            "CertificateTests",
            [
                "Thoroughness", "ProcessorTime", "Certificates", "Linux", "Secrets",
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"), .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ], exclude: ["make_chains.py", "make_vectors.py", "Vectors"]),
        tests(
            "TresorSecurityTests",
            [
                "Thoroughness", "Checkout",
                "TresorCoreFoundation", "TresorLocalAuthentication", "TresorSecurity", "Tresor", "TresorTesting",
                "Wire", "Secrets",
            ]),
        tests(
            "TresorTests",
            ["ProcessorTime", "Tresor", "TresorTesting", "Linux", "Wire", "Secrets", "Conformance"]),
    ])

targets += folder(
    "Tests/SDK/AppleApi/Book/Sources",
    [
        .target(
            name: "PhotoDiary", dependencies: ["TresorSecurity"],
            swiftSettings: appleNames),
        .executableTarget(
            name: "Book", dependencies: ["PhotoDiary", "TresorSecurity"],
            swiftSettings: appleNames),
    ])

targets += folder(
    "Tests/SDK/AppleApi/Book/Tests",
    [
        .testTarget(
            name: "BookTests", dependencies: ["PhotoDiary", "TresorSecurity", "TresorTesting"],
            swiftSettings: appleNames)
    ])

targets += folder(
    "Tests/Vault",
    [
        tests("ProtectionTests", ["Protection"]),
        tests(
            "DaemonTests",
            ["Checkout", "Daemon", "CTestSupport", "Protection", "Wire", "EventLoop", "Secrets", "Linux"]),
        tests(
            "EnclaveTests",
            ["Enclave", "EnclaveWire", "CTestSupport", "KeyEnvelopes", "Protection", "Secrets", "Linux"]),
        tests(
            "KeychainStoreTests",
            [
                "Conformance", "DurableDatabase", "EnclaveWire", "KeychainStore", "Tresor", "TresorTesting",
                "Envelopes",
                "KeyEnvelopes", "Protection",
                "WidgetHost",
                "Widgets", "Wire", "Secrets",
                "SQLite",
            ]),
    ])

targets += folder(
    "Tests/Workers",
    [
        tests("ImageSandboxTests", ["Thoroughness", "Checkout", "ImageSandbox", "Linux", "CVips"])
    ])

targets += folder(
    "Tests/House",
    [
        tests("HouseRulesTests", ["Checkout"]),
        tests("FuzzTests", ["Thoroughness", "Checkout", "Fuzzing"]),
        tests(
            "VectorTests",
            [
                "Checkout",
                "Biometry", "CloudWire", "Diary", "DiaryClient", "Enclave", "EnclaveWire", "Envelopes", "KeyEnvelopes",
                "ImageSandbox",
                "KeychainStore", "Linux", "Membership", "Notes", "PrintStream",
                "Profiles", "Protection", "ResidentClient", "Secrets", "StoreTables", "Tresor",
                "WidgetDrawing", "Widgets", "Wire",
            ]),
        tests(
            "StoryTests",
            [
                "Thoroughness", "Checkout",
                "Conformance", "CTestSupport", "DesktopBus", "Enclave", "EnclaveWire", "Envelopes", "KeyEnvelopes",
                "DiaryClient",
                "NotesClient", "ResidentClient", "WidgetClient",
                "Protection",
                "SecurityKeys",
                "SoftKeys", "SoughtNames", "StoreTables", "Tresor", "Wire", "Secrets", "Linux",
            ], exclude: ["typist.py"]),
    ])

// Measurements

targets += folder(
    "Benchmarks",
    [
        .executableTarget(
            name: "tresor-bench",
            dependencies: [
                "DiaryClient", "NotesClient", "ResidentClient", "Tresor", "TresorSecurity", "Certificates",
                "WidgetClient", "WidgetDrawing", "Widgets", "Protection", "Wire",
                "Secrets",
                "Linux",
                "SQLite", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ],
            path: "Benchmarks/tresor-bench",
            swiftSettings: [.swiftLanguageMode(.v6), .enableExperimentalFeature("Lifetimes")]),
        .executableTarget(
            name: "tresor-fuzz", dependencies: ["Fuzzing"], path: "Benchmarks/tresor-fuzz",
            swiftSettings: [.swiftLanguageMode(.v6)]),
    ])

let package = Package(
    name: "tresor",
    products: [
        .library(name: "Tresor", targets: ["Tresor"]),
        .library(name: "TresorTesting", targets: ["TresorTesting"]),
        .library(name: "TresorSecurity", targets: ["TresorSecurity"]),
        .library(name: "TresorLocalAuthentication", targets: ["TresorLocalAuthentication"]),
        .library(name: "TresorLogging", targets: ["TresorLogging"]),
        .library(name: "IdleInhibition", targets: ["IdleInhibition"]),
        .library(name: "Widgets", targets: ["Widgets"]),
        .library(name: "WidgetProgram", targets: ["WidgetProgram"]),
        .executable(name: "tresor", targets: ["tresor"]),
        .executable(name: "tresord", targets: ["tresord"]),
        .executable(name: "tresor-enclave", targets: ["tresor-enclave"]),
        .executable(name: "tresor-notes", targets: ["tresor-notes"]),
        .executable(name: "tresor-diary", targets: ["tresor-diary"]),
        .executable(name: "tresor-widgets", targets: ["tresor-widgets"]),
        .executable(name: "tresor-draw", targets: ["tresor-draw"]),
        .executable(name: "tresor-pages", targets: ["tresor-pages"]),
        .executable(name: "tresor-thumb", targets: ["tresor-thumb"]),
        .executable(name: "tresor-print", targets: ["tresor-print"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1", exact: "1.7.4"),
    ],
    targets: targets
)
