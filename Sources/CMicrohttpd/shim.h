// libmicrohttpd, as Debian 12 ships it (0.9.75), for PageDaemon.swift: what takes variable arguments, or addresses.
#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H

#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

/// Names stay as they were sent: none of ours has a character that must be escaped, and %00 would end one early.
static inline size_t cmicrohttpd_leave(void *closure, struct MHD_Connection *connection, char *text) {
    (void)closure, (void)connection;
    return strlen(text);
}

/// How much of one program's time and memory others may take.
struct cmicrohttpd_limits {
    /// At a time.
    unsigned connections;
    /// Without a byte in either direction.
    unsigned idle_seconds;
    /// For the head of a request, and of its answer.
    size_t head_bytes;
};

/// Listens on 127.0.0.1 or ::1 and nowhere else, without a thread and without a log: whoever starts it polls its
/// descriptor. NULL with errno where that fails.
static inline struct MHD_Daemon *cmicrohttpd_listen(
    int is_version_6, uint16_t port, struct cmicrohttpd_limits limits, MHD_AccessHandlerCallback answer,
    MHD_NotifyConnectionCallback notice, void *closure) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    struct sockaddr_in6 longer = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
    longer.sin6_addr = in6addr_loopback;
    const struct sockaddr *place =
        is_version_6 ? (const struct sockaddr *)&longer : (const struct sockaddr *)&address;
    unsigned flags = MHD_USE_EPOLL | MHD_USE_SUPPRESS_DATE_NO_CLOCK;
    if (is_version_6) flags |= MHD_USE_IPv6;
    errno = 0;
    return MHD_start_daemon(
        flags, port, NULL, NULL, answer, closure, MHD_OPTION_SOCK_ADDR, place, MHD_OPTION_CONNECTION_LIMIT,
        limits.connections, MHD_OPTION_CONNECTION_TIMEOUT, limits.idle_seconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        limits.head_bytes, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_UNESCAPE_CALLBACK, cmicrohttpd_leave, NULL,
        MHD_OPTION_NOTIFY_CONNECTION, notice, closure, MHD_OPTION_END);
}

/// -1 where there is none.
static inline int cmicrohttpd_descriptor(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info == NULL ? -1 : info->epoll_fd;
}

/// 0 where there is none.
static inline uint16_t cmicrohttpd_port(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info == NULL ? 0 : info->port;
}

/// -1 where there is none.
static inline int cmicrohttpd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : (int)info->connect_fd;
}

/// Why listening failed; 0 where the library has not said.
static inline int cmicrohttpd_error(void) { return errno; }
static inline int cmicrohttpd_is_taken(int error) { return error == EADDRINUSE; }

/// The library closes the connection when it next looks.
static inline void cmicrohttpd_break(int socket) { (void)shutdown(socket, SHUT_RDWR); }

#endif
