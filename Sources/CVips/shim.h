// libvips, as Debian 12 ships it. Its calls take named options as variable arguments, and its start is a macro: Swift
// sees neither, so here is one function for each call that Decoder.swift makes. They answer as libvips does: 0 or a
// pointer on success.
#ifndef CVIPS_SHIM_H
#define CVIPS_SHIM_H

#include <gmodule.h>
#include <malloc.h>
#include <vips/vips.h>

#include <vips/vector.h>

static inline GLogWriterOutput cvips_say_nothing(
    GLogLevelFlags level, const GLogField *fields, gsize count, gpointer context) {
    (void)level, (void)fields, (void)count, (void)context;
    return G_LOG_WRITER_HANDLED;
}

/// Starts libvips without output. GLib's own log writer would look for the journal and the time zone's file.
static inline int cvips_start(const char *program) {
    g_log_set_writer_func(cvips_say_nothing, NULL, NULL);
    return VIPS_INIT(program);
}

/// A function of libvips, to find its folder by.
static inline const void *cvips_anchor(void) { return (const void *)vips_init; }

/// One heap for all threads: each further one would take 128 MiB of address space, which is limited.
static inline int cvips_use_one_heap(void) { return mallopt(M_ARENA_MAX, 1) == 1 ? 0 : -1; }

/// Reads the header. Pixels are decoded when somebody asks for them, which nobody does.
static inline VipsImage *cvips_open(const void *bytes, size_t size) {
    return vips_image_new_from_buffer(bytes, size, "", "access", VIPS_ACCESS_SEQUENTIAL, NULL);
}

static inline int cvips_has_profile(const VipsImage *image) {
    return vips_image_get_typeof(image, VIPS_META_ICC_NAME) != 0;
}

/// Resizes to fit a square of `side` pixels, upright. A truncated image is an error. Colours are transformed to
/// `profile`; where that is NULL they are left, since the list of options ends before it.
static inline int cvips_thumbnail(const void *bytes, size_t size, int side, const char *profile, VipsImage **out) {
    return vips_thumbnail_buffer(
        (void *)bytes, size, out, side, "height", side, "option_string", "[fail_on=truncated]",
        profile ? "export_profile" : NULL, profile, NULL);
}

static inline int cvips_flatten_on_white(VipsImage *in, VipsImage **out) {
    VipsArrayDouble *white = vips_array_double_newv(1, 255.0);
    int result = vips_flatten(in, out, "background", white, NULL);
    vips_area_unref(VIPS_AREA(white));
    return result;
}

/// A JPEG without any metadata; g_free gives `*bytes` back.
static inline int cvips_write_jpeg(VipsImage *in, int quality, void **bytes, size_t *size) {
    return vips_jpegsave_buffer(in, bytes, size, "Q", quality, "strip", TRUE, "optimize_coding", TRUE, NULL);
}

#endif
