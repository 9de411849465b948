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

// Flags of an entry in /proc/PID/pagemap: proc_pid_pagemap(5).
static const uint64_t present = 1ull << 63, swapped = 1ull << 62, of_a_file = 1ull << 61;

// Whether a page can hold what a process wrote: one that was never touched is zeros, and one of a program's or a
// library's file that it did not change is the file's.
static int can_hold(uint64_t page, int is_program) {
    if (page & swapped) return 1;
    return (page & present) && !(is_program && (page & of_a_file));
}

// How many times the needle stands in some bytes of a process; -1 where they cannot be read.
static long count_in(int memory, unsigned char *buffer, unsigned long at, size_t want, const void *needle,
                     size_t size) {
    ssize_t got = pread(memory, buffer, want, (off_t)at);
    if (got <= 0) return -1;
    long found = 0;
    for (unsigned char *hit = buffer; (hit = memmem(hit, (size_t)(buffer + got - hit), needle, size)); hit++) found++;
    return found;
}

long ct_count(pid_t pid, const void *needle, size_t size, long *unreadable) {
    char path[64], line[4096], program[4096];
    snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
    ssize_t length = readlink(path, program, sizeof program - 1);
    program[length < 0 ? 0 : length] = 0;
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
    snprintf(path, sizeof path, "/proc/%d/pagemap", (int)pid);
    int pages = open(path, O_RDONLY | O_CLOEXEC);
    const size_t step = 1 << 16;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint64_t entries[(1 << 16) / 4096];
    unsigned char *buffer = malloc(step + size);
    long found = 0;
    *unreadable = 0;
    while (fgets(line, sizeof line, maps)) {
        unsigned long start, end;
        char mode[8];
        int name = 0;
        if (sscanf(line, "%lx-%lx %7s %*s %*s %*s %n", &start, &end, mode, &name) != 3 || mode[0] != 'r') continue;
        if (strstr(line, "[vvar") || strstr(line, "[vsyscall")) continue;
        line[strcspn(line, "\n")] = 0;
        const char *file = line + name;
        int is_program = file[0] == '/' && (!strcmp(file, program) || strstr(file, ".so"));
        int failed = 0;
        // Windows overlap by one byte less than the needle, so that none is missed and none counted twice.
        for (unsigned long at = start; at < end; at += step) {
            size_t most = end - at < step ? end - at : step;
            size_t count = most / page;
            ssize_t known = -1;
            // What others see too may have been written by them.
            if (mode[3] == 'p' && pages >= 0) known = pread(pages, entries, count * 8, (off_t)(at / page * 8));
            int isKnown = known == (ssize_t)(count * 8), holds = !isKnown;
            for (size_t index = 0; isKnown && index < count; index++) holds |= can_hold(entries[index], is_program);
            if (!holds) continue;
            size_t want = end - at < step + size - 1 ? end - at : step + size - 1;
            long here = count_in(memory, buffer, at, want, needle, size);
            if (here < 0) failed = 1; else found += here;
        }
        *unreadable += failed;
    }
    free(buffer);
    if (pages >= 0) close(pages);
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
