// zlib, for the gzip members inside Apple's databases.
#include <zlib.h>

// inflateInit2 is a macro that Swift does not see; 16 + MAX_WBITS reads gzip.
static inline int czlib_inflate_init_gzip(z_stream *stream) { return inflateInit2(stream, 16 + MAX_WBITS); }
