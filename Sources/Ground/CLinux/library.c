#define _GNU_SOURCE
#include "CLinux.h"

#include <dlfcn.h>

const char *cl_library_path(const void *function) {
    Dl_info library;
    return dladdr(function, &library) ? library.dli_fname : NULL;
}
