import CLinux

/// What is left of secrets where no type of ours can wipe it.
package enum Stack {
    /// Overwrites the 256 KiB of stack below the caller, where finished calls have left their locals.
    package static func wipe() { cl_wipe_stack() }

    /// The same for 64 KiB, for after each short request.
    package static func wipeShallow() { cl_wipe_stack_shallow() }
}
