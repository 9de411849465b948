import Foundation
import PhotoDiary
import Security

// The book's chapter on the keychain as a program: each line of its input is stored, and then read back.
let password = ServicePassword(service: "Foo Services Ltd.", account: "PhotoDiaryUser", label: "PhotoDiary")
while let line = readLine() {
    let status = password.store(Data(line.utf8))
    guard status == errSecSuccess else {
        print("not stored:", SecCopyErrorMessageString(status, nil) as String? ?? "\(status)")
        exit(1)
    }
    let found = password.read()
    guard let data = found.password, let label = found.label else {
        print("not read:", SecCopyErrorMessageString(found.status, nil) as String? ?? "\(found.status)")
        exit(1)
    }
    print("\(label): \(String(decoding: data, as: UTF8.self))")
}
