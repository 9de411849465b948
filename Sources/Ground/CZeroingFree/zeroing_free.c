#define _GNU_SOURCE
#include "CZeroingFree.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

// glibc exports its own free under this name for programs that interpose theirs.
extern void __libc_free(void *);

void free(void *block) {
    if (!block) return;
    explicit_bzero(block, malloc_usable_size(block));
    __libc_free(block);
}

// glibc's realloc may move a block and free the old one inside, unwiped; this one copies by itself.
void *realloc(void *block, size_t size) {
    if (!block) return malloc(size);
    if (size == 0) {
        free(block);
        return NULL;
    }
    size_t before = malloc_usable_size(block);
    if (size <= before && size >= before / 2) {
        return block;
    }
    void *moved = malloc(size);
    if (!moved) return NULL;
    memcpy(moved, block, before < size ? before : size);
    free(block);
    return moved;
}
