/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/report/markup.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/people.h"
#include "lib/base/utf8.h"

static void write_html(FILE *out, const char *text)
{
    char *shown = people_text(text);

    for (const char *at = shown; *at != '\0'; at++)
        switch (*at) {
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '&':
            fputs("&amp;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        case '\'':
            fputs("&#39;", out);
            break;
        default:
            putc(*at, out);
        }
    free(shown);
}

/* A letter beyond ASCII, SIZE bytes long; those of Latin-1 are in LaTeX's own fonts, and these few
 * stand in our figures.  */
static void write_letter(FILE *out, const unsigned char *text, size_t size)
{
    static const struct {
        unsigned code;
        const char *tex;
    } known[] = {{0xD7, "$\\times$"},
                 {0x2013, "--"},
                 {0x2026, "\\ldots{}"},
                 {0x2191, "$\\uparrow$"},
                 {0x2193, "$\\downarrow$"}};
    const unsigned code = utf8_character(text, size);

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].code == code) {
            fputs(known[i].tex, out);
            return;
        }
    if (code >= 0xC0 && code <= 0xFF)
        fwrite(text, 1, size, out);
    else
        fprintf(out, "{[}U+%04X{]}", code);
}

static void write_tex(FILE *out, const char *given)
{
    static const char special[] = "{}$&#_%", braced[] = "[]*";
    char *shown = people_text(given);
    size_t size;

    for (const char *text = shown; *text != '\0'; text += size) {
        size = utf8_sequence((const unsigned char *)text, strlen(text));
        if (size > 0) {
            write_letter(out, (const unsigned char *)text, size);
            continue;
        }
        size = 1;
        if (*text == '\\')
            fputs("\\textbackslash{}", out);
        else if (*text == '|')
            fputs("\\textbar{}", out);
        else if (*text == '~' || *text == '^')
            fprintf(out, "\\%c{}", *text);
        else if (*text == '<' || *text == '>')
            fprintf(out, "$%c$", *text);
        else if (strchr(special, *text) != NULL)
            fprintf(out, "\\%c", *text);
        else if (strchr(braced, *text) != NULL) /* an option's, behind what ends a row */
            fprintf(out, "{%c}", *text);
        else if (*text == '-' && text[1] == '-') /* no dash */
            fputs("-{}", out);
        else
            putc(*text, out);
    }
    free(shown);
}

static void print(FILE *out, void (*write)(FILE *out, const char *text), const char *format,
                  va_list texts)
{
    for (; *format != '\0'; format++)
        if (*format != '%')
            putc(*format, out);
        else if (*++format == 's')
            write(out, va_arg(texts, const char *));
        else
            putc(*format, out);
}

void html_print(FILE *out, const char *format, ...)
{
    va_list texts;

    va_start(texts, format);
    print(out, write_html, format, texts);
    va_end(texts);
}

void tex_print(FILE *out, const char *format, ...)
{
    va_list texts;

    va_start(texts, format);
    print(out, write_tex, format, texts);
    va_end(texts);
}
