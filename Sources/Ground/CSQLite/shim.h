// SQLite, and those of its calls that Swift does not see: macros that are pointers, and functions of any number of
// arguments.
#include <sqlite3.h>

// The bytes are copied: the caller's are gone when it returns. An empty text may have no address.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
    return sqlite3_bind_text(statement, index, text ? text : "", count, SQLITE_TRANSIENT);
}

static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    if (count == 0) return sqlite3_bind_zeroblob(statement, index, 0);
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// A word in double quotes that names no column is an error, and no text.
static inline int csqlite_refuse_quoted_words(sqlite3 *database) {
    int result = sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
    if (result != SQLITE_OK) return result;
    return sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
}
