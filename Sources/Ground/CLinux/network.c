#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct question {
    struct nlmsghdr head;
    struct inet_diag_req_v2 body;
};

static void put_place(const struct sockaddr_in6 *place, __be16 *port, __be32 *address) {
    const struct sockaddr_in *shorter = (const struct sockaddr_in *)place;
    // At the same place in both kinds of addresses.
    *port = shorter->sin_port;
    if (place->sin6_family == AF_INET6) memcpy(address, &place->sin6_addr, 16);
    else memcpy(address, &shorter->sin_addr, 4);
}

// sock_diag(7). The one socket is asked for whose own end is our other end.
int cl_tcp_peer_user(int fd, uid_t *user) {
    struct sockaddr_in6 ours, theirs;
    memset(&ours, 0, sizeof ours);
    memset(&theirs, 0, sizeof theirs);
    socklen_t size = sizeof ours;
    if (getsockname(fd, (struct sockaddr *)&ours, &size) != 0) return -errno;
    size = sizeof theirs;
    if (getpeername(fd, (struct sockaddr *)&theirs, &size) != 0) return -errno;
    struct question question;
    memset(&question, 0, sizeof question);
    question.head.nlmsg_len = sizeof question;
    question.head.nlmsg_type = SOCK_DIAG_BY_FAMILY;
    question.head.nlmsg_flags = NLM_F_REQUEST;
    question.body.sdiag_family = ours.sin6_family;
    question.body.sdiag_protocol = IPPROTO_TCP;
    question.body.idiag_states = ~0u;
    put_place(&theirs, &question.body.id.idiag_sport, question.body.id.idiag_src);
    put_place(&ours, &question.body.id.idiag_dport, question.body.id.idiag_dst);
    question.body.id.idiag_cookie[0] = question.body.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
    int kernel = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (kernel < 0) return -errno;
    union {
        struct nlmsghdr head;
        char bytes[1024];
    } answer;
    // The kernel has answered when send(2) comes back.
    ssize_t count = send(kernel, &question, sizeof question, 0);
    if (count >= 0) count = recv(kernel, &answer, sizeof answer, MSG_DONTWAIT);
    int result = count < 0 ? -errno : -ESRCH;
    const struct inet_diag_msg *found = NLMSG_DATA(&answer.head);
    // One that was closed on that side (TIME_WAIT) is nobody's any more, and would be told as root's.
    if (count >= (ssize_t)NLMSG_LENGTH(sizeof *found) && answer.head.nlmsg_type == SOCK_DIAG_BY_FAMILY &&
        found->idiag_inode != 0) {
        *user = found->idiag_uid;
        result = 0;
    }
    close(kernel);
    return result;
}
