#define _GNU_SOURCE
#include "CTestSupport.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

long ct_count(pid_t pid, const void *needle, size_t size, long *unreadable) {
    char path[64], line[4096];
    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    FILE *maps = fopen(path, "r");
    if (!maps) return -errno;
    snprintf(path, sizeof path, "/proc/%d/mem", (int)pid);
    int memory = open(path, O_RDONLY | O_CLOEXEC);
    if (memory < 0) {
        int saved = errno;
        fclose(maps);
        return -saved;
    }
    const size_t step = 1 << 20;
    unsigned char *buffer = malloc(step + size);
    long found = 0;
    *unreadable = 0;
    while (fgets(line, sizeof line, maps)) {
        unsigned long start, end;
        char mode[8];
        if (sscanf(line, "%lx-%lx %7s", &start, &end, mode) != 3 || mode[0] != 'r') continue;
        if (strstr(line, "[vvar") || strstr(line, "[vsyscall")) continue;
        int failed = 0;
        // Windows overlap by one byte less than the needle, so that none is missed and none counted twice.
        for (unsigned long at = start; at < end; at += step) {
            size_t want = end - at < step + size - 1 ? end - at : step + size - 1;
            ssize_t got = pread(memory, buffer, want, (off_t)at);
            if (got <= 0) {
                failed = 1;
                continue;
            }
            unsigned char *hit = buffer;
            while ((hit = memmem(hit, (size_t)(buffer + got - hit), needle, size))) {
                found++;
                hit++;
            }
        }
        *unreadable += failed;
    }
    free(buffer);
    close(memory);
    fclose(maps);
    return found;
}

int ct_run_and_visit(const char *path, char *const argv[], char *const envp[], int in, int out,
                     void (*visit)(pid_t, void *), void *context) {
    pid_t child = fork();
    if (child < 0) return -errno;
    if (child == 0) {
        setpgid(0, 0);
        dup2(in, 0);
        dup2(out, 1);
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        raise(SIGSTOP);
        execve(path, argv, envp);
        _exit(127);
    }
    int status, code = -1, visited = 0;
    // A group of its own: other children of this process are other tests' to wait for.
    setpgid(child, child);
    if (waitpid(child, &status, 0) != child) return -errno;
    ptrace(PTRACE_SETOPTIONS, child, 0, PTRACE_O_TRACEEXIT | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL);
    ptrace(PTRACE_CONT, child, 0, 0);
    for (;;) {
        pid_t thread = waitpid(-child, &status, __WALL);
        if (thread < 0) return -errno;
        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            if (thread != child) continue;
            code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            return code;
        }
        int event = status >> 16, signal = WSTOPSIG(status);
        if (event == PTRACE_EVENT_EXIT && !visited) {
            visited = 1;
            visit(child, context);
        }
        // Stops of ours are not passed on; real signals are.
        int passed = event || signal == SIGTRAP || signal == SIGSTOP ? 0 : signal;
        ptrace(PTRACE_CONT, thread, 0, passed);
    }
}
