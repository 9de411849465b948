/// A place on Earth, with the names that somebody or some program gave it.
package struct DiaryPlace: Codable, Sendable, Equatable {
    /// Degrees north of the equator in WGS 84, from −90 to 90.
    package var latitude: Double
    /// Degrees east of Greenwich in WGS 84, from −180 to 180.
    package var longitude: Double
    /// Such as the name of a café.
    package var name: String?
    /// A town or village.
    package var locality: String?
    /// A state, province or county.
    package var region: String?
    /// In whatever form the person or program wrote it.
    package var country: String?

    private enum CodingKeys: String, CodingKey { case latitude, longitude, name, locality, region, country }

    /// Refuses what is no place, whoever says it.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        guard
            let place = DiaryPlace(
                latitude: try values.decode(Double.self, forKey: .latitude),
                longitude: try values.decode(Double.self, forKey: .longitude),
                name: try values.decodeIfPresent(String.self, forKey: .name),
                locality: try values.decodeIfPresent(String.self, forKey: .locality),
                region: try values.decodeIfPresent(String.self, forKey: .region),
                country: try values.decodeIfPresent(String.self, forKey: .country))
        else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no place on Earth"))
        }
        self = place
    }

    /// Nil for what is no place: coordinates beyond the poles or the date line, or none.
    package init?(
        latitude: Double, longitude: Double, name: String? = nil, locality: String? = nil, region: String? = nil,
        country: String? = nil
    ) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
        self.name = name
        self.locality = locality
        self.region = region
        self.country = country
    }
}
