// libmicrohttpd, as Debian 12 ships it (0.9.75), for PageDaemon.swift: what takes variable arguments, or addresses.
#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H

#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

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

/// A socket that listens on 127.0.0.1 or ::1 and nowhere else; -errno where that fails.
static inline int cmicrohttpd_listen(int is_version_6, uint16_t port, int waiting) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    struct sockaddr_in6 longer = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
    longer.sin6_addr = in6addr_loopback;
    const struct sockaddr *place =
        is_version_6 ? (const struct sockaddr *)&longer : (const struct sockaddr *)&address;
    int fd = socket(is_version_6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -errno;
    const int on = 1;
    // What a server before this one left behind (TIME_WAIT) keeps nobody out.
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if ((!is_version_6 || setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on) == 0) &&
        bind(fd, place, is_version_6 ? sizeof longer : sizeof address) == 0 && listen(fd, waiting) == 0)
        return fd;
    int saved = errno;
    close(fd);
    return -saved;
}

/// 0 where it has none.
static inline uint16_t cmicrohttpd_port(int listener) {
    struct sockaddr_in6 address;
    socklen_t size = sizeof address;
    if (getsockname(listener, (struct sockaddr *)&address, &size) != 0) return 0;
    // At the same place in both kinds of addresses.
    return ntohs(((struct sockaddr_in *)&address)->sin_port);
}

/// Serves connections that are given to it, without a thread and without a log: whoever starts it polls its
/// descriptor. NULL with errno where that fails.
static inline struct MHD_Daemon *cmicrohttpd_start(
    struct cmicrohttpd_limits limits, MHD_AccessHandlerCallback answer, MHD_NotifyConnectionCallback notice,
    void *closure) {
    errno = 0;
    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_SUPPRESS_DATE_NO_CLOCK, 0, NULL, NULL, answer, closure,
        MHD_OPTION_CONNECTION_LIMIT, limits.connections, MHD_OPTION_CONNECTION_TIMEOUT, limits.idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.head_bytes, MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_UNESCAPE_CALLBACK, cmicrohttpd_leave, NULL, MHD_OPTION_NOTIFY_CONNECTION, notice, closure,
        MHD_OPTION_END);
}

/// Gives it a connection, which is its own from then on: it closes it, also where this fails.
static inline int cmicrohttpd_add(struct MHD_Daemon *daemon, int fd) {
    struct sockaddr_in6 place;
    socklen_t size = sizeof place;
    memset(&place, 0, sizeof place);
    if (getpeername(fd, (struct sockaddr *)&place, &size) != 0) {
        close(fd);
        return 0;
    }
    return MHD_add_connection(daemon, fd, (const struct sockaddr *)&place, size) == MHD_YES;
}

/// -1 where there is none.
static inline int cmicrohttpd_descriptor(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info == NULL ? -1 : info->epoll_fd;
}

/// -1 where there is none.
static inline int cmicrohttpd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : (int)info->connect_fd;
}

static inline int cmicrohttpd_is_taken(int error) { return error == EADDRINUSE; }

/// The library closes the connection when it next looks.
static inline void cmicrohttpd_break(int socket) { (void)shutdown(socket, SHUT_RDWR); }

#endif
