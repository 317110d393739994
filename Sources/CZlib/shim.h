#include <zlib.h>

// inflateInit2 is a macro. `bits` of 47: gzip or zlib, whichever it is; of -15: neither's frame.
static inline int jobrun_inflate_init(z_stream *stream, int bits) {
  return inflateInit2(stream, bits);
}
