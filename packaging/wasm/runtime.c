// What Swift expects of a C library, for a module that imports nothing: no clock, no randomness, no way out.
#include <stddef.h>
#include <stdint.h>

extern unsigned char __heap_base, __stack_low;

// Blocks are of 32 bytes, 64, and so on; what is free hangs in a list for each size.
struct block {
    uint32_t power;
    struct block *next;
    uint32_t unused[2];
};
static struct block *vacant[32];
static uintptr_t top;

void *memcpy(void *to, const void *from, size_t count) { return __builtin_memcpy(to, from, count); }
void *memmove(void *to, const void *from, size_t count) { return __builtin_memmove(to, from, count); }
void *memset(void *to, int byte, size_t count) { return __builtin_memset(to, byte, count); }

int memcmp(const void *first, const void *second, size_t count) {
    const unsigned char *a = first, *b = second;
    for (; count; count--, a++, b++) if (*a != *b) return *a < *b ? -1 : 1;
    return 0;
}

// Memory is grown a page of 64 KiB at a time; NULL where the browser gives no more.
static struct block *grow(uint32_t power) {
    if (!top) top = ((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15;
    uintptr_t size = (uintptr_t)1 << power, end = __builtin_wasm_memory_size(0) << 16;
    if (size > end - top) {
        size_t pages = (size - (end - top) + 0xFFFF) >> 16;
        if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1) return NULL;
    }
    struct block *block = (struct block *)top;
    block->power = power;
    top += size;
    return block;
}

int posix_memalign(void **place, size_t alignment, size_t count) {
    if (alignment > sizeof(struct block) || count > (1u << 28)) return 12; // ENOMEM
    uint32_t power = 32 - __builtin_clz((uint32_t)(count + sizeof(struct block) - 1) | 16);
    struct block *block = vacant[power];
    if (block) vacant[power] = block->next;
    else if (!(block = grow(power))) return 12;
    *place = block + 1;
    return 0;
}

// A block may have held a secret.
void free(void *place) {
    if (!place) return;
    struct block *block = (struct block *)place - 1;
    memset(place, 0, ((size_t)1 << block->power) - sizeof(struct block));
    block->next = vacant[block->power];
    vacant[block->power] = block;
}

__attribute__((export_name("tresor_allocate"))) void *tresor_allocate(size_t count) {
    void *place = NULL;
    return posix_memalign(&place, 16, count) ? NULL : place;
}

// Also wipes what calls that have returned left on the stack, which begins at address 0.
__attribute__((export_name("tresor_release"))) void tresor_release(void *place) {
    free(place);
    unsigned char *low = &__stack_low;
    memset(low, 0, (uintptr_t)__builtin_frame_address(0) - (uintptr_t)low);
}
