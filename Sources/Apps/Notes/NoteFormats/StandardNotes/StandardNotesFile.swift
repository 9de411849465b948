import FoundationEssentials

/// A backup of Standard Notes, decrypted: what we read and write of it.
struct StandardNotesFile: Decodable {
    var items: [Item]
    /// Only an encrypted backup says how.
    var isSealed: Bool

    private enum Keys: String, CodingKey { case items, keyParams, auth_params }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        items = try container.decode([Item].self, forKey: .items)
        isSealed = container.contains(.keyParams) || container.contains(.auth_params)
    }

    struct Item: Codable {
        var uuid: String
        var content_type: String
        var content: Content?
        var created_at: String?
        var updated_at: String?
        var deleted: Bool?
        /// Its content is a text: sealed.
        var isSealed = false

        private enum CodingKeys: String, CodingKey { case uuid, content_type, content, created_at, updated_at, deleted }

        init(uuid: String, content_type: String, content: Content, created_at: String, updated_at: String) {
            (self.uuid, self.content_type, self.content) = (uuid, content_type, content)
            (self.created_at, self.updated_at) = (created_at, updated_at)
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            uuid = try container.decode(String.self, forKey: .uuid)
            content_type = try container.decode(String.self, forKey: .content_type)
            isSealed = (try? container.decode(String.self, forKey: .content)) != nil
            content = isSealed ? nil : try? container.decode(Content.self, forKey: .content)
            created_at = try? container.decode(String.self, forKey: .created_at)
            updated_at = try? container.decode(String.self, forKey: .updated_at)
            deleted = try? container.decode(Bool.self, forKey: .deleted)
        }
    }

    struct Content: Codable {
        var title: String?
        var text: String?
        var references: [Reference]?
        var noteType: String?
        var editorIdentifier: String?
        var trashed: Bool?
        var appData: AppData?

        init(title: String, text: String?, references: [Reference]) {
            (self.title, self.text, self.references) = (title, text, references)
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            title = try? container.decode(String.self, forKey: .title)
            text = try? container.decode(String.self, forKey: .text)
            references = try? container.decode([Reference].self, forKey: .references)
            noteType = try? container.decode(String.self, forKey: .noteType)
            editorIdentifier = try? container.decode(String.self, forKey: .editorIdentifier)
            trashed = try? container.decode(Bool.self, forKey: .trashed)
            appData = try? container.decode(AppData.self, forKey: .appData)
        }
    }

    struct Reference: Codable {
        var uuid: String
        var content_type: String
        var reference_type: String?
    }

    struct AppData: Codable {
        var standardNotes: Flags?
        var tresor: OwnFacts?

        private enum CodingKeys: String, CodingKey {
            case standardNotes = "org.standardnotes.sn"
            case tresor = "org.tresor"
        }

        init(standardNotes: Flags, tresor: OwnFacts?) {
            (self.standardNotes, self.tresor) = (standardNotes, tresor)
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            standardNotes = try? container.decode(Flags.self, forKey: .standardNotes)
            tresor = (try? container.decode(OwnFacts.self, forKey: .tresor)).flatMap { $0.isWhole ? $0 : nil }
        }
    }

    struct Flags: Codable {
        var pinned: Bool?
        var archived: Bool?
        var client_updated_at: String?

        init(pinned: Bool, client_updated_at: String) {
            (self.pinned, self.client_updated_at) = (pinned, client_updated_at)
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            pinned = try? container.decode(Bool.self, forKey: .pinned)
            archived = try? container.decode(Bool.self, forKey: .archived)
            client_updated_at = try? container.decode(String.self, forKey: .client_updated_at)
        }
    }
}
