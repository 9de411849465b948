#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// landlock(7): the numbers of the kernel's uapi header, which Debian 12's copy has only up to ABI 2.
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

struct ruleset {
    uint64_t handled_access_fs;
    uint64_t handled_access_net;
    uint64_t scoped;
};

struct beneath {
    uint64_t allowed_access;
    int32_t parent;
} __attribute__((packed));

int cl_end_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0 ? -errno : 0; }

// Denies what Landlock covers, but for what `allow` adds to the rules; NULL for nothing.
static int deny_all(int (*allow)(int rules)) {
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, 1u /* LANDLOCK_CREATE_RULESET_VERSION */);
    if (abi < 1) return 0;
    struct ruleset set = {(1u << 13) - 1, 0, 0};            // ABI 1: execute … make_sym
    size_t size = sizeof set.handled_access_fs;
    if (abi >= 2) set.handled_access_fs |= 1u << 13;        // refer
    if (abi >= 3) set.handled_access_fs |= 1u << 14;        // truncate
    if (abi >= 4) {
        set.handled_access_net = 3;                         // bind and connect TCP
        size = offsetof(struct ruleset, scoped);
    }
    if (abi >= 5) set.handled_access_fs |= 1u << 15;        // ioctl_dev
    if (abi >= 6) {
        set.scoped = 3;                                     // abstract UNIX sockets and signals
        size = sizeof set;
    }
    int rules = (int)syscall(SYS_landlock_create_ruleset, &set, size, 0u);
    if (rules < 0) return -errno;
    int result = allow == NULL ? 0 : allow(rules);
    if (result == 0 && syscall(SYS_landlock_restrict_self, rules, 0u) != 0) result = -errno;
    close(rules);
    return result < 0 ? result : (int)abi;
}

int cl_landlock_deny_all(void) { return deny_all(NULL); }

// Folders with fonts, with what fontconfig is told of them, and with what it has noted of them.
static int allow_fonts(int rules) {
    static const char *const folders[] = {
        "/usr/share/fonts", "/usr/local/share/fonts", "/usr/share/fontconfig", "/usr/local/share/fontconfig",
        "/etc/fonts", "/var/cache/fontconfig", "/usr/share/X11/fonts", "/usr/share/texmf/fonts",
    };
    for (size_t index = 0; index < sizeof folders / sizeof *folders; index++) {
        int folder = open(folders[index], O_PATH | O_CLOEXEC | O_DIRECTORY);
        if (folder < 0) continue;
        struct beneath rule = {1u << 2 | 1u << 3 /* LANDLOCK_ACCESS_FS_READ_FILE and READ_DIR */, folder};
        long result = syscall(SYS_landlock_add_rule, rules, 1 /* LANDLOCK_RULE_PATH_BENEATH */, &rule, 0u);
        int saved = errno;
        close(folder);
        if (result != 0) return -saved;
    }
    return 0;
}

int cl_landlock_fonts(void) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -errno;
    return deny_all(allow_fonts);
}

#if defined(__x86_64__)
#define OUR_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OUR_ARCH AUDIT_ARCH_AARCH64
#else
#error "the filters are written for x86-64 and AArch64"
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, field))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define KILL BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)
#define FAIL(code) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (code))
// A call by another architecture's numbers is never one that the list means.
#define CHECK_ARCH LOAD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCH, 1, 0), KILL, LOAD(nr)
#define IF_CALL(name) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), ALLOW
// Allowed only where none of `bits` stands in an argument.
#define IF_CALL_WITHOUT(name, argument, bits, refusal) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 4), LOAD(args[argument]), \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1), refusal, ALLOW
// mmap and mprotect take the protection as their third argument: executable memory is never allowed.
#define IF_CALL_NOT_EXEC(name) IF_CALL_WITHOUT(name, 2, PROT_EXEC, KILL)
// For calls that libraries make in passing and can do without.
#define IF_CALL_FAIL(name, code) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), FAIL(code)
// What pthread_create of glibc passes to clone(2), and nothing but it: a thread of this process, never a process.
#define THREAD_FLAGS \
    (CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SYSVSEM | CLONE_SIGHAND | CLONE_THREAD | CLONE_SETTLS | \
     CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID)
#define IF_CLONE_OF_THREAD(refusal) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4), LOAD(args[0]), \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THREAD_FLAGS, 1, 0), refusal, ALLOW

static int install(struct sock_filter *filter, size_t count) {
    struct sock_fprog program = {(unsigned short)count, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -errno;
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0u, &program) != 0) return -errno;
    return 0;
}

int cl_seccomp_enclave(void) {
    struct sock_filter filter[] = {
        CHECK_ARCH,
        IF_CALL(read),
        IF_CALL(write),
        IF_CALL(sendto),
        IF_CALL(pread64),
        IF_CALL(pwrite64),
        IF_CALL(fdatasync),
        IF_CALL(ftruncate),
        IF_CALL(close),
        IF_CALL(exit_group),
        IF_CALL(brk),
        IF_CALL(munmap),
        IF_CALL(mremap),
        IF_CALL(madvise),
        IF_CALL(futex),
        IF_CALL(rt_sigreturn),
        IF_CALL(getrandom),
        IF_CALL(clock_gettime),
        IF_CALL_NOT_EXEC(mmap),
        IF_CALL_NOT_EXEC(mprotect),
        KILL,
    };
    return install(filter, sizeof filter / sizeof *filter);
}

int cl_seccomp_computing(void) {
    struct sock_filter filter[] = {
        CHECK_ARCH,
        IF_CALL(read),
        IF_CALL(write),
        IF_CALL(lseek),
        IF_CALL(fstat),
        IF_CALL(close),
        IF_CALL(exit),
        IF_CALL(exit_group),
        IF_CALL(brk),
        IF_CALL(munmap),
        IF_CALL(mremap),
        IF_CALL(madvise),
        IF_CALL(futex),
        IF_CALL(rt_sigreturn),
        IF_CALL(getrandom),
        IF_CALL(clock_gettime),
        IF_CALL(sched_yield),
        // A thread's start asks for these; signals stay inside the process.
        IF_CALL(rt_sigprocmask),
        IF_CALL(set_robust_list),
        IF_CALL(rseq),
        IF_CALL(sched_getaffinity),
        // The flags of clone3 lie in memory, where a filter does not see them: glibc then takes clone.
        IF_CALL_FAIL(clone3, ENOSYS),
        IF_CLONE_OF_THREAD(KILL),
        // glibc's first thread and its qsort, and the naming of threads: none minds the answer.
        IF_CALL_FAIL(rt_sigaction, EPERM),
        IF_CALL_FAIL(sysinfo, EPERM),
        IF_CALL_FAIL(prctl, EPERM),
        // cl_write then takes write, which can't name an address.
        IF_CALL_FAIL(sendto, ENOTSOCK),
        IF_CALL_NOT_EXEC(mmap),
        IF_CALL_NOT_EXEC(mprotect),
        KILL,
    };
    return install(filter, sizeof filter / sizeof *filter);
}

#define CHANGING (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND)

// What else is asked for fails with EPERM rather than kill the process: fontconfig and GLib ask in passing, by version,
// for what they can do without, such as to write down what they have found.
int cl_seccomp_drawing(void) {
    struct sock_filter filter[] = {
        CHECK_ARCH,
        IF_CALL(read),
        IF_CALL(pread64),
        IF_CALL(write),
        IF_CALL(lseek),
        IF_CALL(close),
        IF_CALL(fstat),
        IF_CALL(newfstatat),
        IF_CALL(statx),
        IF_CALL(fstatfs),
        IF_CALL(statfs),
        IF_CALL(faccessat),
        IF_CALL(readlinkat),
        IF_CALL(getdents64),
        IF_CALL(fcntl),
#if defined(__x86_64__)
        IF_CALL(access),
        IF_CALL(readlink),
        IF_CALL(stat),
        IF_CALL(lstat),
        IF_CALL_WITHOUT(open, 1, CHANGING, FAIL(EPERM)),
#endif
        IF_CALL_WITHOUT(openat, 2, CHANGING, FAIL(EPERM)),
        IF_CALL(exit),
        IF_CALL(exit_group),
        IF_CALL(brk),
        IF_CALL(munmap),
        IF_CALL(mremap),
        IF_CALL(madvise),
        IF_CALL(futex),
        IF_CALL(rt_sigreturn),
        IF_CALL(rt_sigprocmask),
        IF_CALL(set_robust_list),
        IF_CALL(rseq),
        IF_CALL(sched_yield),
        IF_CALL(sched_getaffinity),
        IF_CALL(getrandom),
        IF_CALL(clock_gettime),
        IF_CALL(gettid),
        IF_CALL(getpid),
        IF_CALL_WITHOUT(mmap, 2, PROT_EXEC, FAIL(EPERM)),
        IF_CALL_WITHOUT(mprotect, 2, PROT_EXEC, FAIL(EPERM)),
        IF_CALL_FAIL(clone3, ENOSYS),
        IF_CLONE_OF_THREAD(FAIL(EPERM)),
        FAIL(EPERM),
    };
    return install(filter, sizeof filter / sizeof *filter);
}

int cl_limit(uint64_t address_space, uint64_t cpu_seconds, uint64_t file_size) {
    // The hard limit lies a second behind the soft one: at the hard one the signal would be SIGKILL.
    struct rlimit space = {address_space, address_space}, cpu = {cpu_seconds, cpu_seconds + 1},
                  size = {file_size, file_size};
    if (setrlimit(RLIMIT_AS, &space) != 0 || setrlimit(RLIMIT_CPU, &cpu) != 0 || setrlimit(RLIMIT_FSIZE, &size) != 0)
        return -errno;
    return 0;
}
