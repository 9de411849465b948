#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

// posix_spawn(3) rather than fork: it copies no page tables of a large program, and it says when there is no program.
pid_t cl_spawn_between(const char *path, int in, int out) {
    char *argv[] = {(char *)path, NULL};
    char *envp[] = {"SWIFT_BACKTRACE=enable=no", NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    pid_t pid;
    int code;
    if ((code = posix_spawn_file_actions_adddup2(&actions, in, 0)) == 0 &&
        (code = posix_spawn_file_actions_adddup2(&actions, out, 1)) == 0 &&
        (code = posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)) == 0 &&
        (code = posix_spawn_file_actions_addclosefrom_np(&actions, 3)) == 0 &&
        // Blocked and ignored signals would be inherited.
        (code = posix_spawnattr_setsigmask(&attributes, &none)) == 0 &&
        (code = posix_spawnattr_setsigdefault(&attributes, &all)) == 0 &&
        (code = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)) == 0)
        code = posix_spawn(&pid, path, &actions, &attributes, argv, envp);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return code == 0 ? pid : -code;
}
