package import Secrets

// What a request asked for, out of its answer; nil where the answer is another one.
extension EnclaveReply {
    package consuming func takeState() -> EnclaveState? {
        switch consume self {
        case .state(let state): return state
        case .done: return nil
        case .newKey: return nil
        case .key: return nil
        case .refused: return nil
        case .bytes: return nil
        case .newPrivateKey: return nil
        case .identifiers: return nil
        }
    }

    package consuming func takeNewKey() -> NewKey? {
        switch consume self {
        case .newKey(let new): return new
        case .done: return nil
        case .state: return nil
        case .key: return nil
        case .refused: return nil
        case .bytes: return nil
        case .newPrivateKey: return nil
        case .identifiers: return nil
        }
    }

    package consuming func takeKey() -> SecretBytes? {
        switch consume self {
        case .key(let key): return key.takeBytes()
        case .done: return nil
        case .state: return nil
        case .newKey: return nil
        case .refused: return nil
        case .bytes: return nil
        case .newPrivateKey: return nil
        case .identifiers: return nil
        }
    }

    package consuming func takeNewPrivateKey() -> NewPrivateKey? {
        switch consume self {
        case .newPrivateKey(let new): return new
        case .done: return nil
        case .state: return nil
        case .newKey: return nil
        case .key: return nil
        case .refused: return nil
        case .bytes: return nil
        case .identifiers: return nil
        }
    }

    package consuming func takeIdentifiers() -> [Identifier]? {
        switch consume self {
        case .identifiers(let list): return list
        case .done: return nil
        case .state: return nil
        case .newKey: return nil
        case .key: return nil
        case .refused: return nil
        case .bytes: return nil
        case .newPrivateKey: return nil
        }
    }

    /// A record, a signature or a witness; nothing where the answer is only that it was done.
    package consuming func takeBytes() -> [UInt8]? {
        switch consume self {
        case .bytes(let bytes): return bytes
        case .done: return []
        case .state: return nil
        case .newKey: return nil
        case .key: return nil
        case .refused: return nil
        case .newPrivateKey: return nil
        case .identifiers: return nil
        }
    }
}
