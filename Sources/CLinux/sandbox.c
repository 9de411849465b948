#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
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
#error "the enclave's filter is written for x86-64 and AArch64"
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, field))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define KILL BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)
#define IF_CALL(name) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), ALLOW
// mmap and mprotect take the protection as their third argument: executable memory is never allowed.
#define IF_CALL_NOT_EXEC(name) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 4), LOAD(args[2]), \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1), KILL, ALLOW

int cl_seccomp_enclave(void) {
    struct sock_filter filter[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCH, 1, 0),
        KILL,
        LOAD(nr),
        IF_CALL(read),
        IF_CALL(write),
        IF_CALL(sendto),
        IF_CALL(pread64),
        IF_CALL(pwrite64),
        IF_CALL(fdatasync),
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
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -errno;
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0u, &program) != 0) return -errno;
    return 0;
}
