#include "CTestSupport.h"

// What lies below the stack pointer is nobody's: it is reached by address alone, and no call may come in between.

__attribute__((noinline)) void ct_fill_stack(size_t from, size_t to, unsigned char byte) {
    volatile unsigned char *top = __builtin_frame_address(0);
    for (size_t at = from; at < to; at++) *(top - at) = byte;
}

__attribute__((noinline)) size_t ct_count_stack(size_t from, size_t to, unsigned char byte) {
    volatile unsigned char *top = __builtin_frame_address(0);
    size_t found = 0, run = 0;
    for (size_t at = from; at < to; at++) {
        run = *(top - at) == byte ? run + 1 : 0;
        if (run < 8) continue;
        found++;
        run = 0;
    }
    return found;
}
