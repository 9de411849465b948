import DiaryClient

/// The pictures of a page, which stand in no frame.
extension PageStack.Page {
    /// What is asked for once the terminal has said that it takes pictures.
    func wantedPictures(_ here: Surroundings) -> [PageWish] {
        switch self {
        case .entry(let entry): entry.wantedPictures.map { .ask($0) }
        case .files(let files): files.want(here)
        case .picture(let picture): picture.want(here)
        default: []
        }
    }

    /// Where those that have come are drawn.
    func picturePlaces(_ beside: BesidePane, _ here: Surroundings) -> [PicturePlace] {
        switch self {
        case .entry(let entry): entry.picturePlaces
        case .files(let files): files.picturePlace.map { [$0] } ?? []
        case .picture(let picture): picture.place.map { [$0] } ?? []
        case .list: beside.place(here).map { [$0] } ?? []
        default: []
        }
    }

    func picture(of file: String, _ beside: BesidePane) -> [UInt8]? {
        switch self {
        case .entry(let entry): entry.pictures[file]
        case .files(let files): files.pictures[file]
        case .picture(let picture): picture.picture(of: file)
        case .list: beside.picture(of: file)
        default: nil
        }
    }
}
