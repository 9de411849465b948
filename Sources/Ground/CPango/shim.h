// cairo and Pango, as Debian 12 ships them, for Canvas.swift: what is a macro, takes variable arguments, or calls back.
#ifndef CPANGO_SHIM_H
#define CPANGO_SHIM_H

#include <cairo-pdf.h>
#include <errno.h>
#include <hb-ot.h>
#include <pango/pangocairo.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// What is on its way to standard output: cairo writes a few bytes at a time.
struct cpango_output {
    size_t count;
    /// errno of a write that has failed; 0 before.
    int failure;
    unsigned char bytes[1 << 16];
};

static inline void cpango_flush(struct cpango_output *output) {
    size_t used = 0;
    while (used < output->count && !output->failure) {
        ssize_t put = write(STDOUT_FILENO, output->bytes + used, output->count - used);
        if (put > 0) used += (size_t)put;
        else if (put == 0 || errno != EINTR) output->failure = put == 0 ? EIO : errno;
    }
    output->count = 0;
}

static inline cairo_status_t cpango_write(void *closure, const unsigned char *bytes, unsigned int count) {
    struct cpango_output *output = (struct cpango_output *)closure;
    while (count > 0 && !output->failure) {
        size_t room = sizeof output->bytes - output->count;
        size_t part = count < room ? count : room;
        memcpy(output->bytes + output->count, bytes, part);
        output->count += part;
        bytes += part;
        count -= (unsigned int)part;
        if (output->count == sizeof output->bytes) cpango_flush(output);
    }
    return output->failure ? CAIRO_STATUS_WRITE_ERROR : CAIRO_STATUS_SUCCESS;
}

static inline struct cpango_output *cpango_new_output(void) {
    return (struct cpango_output *)calloc(1, sizeof(struct cpango_output));
}

static inline cairo_surface_t *cpango_new_pdf(struct cpango_output *output, double width, double height) {
    return cairo_pdf_surface_create_for_stream(cpango_write, output, width, height);
}

static inline GLogWriterOutput cpango_say_nothing(
    GLogLevelFlags level, const GLogField *fields, gsize count, gpointer context) {
    (void)level, (void)fields, (void)count, (void)context;
    return G_LOG_WRITER_HANDLED;
}

/// GLib's own log writer would look for the journal, and quote the text that it complains of.
static inline void cpango_be_silent(void) { g_log_set_writer_func(cpango_say_nothing, NULL, NULL); }

/// A surface that stands for a JPEG, which cairo writes into the PDF as it is and never decodes: one pixel, because
/// cairo scales a surface's extents to what is painted, and reads the picture's own size from the JPEG. NULL where
/// there is no memory.
static inline cairo_surface_t *cpango_new_jpeg(const void *bytes, size_t count) {
    unsigned char *copy = (unsigned char *)malloc(count);
    if (copy == NULL) return NULL;
    memcpy(copy, bytes, count);
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 1, 1);
    cairo_status_t status = cairo_surface_set_mime_data(surface, CAIRO_MIME_TYPE_JPEG, copy, count, free, copy);
    if (status == CAIRO_STATUS_SUCCESS) return surface;
    free(copy);
    cairo_surface_destroy(surface);
    return NULL;
}

static inline void cpango_add(PangoAttrList *list, PangoAttribute *attribute, unsigned start, unsigned end) {
    attribute->start_index = start;
    attribute->end_index = end;
    pango_attr_list_insert(list, attribute);
}

/// Whether a font's letters have colours of their own, as emoji have.
static inline int cpango_has_colours(PangoFont *font) {
    hb_face_t *face = hb_font_get_face(pango_font_get_hb_font(font));
    return hb_ot_color_has_png(face) || hb_ot_color_has_layers(face) || hb_ot_color_has_svg(face);
}

/// Draws letters as a picture of 288 points to the inch. cairo 1.16 would make one of 72 for each letter, and name it
/// twice where it stands twice on a page.
static inline void cpango_draw_coloured(
    cairo_t *context, PangoFont *font, PangoGlyphString *glyphs, double x, double y) {
    const double scale = 4;
    PangoRectangle ink;
    pango_glyph_string_extents(glyphs, font, &ink, NULL);
    double left = (double)ink.x / PANGO_SCALE, top = (double)ink.y / PANGO_SCALE;
    double width = (double)ink.width / PANGO_SCALE * scale + 2, height = (double)ink.height / PANGO_SCALE * scale + 2;
    // A line is no longer than the page is wide; what is larger is no letter.
    if (!(width > 2 && height > 2 && width < 8192 && height < 2048)) return;
    cairo_surface_t *picture = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)width, (int)height);
    cairo_t *inner = cairo_create(picture);
    cairo_translate(inner, 1, 1);
    cairo_scale(inner, scale, scale);
    cairo_move_to(inner, -left, -top);
    pango_cairo_show_glyph_string(inner, font, glyphs);
    cairo_destroy(inner);
    cairo_save(context);
    cairo_translate(context, x + left - 1 / scale, y + top - 1 / scale);
    cairo_scale(context, 1 / scale, 1 / scale);
    cairo_set_source_surface(context, picture, 0, 0);
    cairo_paint(context);
    cairo_restore(context);
    cairo_surface_destroy(picture);
}

/// Draws a line, once: its coloured letters are gone from it then.
static inline void cpango_draw_line(cairo_t *context, PangoLayoutLine *line, double x, double y) {
    double at = x;
    for (GSList *next = line->runs; next != NULL; next = next->next) {
        PangoGlyphItem *run = (PangoGlyphItem *)next->data;
        PangoFont *font = run->item->analysis.font;
        if (font != NULL && cpango_has_colours(font)) {
            cpango_draw_coloured(context, font, run->glyphs, at, y);
            for (int index = 0; index < run->glyphs->num_glyphs; index++)
                run->glyphs->glyphs[index].glyph = PANGO_GLYPH_EMPTY;
        }
        at += (double)pango_glyph_string_get_width(run->glyphs) / PANGO_SCALE;
    }
    cairo_move_to(context, x, y);
    pango_cairo_show_layout_line(context, line);
}

#endif
