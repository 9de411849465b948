import Linux
import Wire

extension DeviceOwner {
    /// A store without an enclave must not be given a fresh one, under whose keys nothing in it would open.
    static func refuseOrphanedStore(_ home: Home) throws {
        let hasStore = (try FileSystem.status(home.database)?.byteCount ?? 0) > 0
        let hasDevice = try ["device", "spare"].contains { try FileSystem.status(home.enclave + "/" + $0) != nil }
        if hasStore && !hasDevice { throw DaemonFailure.damaged(home.enclave + "/device") }
        let hadStore = try FileSystem.status(home.storeMark) != nil
        if hadStore && !hasStore { throw DaemonFailure.damaged(home.database) }
    }
}
