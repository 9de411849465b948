import CLinux

/// malloc(3)'s own memory.
package enum Heap {
    /// Keeps freed blocks of up to 4 MiB for the next one, for a program through which large messages pass.
    ///
    /// Each would else be given back to the system, and taken anew page by page.
    package static func reuseLargeBlocks() { cl_reuse_large_blocks() }
}

/// What is left of secrets where no type of ours can wipe it.
package enum Stack {
    /// Overwrites the 256 KiB of stack below the caller, where finished calls have left their locals.
    package static func wipe() { cl_wipe_stack() }

    /// The same for 64 KiB, for after each short request.
    package static func wipeShallow() { cl_wipe_stack_shallow() }
}
