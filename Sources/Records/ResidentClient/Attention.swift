/// What a client keeps an eye on while it waits for an answer: word of a lock does not wait for a busy program.
package struct Attention {
    /// To poll; nil while there is nothing to hear from.
    package let descriptor: () -> Int32?
    /// Takes what has come.
    ///
    /// Returns whether the answer is worth one more second, and no longer.
    package let hear: () -> Bool

    /// - Parameters:
    ///   - descriptor: to poll; nil while there is nothing to hear from.
    ///   - hear: takes what has come, and returns whether the answer is worth one more second.
    package init(descriptor: @escaping () -> Int32?, hear: @escaping () -> Bool) {
        self.descriptor = descriptor
        self.hear = hear
    }
}
