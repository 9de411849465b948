#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
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
#define SYS_landlock_restrict_self 446
#endif

struct ruleset {
    uint64_t handled_access_fs;
    uint64_t handled_access_net;
    uint64_t scoped;
};

int cl_end_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0 ? -errno : 0; }

int cl_landlock_deny_all(void) {
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, 1u /* LANDLOCK_CREATE_RULESET_VERSION */);
    if (abi < 1) return 0;
    struct ruleset rules = {(1u << 13) - 1, 0, 0};          // ABI 1: execute … make_sym
    size_t size = sizeof rules.handled_access_fs;
    if (abi >= 2) rules.handled_access_fs |= 1u << 13;      // refer
    if (abi >= 3) rules.handled_access_fs |= 1u << 14;      // truncate
    if (abi >= 4) {
        rules.handled_access_net = 3;                       // bind and connect TCP
        size = offsetof(struct ruleset, scoped);
    }
    if (abi >= 5) rules.handled_access_fs |= 1u << 15;      // ioctl_dev
    if (abi >= 6) {
        rules.scoped = 3;                                   // abstract UNIX sockets and signals
        size = sizeof rules;
    }
    int fd = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0u);
    if (fd < 0) return -errno;
    long result = syscall(SYS_landlock_restrict_self, fd, 0u);
    int saved = errno;
    close(fd);
    return result < 0 ? -saved : (int)abi;
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
// mmap and mprotect take the protection as their third argument: executable memory is never allowed.
#define IF_CALL_NOT_EXEC(name) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 4), LOAD(args[2]), \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1), KILL, ALLOW
// For calls that libraries make in passing and can do without.
#define IF_CALL_FAIL(name, code) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), FAIL(code)
// What pthread_create of glibc passes to clone(2), and nothing but it: a thread of this process, never a process.
#define THREAD_FLAGS \
    (CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SYSVSEM | CLONE_SIGHAND | CLONE_THREAD | CLONE_SETTLS | \
     CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID)
#define IF_CLONE_OF_THREAD \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4), LOAD(args[0]), \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THREAD_FLAGS, 1, 0), KILL, ALLOW

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
        IF_CLONE_OF_THREAD,
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

int cl_limit(uint64_t address_space, uint64_t cpu_seconds, uint64_t file_size) {
    // The hard limit lies a second behind the soft one: at the hard one the signal would be SIGKILL.
    struct rlimit space = {address_space, address_space}, cpu = {cpu_seconds, cpu_seconds + 1},
                  size = {file_size, file_size};
    if (setrlimit(RLIMIT_AS, &space) != 0 || setrlimit(RLIMIT_CPU, &cpu) != 0 || setrlimit(RLIMIT_FSIZE, &size) != 0)
        return -errno;
    return 0;
}
