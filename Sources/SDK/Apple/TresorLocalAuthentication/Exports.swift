// Apple's LocalAuthentication brings Foundation along; and a passcode is handed over in a type of ours.
@_exported public import Foundation
@_exported public import struct Secrets.SecretBytes
@_exported public import struct Secrets.SecretMemoryError
