#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <limits.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int cl_set_visible(int on) { return prctl(PR_SET_DUMPABLE, on ? 1 : 0, 0, 0, 0) != 0 ? -errno : 0; }

long cl_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -errno;
    return limit.rlim_cur > INT_MAX ? INT_MAX : (long)limit.rlim_cur;
}

int cl_harden(void) {
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS, SIGQUIT};
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) signal(fatal[i], SIG_DFL);
    signal(SIGPIPE, SIG_IGN);
    umask(0077);
    // A closed standard descriptor must not become one of our sockets.
    int fd;
    while ((fd = open("/dev/null", O_RDWR | O_CLOEXEC)) >= 0 && fd <= 2) {}
    if (fd > 2) close(fd);
    struct rlimit none = {0, 0};
    if (setrlimit(RLIMIT_CORE, &none) != 0) return -errno;
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return -errno;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -errno;
    return 0;
}

// Between fork and exec only async-signal-safe calls are made.
static void exec_child_saying(const char *path, char *const argv[], char *const envp[], const int *fds, int count, int in,
                              int out, int err) {
    // A signal that reaches the child this early is the child's, and not a word in the pipe that it shares with us.
    static const int caught[] = {SIGTERM, SIGINT, SIGHUP, SIGCHLD, SIGPIPE};
    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++) signal(caught[i], SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    // Move the wanted descriptors above the range they go to, so that dup2 never overwrites one still needed.
    int moved[CL_MOST_DESCRIPTORS];
    for (int i = 0; i < count; i++) {
        moved[i] = fcntl(fds[i], F_DUPFD, 64);
        if (moved[i] < 0) _exit(126);
    }
    if (in < 0) in = open("/dev/null", O_RDWR);
    if (in < 0 || dup2(in, 0) < 0) _exit(126);
    if (dup2(out, 1) < 0) _exit(126);
    if (err != 2 && dup2(err, 2) < 0) _exit(126);
    for (int i = 0; i < count; i++)
        if (dup2(moved[i], 3 + i) < 0) _exit(126);
    if (syscall(SYS_close_range, 3u + (unsigned)count, ~0u, 0) != 0)
        for (int fd = 3 + count; fd < 1024; fd++) close(fd);
    execve(path, argv, envp);
    _exit(127);
}

static void exec_child(const char *path, char *const argv[], char *const envp[], const int *fds, int count, int in, int out) {
    exec_child_saying(path, argv, envp, fds, count, in, out, out);
}

// fork(2) with every signal kept waiting on both sides: the child lets them through when it has no handler of ours.
static pid_t fork_quietly(void) {
    sigset_t all, former;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &former);
    pid_t pid = fork();
    if (pid != 0) pthread_sigmask(SIG_SETMASK, &former, NULL);
    return pid;
}

pid_t cl_spawn(const char *path, const char *argv0, const int *fds, int count) {
    if (count > CL_MOST_DESCRIPTORS) return -EINVAL;
    char *argv[] = {(char *)argv0, NULL};
    char *envp[] = {"SWIFT_BACKTRACE=enable=no", NULL};
    pid_t pid = fork_quietly();
    if (pid < 0) return -errno;
    if (pid == 0) exec_child(path, argv, envp, fds, count, -1, 2);
    return pid;
}

extern char **environ;

pid_t cl_spawn_detached(const char *path, char *const argv[], int out) {
    pid_t pid = fork_quietly();
    if (pid < 0) return -errno;
    if (pid == 0) {
        setsid();
        if (chdir("/") != 0) _exit(126);
        exec_child(path, argv, environ, NULL, 0, -1, out);
    }
    return pid;
}

pid_t cl_spawn_aside(const char *path, char *const argv[], int in, int out, int lives_on) {
    pid_t starter = getpid();
    pid_t pid = fork_quietly();
    if (pid < 0) return -errno;
    if (pid == 0) {
        setsid();
        int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
        if (chdir("/") != 0 || null < 0) _exit(126);
        if (!lives_on && (prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0) != 0 || getppid() != starter)) _exit(126);
        exec_child_saying(path, argv, environ, NULL, 0, in, out, null);
    }
    return pid;
}

pid_t cl_spawn_filter(const char *path, char *const argv[], int in, int out) {
    pid_t pid = fork_quietly();
    if (pid < 0) return -errno;
    if (pid == 0) exec_child(path, argv, environ, NULL, 0, in, out);
    return pid;
}

// The classic self-pipe. Not signalfd: libdispatch lets the main thread of a program wait with every signal let through.
static int signal_pipe = -1;
// What cl_signal_fd returned, once more: its owner may have closed that.
static int signal_end = -1;
static const int ending[] = {SIGTERM, SIGINT, SIGHUP};

static void note_signal(int number) {
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    if (write(signal_pipe, &byte, 1) < 0) { /* Full: enough signals wait already. */
    }
    errno = saved;
}

int cl_signal_fd(void) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return -errno;
    int former_pipe = signal_pipe, former_end = signal_end;
    signal_pipe = ends[1];
    signal_end = fcntl(ends[0], F_DUPFD_CLOEXEC, 0);
    if (former_pipe >= 0) close(former_pipe);
    if (former_end >= 0) close(former_end);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = note_signal;
    action.sa_flags = SA_RESTART;
    // Whoever started this program may have had them blocked, and a blocked mask is inherited.
    sigset_t heard;
    sigemptyset(&heard);
    sigaddset(&heard, SIGCHLD);
    if (sigaction(SIGCHLD, &action, NULL) != 0) return -errno;
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        if (sigaction(ending[i], &action, NULL) != 0) return -errno;
        sigaddset(&heard, ending[i]);
    }
    pthread_sigmask(SIG_UNBLOCK, &heard, NULL);
    return ends[0];
}

void cl_signal_release(void) {
    if (signal_end < 0) return;
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) signal(ending[i], SIG_DFL);
    // A byte that lies in the pipe would be gone with this image, and its sender would wait for ever.
    unsigned char number;
    while (read(signal_end, &number, 1) == 1)
        for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
            if (number == ending[i]) raise(number);
}

int cl_signal_add(int number) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = note_signal;
    action.sa_flags = SA_RESTART;
    return sigaction(number, &action, NULL) == 0 ? 0 : -errno;
}

int cl_signal_read(int fd) {
    unsigned char number;
    ssize_t got = read(fd, &number, 1);
    if (got != 1) return got < 0 ? -errno : -EIO;
    return number;
}

static int read_proc(pid_t pid, const char *file, char *text, size_t size) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, file);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return -errno;
    size_t used = 0;
    for (;;) {
        ssize_t got = read(fd, text + used, size - 1 - used);
        if (got <= 0) break;
        used += (size_t)got;
    }
    close(fd);
    text[used] = 0;
    return 0;
}

int cl_read_own_status(char *text, size_t size) { return read_proc(getpid(), "status", text, size); }

int cl_process_descriptor(pid_t pid) {
    int fd = (int)syscall(SYS_pidfd_open, pid, 0);
    return fd < 0 ? -errno : fd;
}

int cl_signal_process(int fd, int number) {
    return syscall(SYS_pidfd_send_signal, fd, number, NULL, 0) < 0 ? -errno : 0;
}

int cl_process_usage(pid_t pid, uint64_t *resident_bytes, uint64_t *cpu_microseconds, uint64_t *written_bytes) {
    char text[8192];
    int result = read_proc(pid, "stat", text, sizeof text);
    if (result < 0) return result;
    const char *after = strrchr(text, ')');
    unsigned long user = 0, kernel = 0;
    long pages = 0;
    if (!after || sscanf(after + 2,
                         "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %*d %*d %*d %*d %*d %*d %*u %*u %ld",
                         &user, &kernel, &pages) != 3)
        return -EINVAL;
    *resident_bytes = (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
    *cpu_microseconds = (uint64_t)(user + kernel) * (1000000u / (uint64_t)sysconf(_SC_CLK_TCK));
    *written_bytes = 0;
    if (read_proc(pid, "io", text, sizeof text) == 0) {
        const char *line = strstr(text, "\nwrite_bytes: ");
        if (line) *written_bytes = strtoull(line + 14, NULL, 10);
    }
    return 0;
}

static uint64_t clock_nanoseconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t cl_boot_milliseconds(void) { return clock_nanoseconds(CLOCK_BOOTTIME) / 1000000u; }
uint64_t cl_monotonic_nanoseconds(void) { return clock_nanoseconds(CLOCK_MONOTONIC); }
uint64_t cl_processor_nanoseconds(void) { return clock_nanoseconds(CLOCK_PROCESS_CPUTIME_ID); }
int64_t cl_wall_microseconds(void) { return (int64_t)(clock_nanoseconds(CLOCK_REALTIME) / 1000u); }
