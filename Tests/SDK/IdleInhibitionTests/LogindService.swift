import DesktopBus
import Foundation
import IdleInhibition

typealias LogindService = DesktopService

extension DesktopService {
    var place: LogindPlace { LogindPlace(address: address, trustedUser: getuid()) }
}
