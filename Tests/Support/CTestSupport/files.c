#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "CTestSupport.h"

int ct_sealed_file(const void *bytes, size_t size) {
    int fd = memfd_create("sealed", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0) return -errno;
    if (write(fd, bytes, size) != (ssize_t)size || fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE) < 0) {
        int code = errno;
        close(fd);
        return -code;
    }
    return fd;
}
