#define _GNU_SOURCE
#include "CZeroingWrap.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

extern void __real_free(void *);

void __wrap_free(void *block) {
    if (!block) return;
    explicit_bzero(block, malloc_usable_size(block));
    __real_free(block);
}

void *__wrap_realloc(void *block, size_t size) {
    if (!block) return malloc(size);
    if (size == 0) {
        __wrap_free(block);
        return NULL;
    }
    size_t before = malloc_usable_size(block);
    if (size <= before && size >= before / 2) {
        return block;
    }
    void *moved = malloc(size);
    if (!moved) return NULL;
    memcpy(moved, block, before < size ? before : size);
    __wrap_free(block);
    return moved;
}
