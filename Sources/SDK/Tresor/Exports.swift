// What this module's own interface speaks of: a program imports Tresor and nothing below it.
@_exported public import enum Protection.LockState
@_exported public import enum Protection.ProtectionClass
@_exported public import enum Protection.DelayPolicy
@_exported public import struct Protection.AccessControl
@_exported public import struct Protection.PasscodeStrength
@_exported public import struct Secrets.SecretBytes
@_exported public import struct Secrets.SecretMemoryError
@_exported public import struct Secrets.Identifier
@_exported public import enum Wire.ItemKind
@_exported public import struct Wire.PersistentReference
