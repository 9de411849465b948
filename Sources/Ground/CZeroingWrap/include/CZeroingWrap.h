// For statically linked programs, where free(3) cannot be replaced by defining it: link with
// --wrap=free --wrap=realloc, and every call goes through functions that wipe first. It has no functions to call.
#ifndef CZEROINGWRAP_H
#define CZEROINGWRAP_H
#endif
