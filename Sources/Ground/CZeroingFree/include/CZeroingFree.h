// Linking this target replaces the process's free(3) and realloc(3) by ones that wipe what they give back, in our code
// and in every library it loads. It has no functions to call.
#ifndef CZEROINGFREE_H
#define CZEROINGFREE_H
#endif
