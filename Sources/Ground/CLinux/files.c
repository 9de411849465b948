#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <unistd.h>

int cl_open(const char *path, int flags, unsigned mode) {
    int fd = open(path, flags | O_CLOEXEC, mode);
    return fd < 0 ? -errno : fd;
}

int cl_openat(int directory, const char *name, int flags, unsigned mode) {
    int fd = openat(directory, name, flags | O_CLOEXEC, mode);
    return fd < 0 ? -errno : fd;
}

int cl_sync_file_system(int fd) { return syncfs(fd) < 0 ? -errno : 0; }

int cl_set_nonblocking(int fd, int on) {
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0) return -errno;
    flags = on ? flags | O_NONBLOCK : flags & ~O_NONBLOCK;
    return fcntl(fd, F_SETFL, flags) < 0 ? -errno : 0;
}

int cl_lock_exclusive(int fd) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_OFD_SETLK, &whole) < 0 ? -errno : 0;
}

static int unix_address(const char *path, struct sockaddr_un *address) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    size_t length = strlen(path);
    if (length >= sizeof address->sun_path) return -ENAMETOOLONG;
    memcpy(address->sun_path, path, length);
    return 0;
}

int cl_listen_unix(const char *path, int backlog) {
    struct sockaddr_un address;
    int result = unix_address(path, &address);
    if (result < 0) return result;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -errno;
    mode_t before = umask(0177);
    result = bind(fd, (struct sockaddr *)&address, sizeof address);
    int saved = errno;
    umask(before);
    if (result == 0 && listen(fd, backlog) == 0) return fd;
    if (result == 0) saved = errno;
    close(fd);
    return -saved;
}

// A socket's option that is a number; -1 where it has none.
static int socket_option(int fd, int option) {
    int value;
    socklen_t size = sizeof value;
    return getsockopt(fd, SOL_SOCKET, option, &value, &size) == 0 ? value : -1;
}

// 1 where the socket is bound to this path, and what lies there is a socket of this user.
static int is_bound_to(int fd, const char *path) {
    struct sockaddr_un address;
    memset(&address, 0, sizeof address);
    socklen_t size = sizeof address;
    if (getsockname(fd, (struct sockaddr *)&address, &size) != 0) return 0;
    size_t length = strlen(path);
    if (strnlen(address.sun_path, sizeof address.sun_path) != length) return 0;
    if (memcmp(address.sun_path, path, length) != 0) return 0;
    struct stat info;
    return lstat(path, &info) == 0 && S_ISSOCK(info.st_mode) && info.st_uid == getuid();
}

int cl_take_listener(int fd, const char *path, int backlog) {
    struct stat info;
    if (fstat(fd, &info) != 0) return -errno;
    if (!S_ISSOCK(info.st_mode)) return CL_LISTENER_NO_SOCKET;
    if (socket_option(fd, SO_DOMAIN) != AF_UNIX || socket_option(fd, SO_TYPE) != SOCK_STREAM)
        return CL_LISTENER_OTHER_KIND;
    if (socket_option(fd, SO_ACCEPTCONN) != 1) return CL_LISTENER_NOT_LISTENING;
    if (info.st_uid != getuid()) return CL_LISTENER_OF_ANOTHER;
    if (!is_bound_to(fd, path)) return CL_LISTENER_ELSEWHERE;
    if (fcntl(fd, F_SETFD, FD_CLOEXEC) != 0) return -errno;
    int result = cl_set_nonblocking(fd, 1);
    if (result < 0) return result;
    // Once more: listen(2) is what SO_PEERCRED tells of a server, to whoever connects behind it.
    return listen(fd, backlog) == 0 ? 0 : -errno;
}

int cl_notify(const char *address, const char *text) {
    struct sockaddr_un place;
    int result = unix_address(address, &place);
    if (result < 0) return result;
    // An abstract name has no zero byte at its end, so its length counts.
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(address));
    if (place.sun_path[0] == '@') place.sun_path[0] = 0;
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -errno;
    ssize_t sent = sendto(fd, text, strlen(text), MSG_NOSIGNAL, (struct sockaddr *)&place, size);
    int saved = errno;
    close(fd);
    return sent < 0 ? -saved : 0;
}

int cl_socket_timeout(int fd, int milliseconds) {
    struct timeval limit = {.tv_sec = milliseconds / 1000, .tv_usec = (milliseconds % 1000) * 1000};
    if (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) != 0) return -errno;
    return setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0 ? 0 : -errno;
}

int cl_connect_unix(const char *path) { return cl_connect_unix_within(path, 0); }

int cl_connect_unix_within(const char *path, int milliseconds) {
    struct sockaddr_un address;
    int result = unix_address(path, &address);
    if (result < 0) return result;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -errno;
    // unix(7): SO_SNDTIMEO bounds connect(2) as well. 0 waits for ever.
    if (milliseconds > 0 && (result = cl_socket_timeout(fd, milliseconds)) < 0) {
        close(fd);
        return result;
    }
    if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
    int saved = errno;
    close(fd);
    return -saved;
}

int cl_socketpair(int fds[2]) {
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == 0 ? 0 : -errno;
}

int cl_accept(int listener) {
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    return fd < 0 ? -errno : fd;
}

int cl_receive_timeout(int fd, int seconds) {
    struct timeval limit = {.tv_sec = seconds};
    return setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) < 0 ? -errno : 0;
}

ssize_t cl_write(int fd, const void *bytes, size_t size) {
    ssize_t put = send(fd, bytes, size, MSG_NOSIGNAL);
    return put < 0 && errno == ENOTSOCK ? write(fd, bytes, size) : put;
}

int cl_peer(int fd, pid_t *pid, uid_t *uid, gid_t *gid) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return -errno;
    *pid = peer.pid;
    *uid = peer.uid;
    *gid = peer.gid;
    return 0;
}

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

int64_t cl_file_system(int fd) {
    struct statfs info;
    if (fstatfs(fd, &info) != 0) return -errno;
    return (int64_t)info.f_type;
}

int cl_peer_pidfd(int fd, pid_t pid) {
    int process = -1;
    socklen_t size = sizeof process;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERPIDFD, &process, &size) == 0) return process;
    if (errno != ENOPROTOOPT) return -errno;
    process = (int)syscall(SYS_pidfd_open, pid, 0);
    return process < 0 ? -errno : process;
}

int cl_pidfd_open(pid_t pid) {
    int process = (int)syscall(SYS_pidfd_open, pid, 0);
    return process < 0 ? -errno : process;
}

int cl_pidfd_signal(int pidfd, int signal) {
    return syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0) == 0 ? 0 : -errno;
}

int cl_is_locked(int fd) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fd, F_OFD_GETLK, &lock) != 0) return -errno;
    return lock.l_type != F_UNLCK;
}
