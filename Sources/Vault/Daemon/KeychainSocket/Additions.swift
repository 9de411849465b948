import KeychainStore
import Secrets
import Wire

/// Items that a client adds one behind the other, without waiting: they go to the disk together, and each is answered
/// when it is there.
///
/// They wait for what has come with them, and for nobody else: ``settle(_:)`` follows before another connection has its
/// turn.
struct Additions {
    private var connection: Connection?
    private var answers: [(id: UInt32, bytes: [UInt8])] = []

    init() {}

    var isOpen: Bool { connection != nil }

    /// An addition comes.
    mutating func begin(_ device: DeviceOwner, _ connection: Connection) throws {
        // Where no batch can be begun, or go on, it goes by itself, and says why it cannot.
        do {
            if !device.store.isInBatch { try device.refuseReplaced() }
            try device.store.beginBatch()
        } catch { return try settle(device) }
        self.connection = connection
    }

    /// Keeps an addition's answer until the item is on the disk.
    ///
    /// - Returns: false where it waits for nothing, and is to be sent.
    mutating func keep(_ answer: borrowing SecretBuffer, id: UInt32) -> Bool {
        guard connection != nil else { return false }
        // A reference, or an error: nothing in it is secret.
        answers.append((id: id, bytes: answer.withBytes { $0.copyToArray() }))
        return true
    }

    /// Waits for the disk, and answers.
    mutating func settle(_ device: DeviceOwner) throws {
        guard let connection else { return }
        let waiting = answers
        self = Additions()
        do {
            try device.store.endBatch()
            try waiting.flatMap(\.bytes).withSpan { try connection.send($0) }
        } catch let error as KeychainError {
            if error.reason == .storeReplaced { device.noteReplaced() }
            var buffer = try SecretBuffer(capacity: 4096)
            for answer in waiting { try KeychainReply.append(error, id: answer.id, to: &buffer) }
            try buffer.withBytes { try connection.send($0) }
        }
    }
}
