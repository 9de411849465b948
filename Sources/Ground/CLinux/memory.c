#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_memfd_secret
#define SYS_memfd_secret 447
#endif
#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

static void *map_memfd_secret(size_t size) {
    int fd = (int)syscall(SYS_memfd_secret, 0u);
    if (fd < 0) return NULL;
    void *address = MAP_FAILED;
    if (ftruncate(fd, (off_t)size) == 0) address = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    int saved = errno;
    close(fd);
    errno = saved;
    return address == MAP_FAILED ? NULL : address;
}

void *cl_map_secret(size_t size, int *kind) {
    void *address = map_memfd_secret(size);
    if (address) {
        // A forked child would share these pages; none of ours forks without exec, and exec drops them.
        madvise(address, size, MADV_DONTFORK);
        *kind = CL_MEMORY_SECRET;
        return address;
    }
    address = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (address == MAP_FAILED) return NULL;
    if (mlock(address, size) != 0) {
        int saved = errno;
        munmap(address, size);
        errno = saved;
        return NULL;
    }
    madvise(address, size, MADV_DONTDUMP);
    madvise(address, size, MADV_WIPEONFORK);
    *kind = CL_MEMORY_LOCKED;
    return address;
}

void cl_unmap(void *address, size_t size) { munmap(address, size); }

void cl_reuse_large_blocks(void) {
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
    mallopt(M_TRIM_THRESHOLD, 8 << 20);
}

// Code that the loader has changed in memory (text relocations) would come back without its changes.
static int is_code_changed(const struct dl_phdr_info *object) {
    for (int i = 0; i < object->dlpi_phnum; i++) {
        if (object->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
        const ElfW(Dyn) *entry = (const void *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++)
            if (entry->d_tag == DT_TEXTREL || (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL))) return 1;
    }
    return 0;
}

static int release_code(struct dl_phdr_info *object, size_t size, void *unused) {
    (void)size;
    (void)unused;
    if (is_code_changed(object)) return 0;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W)) continue;
        // Whole pages of this segment alone.
        const uintptr_t start = (object->dlpi_addr + segment->p_vaddr + page - 1) & ~(page - 1);
        const uintptr_t end = (object->dlpi_addr + segment->p_vaddr + segment->p_filesz) & ~(page - 1);
        if (start < end) madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

void cl_release_freed(void) { malloc_trim(0); }

void cl_release_idle(void) {
    cl_release_freed();
    dl_iterate_phdr(release_code, NULL);
}

void cl_wipe(void *address, size_t size) { explicit_bzero(address, size); }

__attribute__((noinline)) void cl_wipe_stack(void) {
    volatile unsigned char below[256 * 1024];
    explicit_bzero((void *)below, sizeof below);
    __asm__ volatile("" : : "r"(below) : "memory");
}

__attribute__((noinline)) void cl_wipe_stack_shallow(void) {
    volatile unsigned char below[64 * 1024];
    explicit_bzero((void *)below, sizeof below);
    __asm__ volatile("" : : "r"(below) : "memory");
}

int cl_equal(const void *left, const void *right, size_t size) {
    const volatile unsigned char *l = left, *r = right;
    unsigned char difference = 0;
    for (size_t i = 0; i < size; i++) difference |= (unsigned char)(l[i] ^ r[i]);
    return difference == 0;
}

void cl_random(void *address, size_t size) {
    unsigned char *next = address;
    while (size > 0) {
        ssize_t got = getrandom(next, size, 0);
        if (got < 0) {
            if (errno == EINTR) continue;
            abort();
        }
        next += got;
        size -= (size_t)got;
    }
}
