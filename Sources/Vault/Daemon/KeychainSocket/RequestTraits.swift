import Wire

// What holds for each request of a kind, whatever its fields say.
extension KeychainRequest.Opcode {
    /// Who may say it.
    enum Audience {
        /// Every program of this user; what it may reach is looked at where it reaches for something.
        case everybody
        /// Programs that the daemon knows.
        case knownPrograms
        /// The command `tresor` alone.
        case owner
    }

    var audience: Audience {
        switch self {
        case .setPasscode, .changePasscode, .removePasscode, .resetPasscode, .changeSettings, .setIdleLock, .stop,
            .registerApp, .removeApp, .apps, .changeGrant, .groups, .purgeGroup, .changeAdvertising, .keychains,
            .createKeychain, .deleteKeychain, .chooseKeychain, .openKeychain, .closeKeychain, .changeKeychainPasscode,
            .ownerInput, .look, .trashTime, .findNames:
            .owner
        case .securityKeys, .enrolSecurityKey, .removeSecurityKey, .proveSecurityKey, .giveItemPassword, .countTry,
            .endTry:
            .knownPrograms
        case .status, .lock, .unlock, .add, .find, .update, .remove, .provePresence, .subscribe, .echo, .openSession,
            .makeSessionKey, .unwrapSessionKey, .extendSession, .closeSession, .hold, .identify, .identifiers,
            .proveBiometry, .biometry, .useKey, .trash, .trashed, .restore, .emptyTrash:
            .everybody
        }
    }

    /// What the loop has to do before the answer to a request of this kind is sent, whatever it is.
    var consequence: KeychainService.Consequence {
        switch self {
        // A reset destroys class keys, and what a shut keychain held is wiped as at a lock.
        case .lock, .resetPasscode, .deleteKeychain, .closeKeychain: .locked
        case .stop: .stop
        case .status, .unlock, .setPasscode, .changePasscode, .removePasscode, .changeSettings, .setIdleLock, .add,
            .find, .update, .remove, .provePresence, .subscribe, .echo, .openSession, .makeSessionKey,
            .unwrapSessionKey, .extendSession, .closeSession, .hold, .identify, .registerApp, .removeApp, .apps,
            .changeGrant, .groups, .purgeGroup, .identifiers, .changeAdvertising, .proveBiometry, .biometry,
            .keychains, .createKeychain, .chooseKeychain, .openKeychain, .changeKeychainPasscode, .useKey,
            .securityKeys, .enrolSecurityKey, .removeSecurityKey, .proveSecurityKey, .giveItemPassword, .ownerInput,
            .countTry, .endTry, .look, .trash, .trashed, .restore, .emptyTrash, .trashTime, .findNames:
            .none
        }
    }

    /// What is answered though the device's files do not stand under their names any more.
    var worksOnReplacedFiles: Bool {
        switch self {
        case .status, .lock, .subscribe, .echo, .stop, .closeSession, .hold, .identify, .identifiers:
            true
        case .unlock, .setPasscode, .changePasscode, .removePasscode, .resetPasscode, .changeSettings, .setIdleLock,
            .add, .find, .update, .remove, .provePresence, .openSession, .makeSessionKey, .unwrapSessionKey,
            .extendSession, .registerApp, .removeApp, .apps, .changeGrant, .groups, .purgeGroup, .changeAdvertising,
            .proveBiometry, .biometry, .keychains, .createKeychain, .deleteKeychain, .chooseKeychain, .openKeychain,
            .closeKeychain, .changeKeychainPasscode, .useKey, .securityKeys, .enrolSecurityKey, .removeSecurityKey,
            .proveSecurityKey, .giveItemPassword, .ownerInput, .countTry, .endTry, .look, .trash, .trashed, .restore,
            .emptyTrash, .trashTime, .findNames:
            false
        }
    }

    /// Whether the owner has shown that they are there, where it was granted: by a passcode, a touch, a key typed into
    /// a screen of ours, or by saying when the device locks.
    ///
    /// What programs ask for by themselves is none of this, so that nothing they do keeps the device open.
    var showsOwner: Bool {
        switch self {
        case .unlock, .setPasscode, .changePasscode, .removePasscode, .changeSettings, .setIdleLock, .provePresence,
            .createKeychain, .openKeychain, .changeKeychainPasscode, .proveSecurityKey, .ownerInput:
            true
        case .status, .lock, .resetPasscode, .add, .find, .update, .remove, .subscribe, .echo, .stop, .openSession,
            .makeSessionKey, .unwrapSessionKey, .extendSession, .closeSession, .hold, .identify, .registerApp,
            .removeApp, .apps, .changeGrant, .groups, .purgeGroup, .identifiers, .changeAdvertising, .proveBiometry,
            .biometry, .keychains, .deleteKeychain, .chooseKeychain, .closeKeychain, .useKey, .securityKeys,
            .enrolSecurityKey, .removeSecurityKey, .giveItemPassword, .countTry, .endTry, .look, .trash, .trashed,
            .restore, .emptyTrash, .trashTime, .findNames:
            false
        }
    }
}
