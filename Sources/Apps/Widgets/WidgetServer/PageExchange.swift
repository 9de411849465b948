/// A request, as far as it is looked at.
struct PageRequest {
    var method: String
    /// As it was sent, up to the question mark.
    var path: String
    /// What stands behind the question mark.
    var query: [(name: String, value: String)]
    var headers: [(name: String, value: String)]

    /// Every value of a header, whose name may be in letters of any size.
    func values(of name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name }.map(\.value)
    }
}

/// What is answered.
struct PageAnswer: Equatable {
    /// RFC 9110, section 15.
    enum Status: UInt32 {
        case ok = 200
        case badRequest = 400
        case forbidden = 403
        case notFound = 404
        case methodNotAllowed = 405
        case misdirected = 421
        case unavailable = 503
    }

    struct Header: Equatable {
        var name: String
        var value: String
    }

    var status: Status
    var headers: [Header]
    var body: [UInt8]

    /// - Parameter type: the body's media type.
    init(_ status: Status, type: String, body: [UInt8], headers: [Header] = []) {
        self.status = status
        self.headers = [Header(name: "Content-Type", value: type)] + headers
        self.body = body
    }

    /// Words for whoever tries an address in a browser.
    init(_ status: Status, _ words: String, headers: [Header] = []) {
        self.init(status, type: "text/plain; charset=utf-8", body: Array((words + "\n").utf8), headers: headers)
    }
}
