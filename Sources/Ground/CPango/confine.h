// How tresor-print gives up what drawing needs not. Unlike our other programs it has to open files behind its sandbox:
// Pango looks for a font when it meets the first letter that needs it. So files may be read, under a few folders alone.
#ifndef CPANGO_CONFINE_H
#define CPANGO_CONFINE_H

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// landlock(7): the numbers of the kernel's uapi header, which Debian 12's copy has only up to ABI 2.
#define CPANGO_LANDLOCK_CREATE 444
#define CPANGO_LANDLOCK_ADD 445
#define CPANGO_LANDLOCK_RESTRICT 446
// LANDLOCK_ACCESS_FS_READ_FILE and READ_DIR.
#define CPANGO_LANDLOCK_READING (1u << 2 | 1u << 3)

struct cpango_ruleset {
    uint64_t handled_access_fs;
    uint64_t handled_access_net;
    uint64_t scoped;
};

struct cpango_beneath {
    uint64_t allowed_access;
    int32_t parent;
} __attribute__((packed));

/// Folders with fonts, with what fontconfig is told of them, and with what it has noted of them.
static inline int cpango_allow_fonts(int rules) {
    static const char *const folders[] = {
        "/usr/share/fonts", "/usr/local/share/fonts", "/usr/share/fontconfig", "/usr/local/share/fontconfig",
        "/etc/fonts", "/var/cache/fontconfig", "/usr/share/X11/fonts", "/usr/share/texmf/fonts",
    };
    for (size_t index = 0; index < sizeof folders / sizeof *folders; index++) {
        int folder = open(folders[index], 010000000 /* O_PATH */ | O_CLOEXEC | O_DIRECTORY);
        if (folder < 0) continue;
        struct cpango_beneath rule = {CPANGO_LANDLOCK_READING, folder};
        long result = syscall(CPANGO_LANDLOCK_ADD, rules, 1 /* LANDLOCK_RULE_PATH_BENEATH */, &rule, 0u);
        int saved = errno;
        close(folder);
        if (result != 0) return -saved;
    }
    return 0;
}

/// Leaves reading fonts; denies every other path, TCP port, and what else Landlock covers. The kernel's Landlock ABI, 0
/// for none, -errno on failure. Binds this thread and those it starts.
static inline int cpango_landlock_fonts(void) {
    long abi = syscall(CPANGO_LANDLOCK_CREATE, NULL, 0, 1u /* LANDLOCK_CREATE_RULESET_VERSION */);
    if (abi < 1) return 0;
    struct cpango_ruleset set = {(1u << 13) - 1, 0, 0};
    size_t size = sizeof set.handled_access_fs;
    if (abi >= 2) set.handled_access_fs |= 1u << 13;
    if (abi >= 3) set.handled_access_fs |= 1u << 14;
    if (abi >= 4) {
        set.handled_access_net = 3;
        size = offsetof(struct cpango_ruleset, scoped);
    }
    if (abi >= 5) set.handled_access_fs |= 1u << 15;
    if (abi >= 6) {
        set.scoped = 3;
        size = sizeof set;
    }
    int rules = (int)syscall(CPANGO_LANDLOCK_CREATE, &set, size, 0u);
    if (rules < 0) return -errno;
    int result = cpango_allow_fonts(rules);
    if (result == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) result = -errno;
    if (result == 0 && syscall(CPANGO_LANDLOCK_RESTRICT, rules, 0u) != 0) result = -errno;
    close(rules);
    return result < 0 ? result : (int)abi;
}

#if defined(__x86_64__)
#define CPANGO_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define CPANGO_ARCH AUDIT_ARCH_AARCH64
#else
#error "the filter is written for x86-64 and AArch64"
#endif

#define CPANGO_LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, field))
#define CPANGO_END(action) BPF_STMT(BPF_RET | BPF_K, action)
#define CPANGO_IF(name, skipped) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, skipped)
#define CPANGO_ALLOW(name) CPANGO_IF(name, 1), CPANGO_END(SECCOMP_RET_ALLOW)
#define CPANGO_REFUSE SECCOMP_RET_ERRNO | EPERM
// Allowed only where none of `bits` stands in an argument.
#define CPANGO_ALLOW_WITHOUT(name, argument, bits)                                          \
    CPANGO_IF(name, 4), CPANGO_LOAD(args[argument]),                                        \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1), CPANGO_END(CPANGO_REFUSE),        \
        CPANGO_END(SECCOMP_RET_ALLOW)
#define CPANGO_CHANGING (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND)
// What pthread_create of glibc passes to clone(2): a thread of this process, never a process.
#define CPANGO_THREAD                                                                                            \
    (CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SYSVSEM | CLONE_SIGHAND | CLONE_THREAD | CLONE_SETTLS |           \
     CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID)

/// Leaves reading files, writing to open descriptors, memory and threads. What else is asked for fails with EPERM
/// rather than kill the process: fontconfig and GLib ask in passing, by version, for what they can do without, such as
/// to write down what they have found.
static inline int cpango_seccomp_drawing(void) {
    struct sock_filter filter[] = {
        CPANGO_LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CPANGO_ARCH, 1, 0),
        CPANGO_END(SECCOMP_RET_KILL_PROCESS),
        CPANGO_LOAD(nr),
        CPANGO_ALLOW(read),
        CPANGO_ALLOW(pread64),
        CPANGO_ALLOW(write),
        CPANGO_ALLOW(lseek),
        CPANGO_ALLOW(close),
        CPANGO_ALLOW(fstat),
        CPANGO_ALLOW(newfstatat),
        CPANGO_ALLOW(statx),
        CPANGO_ALLOW(fstatfs),
        CPANGO_ALLOW(statfs),
        CPANGO_ALLOW(faccessat),
        CPANGO_ALLOW(readlinkat),
        CPANGO_ALLOW(getdents64),
        CPANGO_ALLOW(fcntl),
#if defined(__x86_64__)
        CPANGO_ALLOW(access),
        CPANGO_ALLOW(readlink),
        CPANGO_ALLOW(stat),
        CPANGO_ALLOW(lstat),
        CPANGO_ALLOW_WITHOUT(open, 1, CPANGO_CHANGING),
#endif
        CPANGO_ALLOW_WITHOUT(openat, 2, CPANGO_CHANGING),
        CPANGO_ALLOW(exit),
        CPANGO_ALLOW(exit_group),
        CPANGO_ALLOW(brk),
        CPANGO_ALLOW(munmap),
        CPANGO_ALLOW(mremap),
        CPANGO_ALLOW(madvise),
        CPANGO_ALLOW(futex),
        CPANGO_ALLOW(rt_sigreturn),
        CPANGO_ALLOW(rt_sigprocmask),
        CPANGO_ALLOW(set_robust_list),
        CPANGO_ALLOW(rseq),
        CPANGO_ALLOW(sched_yield),
        CPANGO_ALLOW(sched_getaffinity),
        CPANGO_ALLOW(getrandom),
        CPANGO_ALLOW(clock_gettime),
        CPANGO_ALLOW(gettid),
        CPANGO_ALLOW(getpid),
        CPANGO_ALLOW_WITHOUT(mmap, 2, PROT_EXEC),
        CPANGO_ALLOW_WITHOUT(mprotect, 2, PROT_EXEC),
        // The flags of clone3 lie in memory, where a filter does not see them: glibc then takes clone.
        CPANGO_IF(clone3, 1),
        CPANGO_END(SECCOMP_RET_ERRNO | ENOSYS),
        CPANGO_IF(clone, 3),
        CPANGO_LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CPANGO_THREAD, 0, 1),
        CPANGO_END(SECCOMP_RET_ALLOW),
        CPANGO_END(CPANGO_REFUSE),
    };
    struct sock_fprog program = {(unsigned short)(sizeof filter / sizeof *filter), filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -errno;
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0u, &program) != 0 ? -errno : 0;
}

#endif
