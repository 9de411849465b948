import Secrets

/// Numbers from the system's generator, each as likely as any other, by way of locked memory alone.
struct RandomChoice: ~Copyable {
    private var pool: SecretBytes
    private var used = 0

    init() throws(SecretMemoryError) { pool = try SecretBytes.makeRandom(count: Self.poolSize) }

    private static let poolSize = 256

    /// A number from 0 to one below `count`.
    ///
    /// - Parameter count: from 1 to 65,536.
    mutating func below(_ count: Int) throws(SecretMemoryError) -> Int {
        let size = count <= 256 ? 1 : 2
        let range = 1 << (8 * size)
        // Behind the last whole multiple the first numbers would come once more: what lies there is drawn anew.
        let end = range - range % count
        while true {
            let number = try draw(size)
            if number < end { return number % count }
        }
    }

    private mutating func draw(_ size: Int) throws(SecretMemoryError) -> Int {
        if used + size > pool.count {
            pool = try SecretBytes.makeRandom(count: Self.poolSize)
            used = 0
        }
        let start = used
        used += size
        return pool.withBytes { bytes in
            (start..<start + size).reduce(0) { $0 << 8 | Int(bytes.byte(at: $1)) }
        }
    }
}
