#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast that Swift can't read: SQLite copies what is bound.
static inline int jobrun_bind_text(sqlite3_stmt *statement, int index, const char *text,
                                   int count) {
  return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}
static inline int jobrun_bind_blob(sqlite3_stmt *statement, int index, const void *bytes,
                                   int count) {
  return sqlite3_bind_blob(statement, index, count ? bytes : "", count, SQLITE_TRANSIENT);
}

// sqlite3_db_config is variadic.
static inline int jobrun_keep_log_at_close(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
