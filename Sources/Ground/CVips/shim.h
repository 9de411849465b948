// libvips, as Debian 12 ships it. Its calls take named options as variable arguments, and its start is a macro: Swift
// sees neither, so here is one function for each call that Decoder.swift makes. They answer as libvips does: 0 or a
// pointer on success.
#ifndef CVIPS_SHIM_H
#define CVIPS_SHIM_H

#include <gmodule.h>
#include <malloc.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
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

/// fork(2), which Swift hides. Libvips has no thread before it has an image.
static inline pid_t cvips_fork(void) { return fork(); }

static inline void cvips_default_signal(int number) { signal(number, SIG_DFL); }

/// Closes this descriptor and those behind it.
static inline void cvips_close_from(int first) {
    for (int number = first; number < 64; number++) close(number);
}

struct cvips_end {
    pid_t process;
    int status;
};

/// A child that has ended, and its status as waitpid(2) has it; no process where there is none.
static inline struct cvips_end cvips_next_end(void) {
    struct cvips_end end = {0, 0};
    end.process = waitpid(-1, &end.status, WNOHANG);
    return end;
}

/// Reads the header. Pixels are decoded when somebody asks for them, which nobody does.
static inline VipsImage *cvips_open(const void *bytes, size_t size) {
    return vips_image_new_from_buffer(bytes, size, "", "access", VIPS_ACCESS_SEQUENTIAL, NULL);
}

/// Reads a JPEG, made smaller by 1, 2, 4 or 8 on the way. A truncated image is an error when its pixels are read.
static inline VipsImage *cvips_load_jpeg(const void *bytes, size_t size, int shrink) {
    VipsImage *image = NULL;
    int result = vips_jpegload_buffer(
        (void *)bytes, size, &image, "shrink", shrink, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on",
        VIPS_FAIL_ON_TRUNCATED, NULL);
    return result == 0 ? image : NULL;
}

/// Whether its colours are to be transformed: there is a profile, or it is meant for print.
static inline int cvips_has_profile(const VipsImage *image) {
    return vips_image_get_typeof(image, VIPS_META_ICC_NAME) != 0 ||
           vips_image_get_interpretation(image) == VIPS_INTERPRETATION_CMYK;
}

/// A text of the metadata, which stays the image's; NULL where there is none.
static inline const char *cvips_text(const VipsImage *image, const char *name) {
    const char *text = NULL;
    if (vips_image_get_typeof(image, name) != VIPS_TYPE_REF_STRING) return NULL;
    return vips_image_get_string(image, name, &text) == 0 ? text : NULL;
}

/// Bytes of the metadata, which stay the image's; NULL where there are none.
static inline const void *cvips_blob(const VipsImage *image, const char *name, size_t *size) {
    const void *bytes = NULL;
    if (vips_image_get_typeof(image, name) != VIPS_TYPE_BLOB) return NULL;
    return vips_image_get_blob(image, name, &bytes, size) == 0 ? bytes : NULL;
}

/// Whether what has failed was something that libheif does not have: it says "Unsupported …", or, of a picture in a code
/// that it does not know, nothing of its bits.
static inline int cvips_lacks_feature(void) {
    return strstr(vips_error_buffer(), "nsupported") != NULL ||
           strstr(vips_error_buffer(), "undefined bits per pixel") != NULL;
}

/// Resizes to fit a square of `side` pixels, upright. A truncated image is an error. Colours are transformed to
/// `profile`; where that is NULL they are left, since the list of options ends before it.
static inline int cvips_thumbnail(const void *bytes, size_t size, int side, const char *profile, VipsImage **out) {
    return vips_thumbnail_buffer(
        (void *)bytes, size, out, side, "height", side, "option_string", "[fail_on=truncated]",
        profile ? "export_profile" : NULL, profile, NULL);
}

/// The same for an image that is open already.
static inline int cvips_thumbnail_image(VipsImage *in, int side, const char *profile, VipsImage **out) {
    return vips_thumbnail_image(
        in, out, side, "height", side, profile ? "export_profile" : NULL, profile, NULL);
}

static inline int cvips_flatten_on_white(VipsImage *in, VipsImage **out) {
    VipsArrayDouble *white = vips_array_double_newv(1, 255.0);
    int result = vips_flatten(in, out, "background", white, NULL);
    vips_area_unref(VIPS_AREA(white));
    return result;
}

/// Three bands of eight bits, in sRGB; an image that has others is an error for whoever counts the bytes.
static inline int cvips_to_srgb(VipsImage *in, VipsImage **out) {
    VipsImage *coloured = NULL;
    if (vips_colourspace(in, &coloured, VIPS_INTERPRETATION_sRGB, NULL) != 0) return -1;
    int result = vips_cast_uchar(coloured, out, NULL);
    g_object_unref(coloured);
    return result;
}

/// A JPEG without any metadata; g_free gives `*bytes` back.
static inline int cvips_write_jpeg(VipsImage *in, int quality, void **bytes, size_t *size) {
    return vips_jpegsave_buffer(in, bytes, size, "Q", quality, "strip", TRUE, "optimize_coding", TRUE, NULL);
}

#endif
