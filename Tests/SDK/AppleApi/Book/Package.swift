// swift-tools-version: 6.0
import PackageDescription

// A package as it would be written for a Mac: nothing in it names Tresor, but a test that wants a keychain in memory.
let package = Package(
    name: "Book",
    targets: [
        .target(name: "PhotoDiary"),
        .executableTarget(name: "Book", dependencies: ["PhotoDiary"]),
        .testTarget(name: "BookTests", dependencies: ["PhotoDiary"]),
    ]
)
