#include "CLinux.h"

#include <errno.h>
#include <sys/xattr.h>

ssize_t cl_attribute_get(int fd, const char *name, void *value, size_t size) {
    ssize_t length = fgetxattr(fd, name, value, size);
    return length < 0 ? -errno : length;
}

int cl_attribute_set(int fd, const char *name, const void *value, size_t size) {
    return fsetxattr(fd, name, value, size, 0) < 0 ? -errno : 0;
}

int cl_attribute_remove(int fd, const char *name) { return fremovexattr(fd, name) < 0 ? -errno : 0; }
