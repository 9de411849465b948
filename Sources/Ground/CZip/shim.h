// libzip, for other diaries' exports.
#include <zip.h>

// What our sources can do; zip_source_make_command_bitmap is variadic, which Swift does not see.
static inline zip_int64_t czip_readable_source(void) {
    return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT,
                                          ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, -1);
}

// The two codes in the form that ZIP_SOURCE_ERROR asks for.
static inline zip_int64_t czip_report_failure(void *data) {
    int *codes = (int *)data;
    codes[0] = ZIP_ER_READ;
    codes[1] = 0;
    return 2 * sizeof(int);
}

static inline zip_int64_t czip_report_size(void *data, zip_uint64_t size, time_t modified) {
    zip_stat_t *info = (zip_stat_t *)data;
    zip_stat_init(info);
    info->size = size;
    info->mtime = modified;
    info->valid = ZIP_STAT_SIZE | ZIP_STAT_MTIME;
    return sizeof(*info);
}
