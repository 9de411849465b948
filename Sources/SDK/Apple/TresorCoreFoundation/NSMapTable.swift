public import Foundation

/// A table from objects to objects that it need not keep alive, for Foundation on Linux has none.
///
/// Keys are kept, and compared with `isEqual(_:)`. Tables with weak keys are not here.
///
///     let open = NSMapTable<NSString, Document>.strongToWeakObjects()
///     open.setObject(document, forKey: "letter")
///
/// A table belongs to one thread or task at a time.
open class NSMapTable<KeyType: AnyObject, ObjectType: AnyObject>: NSObject {
    private let keepsObjects: Bool
    private var entries: [Key: Entry] = [:]
    /// With so many entries, those whose object is gone are swept out.
    private var sweepCount = 32

    private struct Key: Hashable {
        let object: KeyType

        static func == (one: Key, other: Key) -> Bool {
            guard let known = one.object as? NSObject else { return one.object === other.object }
            return known.isEqual(other.object)
        }

        func hash(into hasher: inout Hasher) {
            if let known = object as? NSObject { return hasher.combine(known.hash) }
            hasher.combine(ObjectIdentifier(object))
        }
    }

    private struct Entry {
        weak var object: ObjectType?
        let kept: ObjectType?
    }

    init(keepingObjects: Bool) { keepsObjects = keepingObjects }

    /// A table that keeps its objects alive.
    public class func strongToStrongObjects() -> NSMapTable<KeyType, ObjectType> {
        NSMapTable<KeyType, ObjectType>(keepingObjects: true)
    }

    /// A table whose objects are gone from it when nobody else keeps them.
    public class func strongToWeakObjects() -> NSMapTable<KeyType, ObjectType> {
        NSMapTable<KeyType, ObjectType>(keepingObjects: false)
    }

    /// How many keys have an object now.
    open var count: Int { entries.values.count { $0.object != nil } }

    /// The key's object; nil for no key, for one without an object, and where the object is gone.
    open func object(forKey key: KeyType?) -> ObjectType? { key.flatMap { entries[Key(object: $0)]?.object } }

    /// Puts an object under a key, in place of what was there; nil removes that.
    open func setObject(_ object: ObjectType?, forKey key: KeyType?) {
        guard let key else { return }
        entries[Key(object: key)] = object.map { Entry(object: $0, kept: keepsObjects ? $0 : nil) }
        guard entries.count > sweepCount else { return }
        entries = entries.filter { $0.value.object != nil }
        sweepCount = 2 * max(16, entries.count)
    }

    /// Removes a key and its object, if it is there.
    open func removeObject(forKey key: KeyType?) { setObject(nil, forKey: key) }

    /// Removes everything.
    open func removeAllObjects() { entries = [:] }
}
