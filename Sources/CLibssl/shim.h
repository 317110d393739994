#include <openssl/ssl.h>

// libcurl sets SSL_OP_IGNORE_UNEXPECTED_EOF, with which a connection that is cut looks like one that
// was closed. Without it OpenSSL tells the missing close_notify. The option is a macro with a cast,
// which Swift can't import.
static inline void jobrun_demand_close_notify(SSL_CTX *context) {
  SSL_CTX_clear_options(context, SSL_OP_IGNORE_UNEXPECTED_EOF);
}
