/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/io/picture.h"

#include <stdlib.h>
#include <string.h>

#include "harness/io/gnuplot.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"

/* Of a picture.  */
#define MOST_BYTES ((size_t)1 << 31)

const char *picture_format(const char *path)
{
    static const char *const formats[] = {"svg", "png", "pdf", "html"};
    const char *dot = path == NULL ? ".svg" : strrchr(path, '.');

    for (size_t i = 0; dot != NULL && i < sizeof formats / sizeof formats[0]; i++)
        if (strcmp(dot + 1, formats[i]) == 0)
            return formats[i];
    return NULL;
}

const char *picture_still_format(const char *path)
{
    const char *format = picture_format(path);

    return format != NULL && strcmp(format, "html") == 0 ? NULL : format;
}

static bool copy_picture(const char *from, FILE *to, struct error *error)
{
    char *picture;
    size_t size;

    if (!file_read(from, MOST_BYTES, &picture, &size, error))
        return false;
    fwrite(picture, 1, size, to); /* closing sees what went wrong */
    free(picture);
    return true;
}

bool picture_draw(const char *name, const char *format, picture_writer *write, const void *context,
                  FILE *out, struct error *error)
{
    const char *temporary = getenv("TMPDIR");
    char *folder =
        gnuplot_make_folder(temporary != NULL && temporary[0] != '\0' ? temporary : "/tmp", error);
    char *picture;
    bool done;

    if (folder == NULL)
        return false;
    picture = memory_printf("%s/%s.%s", folder, name, format);
    done = write(folder, context, error) &&
           gnuplot_draw(folder, name, (struct gnuplot_look){format, GNUPLOT_PAGE}, error) &&
           copy_picture(picture, out, error);
    gnuplot_remove_folder(folder);
    free(picture);
    free(folder);
    return done;
}
