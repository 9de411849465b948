public import TresorCoreFoundation
public import Foundation

// Values of internet passwords.

// Protocols

/// FTP.
@safe nonisolated(unsafe) public let kSecAttrProtocolFTP: CFString = "ftp " as CFString

/// An FTP account.
@safe nonisolated(unsafe) public let kSecAttrProtocolFTPAccount: CFString = "ftpa" as CFString

/// HTTP.
@safe nonisolated(unsafe) public let kSecAttrProtocolHTTP: CFString = "http" as CFString

/// IRC.
@safe nonisolated(unsafe) public let kSecAttrProtocolIRC: CFString = "irc " as CFString

/// NNTP.
@safe nonisolated(unsafe) public let kSecAttrProtocolNNTP: CFString = "nntp" as CFString

/// POP3.
@safe nonisolated(unsafe) public let kSecAttrProtocolPOP3: CFString = "pop3" as CFString

/// SMTP.
@safe nonisolated(unsafe) public let kSecAttrProtocolSMTP: CFString = "smtp" as CFString

/// SOCKS.
@safe nonisolated(unsafe) public let kSecAttrProtocolSOCKS: CFString = "sox " as CFString

/// IMAP.
@safe nonisolated(unsafe) public let kSecAttrProtocolIMAP: CFString = "imap" as CFString

/// LDAP.
@safe nonisolated(unsafe) public let kSecAttrProtocolLDAP: CFString = "ldap" as CFString

/// AppleTalk.
@safe nonisolated(unsafe) public let kSecAttrProtocolAppleTalk: CFString = "atlk" as CFString

/// AFP.
@safe nonisolated(unsafe) public let kSecAttrProtocolAFP: CFString = "afp " as CFString

/// Telnet.
@safe nonisolated(unsafe) public let kSecAttrProtocolTelnet: CFString = "teln" as CFString

/// SSH.
@safe nonisolated(unsafe) public let kSecAttrProtocolSSH: CFString = "ssh " as CFString

/// FTP over TLS.
@safe nonisolated(unsafe) public let kSecAttrProtocolFTPS: CFString = "ftps" as CFString

/// HTTP over TLS.
@safe nonisolated(unsafe) public let kSecAttrProtocolHTTPS: CFString = "htps" as CFString

/// HTTP proxy.
@safe nonisolated(unsafe) public let kSecAttrProtocolHTTPProxy: CFString = "htpx" as CFString

/// HTTPS proxy.
@safe nonisolated(unsafe) public let kSecAttrProtocolHTTPSProxy: CFString = "htsx" as CFString

/// FTP proxy.
@safe nonisolated(unsafe) public let kSecAttrProtocolFTPProxy: CFString = "ftpx" as CFString

/// SMB.
@safe nonisolated(unsafe) public let kSecAttrProtocolSMB: CFString = "smb " as CFString

/// RTSP.
@safe nonisolated(unsafe) public let kSecAttrProtocolRTSP: CFString = "rtsp" as CFString

/// RTSP proxy.
@safe nonisolated(unsafe) public let kSecAttrProtocolRTSPProxy: CFString = "rtsx" as CFString

/// DAAP.
@safe nonisolated(unsafe) public let kSecAttrProtocolDAAP: CFString = "daap" as CFString

/// Remote Apple events.
@safe nonisolated(unsafe) public let kSecAttrProtocolEPPC: CFString = "eppc" as CFString

/// IPP.
@safe nonisolated(unsafe) public let kSecAttrProtocolIPP: CFString = "ipp " as CFString

/// NNTP over TLS.
@safe nonisolated(unsafe) public let kSecAttrProtocolNNTPS: CFString = "ntps" as CFString

/// LDAP over TLS.
@safe nonisolated(unsafe) public let kSecAttrProtocolLDAPS: CFString = "ldps" as CFString

/// Telnet over TLS.
@safe nonisolated(unsafe) public let kSecAttrProtocolTelnetS: CFString = "tels" as CFString

/// IMAP over TLS.
@safe nonisolated(unsafe) public let kSecAttrProtocolIMAPS: CFString = "imps" as CFString

/// IRC over TLS.
@safe nonisolated(unsafe) public let kSecAttrProtocolIRCS: CFString = "ircs" as CFString

/// POP3 over TLS.
@safe nonisolated(unsafe) public let kSecAttrProtocolPOP3S: CFString = "pops" as CFString

// Authentication types

/// Windows NT LAN Manager.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeNTLM: CFString = "ntlm" as CFString

/// Microsoft Network's default.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeMSN: CFString = "msna" as CFString

/// Distributed password authentication.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeDPA: CFString = "dpaa" as CFString

/// Remote password authentication.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeRPA: CFString = "rpaa" as CFString

/// HTTP basic authentication.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeHTTPBasic: CFString = "http" as CFString

/// HTTP digest authentication.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeHTTPDigest: CFString = "httd" as CFString

/// A form on a page.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeHTMLForm: CFString = "form" as CFString

/// The default.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeDefault: CFString = "dflt" as CFString
