#define _GNU_SOURCE
#include "CLinux.h"

#include <linux/magic.h>
#include <sys/vfs.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int cl_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) == 0 ? 0 : -errno; }

static volatile pid_t guarded_group = 0;

void cl_guard_group(pid_t group) { guarded_group = group; }

static volatile pid_t keeper_of_parent = 0, first_parent = 0;
static volatile sig_atomic_t is_left = 0;

static void end_guarded_group(int number) {
    // The kernel gives a process to its new parent before it tells of the end of the old one.
    if (number == SIGTERM && !is_left && keeper_of_parent > 1 && first_parent != keeper_of_parent &&
        getppid() == keeper_of_parent) {
        is_left = 1;
        alarm(60);
        return;
    }
    if (guarded_group > 1) kill(-guarded_group, SIGKILL);
    _exit(128 + SIGTERM);
}

int cl_end_guarded_group(pid_t keeper) {
    first_parent = getppid();
    keeper_of_parent = keeper;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = end_guarded_group;
    action.sa_flags = SA_RESTART;
    sigset_t heard;
    sigemptyset(&heard);
    sigaddset(&heard, SIGTERM);
    sigaddset(&heard, SIGALRM);
    if (sigaction(SIGTERM, &action, NULL) != 0 || sigaction(SIGALRM, &action, NULL) != 0 ||
        pthread_sigmask(SIG_UNBLOCK, &heard, NULL) != 0)
        return -errno;
    return prctl(PR_SET_PDEATHSIG, SIGTERM) == 0 ? 0 : -errno;
}

pid_t cl_spawn_program(const char *path, char *const envp[], int in, int out) {
    char *argv[] = {(char *)path, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    const short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID;
    pid_t pid = 0;
    int code;
    // A SIGTERM in between would leave a program behind that nobody guards yet.
    sigset_t former;
    pthread_sigmask(SIG_BLOCK, &all, &former);
    if ((code = posix_spawn_file_actions_adddup2(&actions, in, 0)) == 0 &&
        (code = posix_spawn_file_actions_adddup2(&actions, out, 1)) == 0 &&
        (code = posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)) == 0 &&
        (code = posix_spawn_file_actions_addclosefrom_np(&actions, 3)) == 0 &&
        (code = posix_spawn_file_actions_addchdir_np(&actions, "/")) == 0 &&
        // Blocked and ignored signals would be inherited.
        (code = posix_spawnattr_setsigmask(&attributes, &none)) == 0 &&
        (code = posix_spawnattr_setsigdefault(&attributes, &all)) == 0 &&
        (code = posix_spawnattr_setflags(&attributes, flags)) == 0)
        code = posix_spawn(&pid, path, &actions, &attributes, argv, envp);
    if (code == 0) guarded_group = pid;
    pthread_sigmask(SIG_SETMASK, &former, NULL);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return code == 0 ? pid : -code;
}

void cl_reap_others(pid_t kept) {
    for (;;) {
        siginfo_t info;
        memset(&info, 0, sizeof info);
        // Looked at first: whose end is taken by somebody else must stay to be taken.
        if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0 || info.si_pid == kept) return;
        waitpid(info.si_pid, NULL, WNOHANG);
    }
}

int cl_is_in_memory(const char *path) {
    struct statfs facts;
    if (statfs(path, &facts) != 0) return -errno;
    return facts.f_type == TMPFS_MAGIC || facts.f_type == RAMFS_MAGIC;
}
