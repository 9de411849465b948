#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

// What a ward says to its keeper, one message each: a letter, and what follows.
enum { ASK_CONNECTION = 'c', LEAVE_NOTE = 'n' };

// In the ward: its end. In the keeper: the ward's words for the next one; numbers of processes, nothing secret.
static int ward_end = -1;
static char note[CL_LONGEST_NOTE + 1];
static int signals = -1;
static pthread_mutex_t asking = PTHREAD_MUTEX_INITIALIZER;

// A fork copies the one thread that calls it, and locks that others held stay locked for ever.
static int has_one_thread(void) {
    char text[4096];
    if (cl_read_own_status(text, sizeof text) < 0) return 0;
    const char *line = strstr(text, "\nThreads:\t");
    return line && line[10] == '1' && line[11] == '\n';
}

static int begin_keeping(sigset_t *heard) {
    sigemptyset(heard);
    sigaddset(heard, SIGTERM);
    sigaddset(heard, SIGINT);
    sigaddset(heard, SIGHUP);
    sigaddset(heard, SIGCHLD);
    if (signals >= 0) return 0;
    if (prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 1) return -EPERM;
    if (!has_one_thread()) return -EBUSY;
    // What a ward has started and left is let go of here, and not by init, which does not know how long it may run.
    if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0) return -errno;
    if (sigprocmask(SIG_BLOCK, heard, NULL) != 0) return -errno;
    signals = signalfd(-1, heard, SFD_CLOEXEC | SFD_NONBLOCK);
    return signals < 0 ? -errno : 0;
}

pid_t cl_fork_ward(int *end) {
    sigset_t heard;
    int result = begin_keeping(&heard);
    if (result < 0) return result;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return -errno;
    const pid_t keeper = getpid();
    // The four signals stay blocked in the ward until it listens: none that comes in between is lost.
    pid_t pid = fork();
    if (pid < 0) {
        int saved = errno;
        close(ends[0]);
        close(ends[1]);
        return -saved;
    }
    if (pid > 0) {
        close(ends[1]);
        *end = ends[0];
        return pid;
    }
    close(ends[0]);
    close(signals);
    signals = -1;
    ward_end = ends[1];
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0 || getppid() != keeper) _exit(126);
    return 0;
}

static void answer(int end, const char *path) {
    int connection = cl_connect_unix(path);
    int code = connection < 0 ? -connection : 0;
    char control[CMSG_SPACE(sizeof(int))];
    memset(control, 0, sizeof control);
    struct iovec part = {&code, sizeof code};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (connection >= 0) {
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        struct cmsghdr *head = CMSG_FIRSTHDR(&message);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(sizeof connection);
        memcpy(CMSG_DATA(head), &connection, sizeof connection);
    }
    while (sendmsg(end, &message, MSG_NOSIGNAL) < 0 && errno == EINTR) {}
    if (connection >= 0) close(connection);
}

static int take_words(int end, const char *path) {
    char words[1 + CL_LONGEST_NOTE];
    ssize_t got = recv(end, words, sizeof words, MSG_DONTWAIT);
    if (got <= 0) return got < 0 && (errno == EAGAIN || errno == EINTR);
    if (words[0] == ASK_CONNECTION) answer(end, path);
    if (words[0] == LEAVE_NOTE) {
        memcpy(note, words + 1, (size_t)got - 1);
        note[got - 1] = 0;
    }
    return 1;
}

int cl_keep_ward(pid_t ward, int end, const char *path) {
    int status = 0, speaks = 1, ended = 0;
    while (!ended) {
        struct pollfd waiting[] = {{signals, POLLIN, 0}, {speaks ? end : -1, POLLIN, 0}};
        if (poll(waiting, 2, -1) < 0 && errno != EINTR) {
            int saved = errno;
            kill(ward, SIGKILL);
            close(end);
            return -saved;
        }
        // What it said before its end counts.
        if (waiting[1].revents) speaks = take_words(end, path);
        struct signalfd_siginfo heard;
        while (read(signals, &heard, sizeof heard) == (ssize_t)sizeof heard)
            if (heard.ssi_signo != SIGCHLD) kill(ward, SIGTERM);
        for (;;) {
            int left = 0;
            pid_t gone = waitpid(-1, &left, WNOHANG);
            if (gone <= 0) break;
            if (gone == ward) {
                ended = 1;
                status = left;
            } else {
                // One that a ward has left; this one may wait for its end.
                kill(ward, SIGCHLD);
            }
        }
    }
    while (speaks && recv(end, NULL, 0, MSG_PEEK | MSG_DONTWAIT) >= 0) speaks = take_words(end, "");
    close(end);
    return status;
}

int cl_connect_by_keeper(void) {
    if (ward_end < 0) return -ENOTCONN;
    pthread_mutex_lock(&asking);
    const char word = ASK_CONNECTION;
    int code = EPIPE, connection = -1;
    char control[CMSG_SPACE(sizeof(int))];
    struct iovec part = {&code, sizeof code};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    ssize_t moved;
    while ((moved = send(ward_end, &word, 1, MSG_NOSIGNAL)) < 0 && errno == EINTR) {}
    if (moved == 1)
        while ((moved = recvmsg(ward_end, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {}
    pthread_mutex_unlock(&asking);
    if (moved != (ssize_t)sizeof code) return -EPIPE;
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (code == 0 && head && head->cmsg_type == SCM_RIGHTS) memcpy(&connection, CMSG_DATA(head), sizeof connection);
    return connection >= 0 ? connection : -(code ? code : EPIPE);
}

int cl_has_keeper(void) { return ward_end >= 0; }

int cl_leave_note(const char *text) {
    char words[1 + CL_LONGEST_NOTE] = {LEAVE_NOTE};
    const size_t length = strlen(text);
    if (ward_end < 0) return -ENOTCONN;
    if (length > CL_LONGEST_NOTE) return -EMSGSIZE;
    memcpy(words + 1, text, length);
    return send(ward_end, words, length + 1, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

const char *cl_left_note(void) { return note; }

void cl_end_at_once(int code) { _exit(code); }
