// libjpeg-turbo, as Debian 12 ships it, for Canvas.swift of tresor-draw: its errors leave by longjmp(3), which Swift
// can't take part in.
#ifndef CJPEG_SHIM_H
#define CJPEG_SHIM_H

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

struct cjpeg_errors {
    struct jpeg_error_mgr manager;
    jmp_buf jump;
};

static inline void cjpeg_give_up(j_common_ptr info) { longjmp(((struct cjpeg_errors *)info->err)->jump, 1); }

/// What a file says of itself is told to nobody; a cut one is drawn as far as it goes.
static inline void cjpeg_say_nothing(j_common_ptr info, int level) { (void)info, (void)level; }

/// Each pass over a progressive picture costs as much as the whole picture, and a small file has room for thousands.
static inline void cjpeg_count_scans(j_common_ptr info) {
    if (info->is_decompressor && ((j_decompress_ptr)info)->input_scan_number > 64) cjpeg_give_up(info);
}

/// Pixels as cairo's CAIRO_FORMAT_RGB24 has them, line by line without gaps, for free(3); NULL for what is no JPEG, has
/// more than `most` pixels or colours that are none of a screen's.
///
/// Made smaller while it is decoded, by eighths, as long as it has the wanted pixels.
static inline unsigned char *cjpeg_decode(
    const void *bytes, size_t count, size_t most, unsigned wanted_width, unsigned wanted_height, int *width,
    int *height) {
    struct jpeg_decompress_struct info;
    struct jpeg_progress_mgr progress = {cjpeg_count_scans, 0, 0, 0, 0};
    struct cjpeg_errors errors;
    unsigned char *volatile pixels = NULL;
    info.err = jpeg_std_error(&errors.manager);
    errors.manager.error_exit = cjpeg_give_up;
    errors.manager.emit_message = cjpeg_say_nothing;
    if (setjmp(errors.jump) != 0) {
        jpeg_destroy_decompress(&info);
        free(pixels);
        return NULL;
    }
    jpeg_create_decompress(&info);
    info.progress = &progress;
    jpeg_mem_src(&info, (const unsigned char *)bytes, count);
    jpeg_read_header(&info, TRUE);
    if ((size_t)info.image_width * info.image_height > most) cjpeg_give_up((j_common_ptr)&info);
    for (unsigned eighths = 1; eighths <= 8; eighths++) {
        info.scale_num = eighths;
        info.scale_denom = 8;
        if ((size_t)info.image_width * eighths / 8 >= wanted_width &&
            (size_t)info.image_height * eighths / 8 >= wanted_height) break;
    }
    info.do_fancy_upsampling = FALSE;
    // Blue first, as a 32-bit number of a little-endian machine has it.
    info.out_color_space = JCS_EXT_BGRX;
    jpeg_start_decompress(&info);
    size_t line = (size_t)info.output_width * 4;
    pixels = (unsigned char *)malloc(line * info.output_height);
    if (pixels == NULL) cjpeg_give_up((j_common_ptr)&info);
    while (info.output_scanline < info.output_height) {
        JSAMPROW row = pixels + line * info.output_scanline;
        jpeg_read_scanlines(&info, &row, 1);
    }
    *width = (int)info.output_width;
    *height = (int)info.output_height;
    jpeg_finish_decompress(&info);
    jpeg_destroy_decompress(&info);
    return pixels;
}

#endif
