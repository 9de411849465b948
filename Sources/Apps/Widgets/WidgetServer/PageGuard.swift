import Localization

/// Which requests are heard at all: those that were sent to this machine by somebody who knows that they were.
struct PageGuard {
    private let hosts: Set<String>

    /// - Parameter port: that is listened on.
    init(port: UInt16) {
        let names = ["127.0.0.1", "[::1]", "localhost"]
        hosts = Set(names.map { "\($0):\(port)" } + (port == 80 ? names : []))
    }

    /// - Returns: what a request is refused with; nil where it is heard.
    func refusal(of request: PageRequest) -> PageAnswer? {
        // A page of somebody's whose name leads to 127.0.0.1 (DNS rebinding) sends that name.
        let names = request.values(of: "host")
        guard names.count == 1, let host = names.first?.lowercased(), hosts.contains(host) else {
            return PageAnswer(.misdirected, localized("This answers to 127.0.0.1, [::1] and localhost, with the port."))
        }
        // Following a link, a frame or a picture sends no origin, nor does a program. A script of another origin does,
        // and "null" is one of somebody who hides which.
        guard request.values(of: "origin").allSatisfy({ origin in hosts.contains { origin == "http://" + $0 } }) else {
            return PageAnswer(.forbidden, localized("Scripts of other pages are not answered."))
        }
        guard ["GET", "HEAD"].contains(request.method) else {
            let allowed = PageAnswer.Header(name: "Allow", value: "GET, HEAD")
            return PageAnswer(.methodNotAllowed, localized("Pages are read, with GET or HEAD."), headers: [allowed])
        }
        return nil
    }
}
