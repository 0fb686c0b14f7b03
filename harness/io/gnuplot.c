/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/io/gnuplot.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/io/options.h"
#include "harness/io/output.h"
#include "harness/io/process.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/base/people.h"

/* Of a script, which is ours.  */
#define MOST_BYTES ((size_t)1 << 24)
/* What is read at a time.  */
#define BLOCK ((size_t)65536)

bool gnuplot_found(void)
{
    char *program = process_program("gnuplot");
    const bool found = program != NULL;

    free(program);
    return found;
}

/* A line of a text.  Behind a zero gnuplot takes four digits, else three.  */
static void write_line(FILE *out, const char *line)
{
    char *shown = people_text(line);

    for (const char *at = shown; *at != '\0'; at++)
        if (isalnum((unsigned char)*at) || (unsigned char)*at > '~' ||
            strchr("+-._:=/", *at) != NULL)
            putc(*at, out);
        else
            fprintf(out, "\\%04o", (unsigned)*at);
    free(shown);
}

void gnuplot_write_cell(FILE *out, const char *text)
{
    char *copy = memory_strdup(text), *rest = copy;

    for (const char *line = strsep(&rest, "\n"); line != NULL; line = strsep(&rest, "\n")) {
        write_line(out, line);
        fputs(rest != NULL ? "\\0012" : "", out);
    }
    free(copy);
}

void gnuplot_write_value(FILE *out, const char *text)
{
    double number;

    if (parse_real(text, -HUGE_VAL, HUGE_VAL, &number)) {
        fputs(text, out);
        return;
    }
    putc('"', out);
    gnuplot_write_cell(out, text);
    putc('"', out);
}

static bool copy_file(const char *from, const char *to, struct error *error)
{
    char *text;
    size_t size;
    bool done;

    if (!file_read(from, MOST_BYTES, &text, &size, error))
        return false;
    done = output_bytes(to, text, size, error);
    free(text);
    return done;
}

/* Copies the project's file plots/NAME into FOLDER.  */
static bool copy_plot(const char *folder, const char *name, struct error *error)
{
    char *shared = memory_printf("plots/%s", name);
    char *from = share_path(shared), *to = memory_printf("%s/%s", folder, name);
    bool done = copy_file(from, to, error);

    free(to);
    free(from);
    free(shared);
    return done;
}

/* SCRIPT, and what scripts load.  */
static bool copy_scripts(const char *folder, const char *script, struct error *error)
{
    return copy_plot(folder, script, error) && copy_plot(folder, "style.gp", error) &&
           copy_plot(folder, "kinds.gp", error);
}

/* A call of gnuplot.  */
struct drawing {
    const char *folder, *settings, *script;
    int messages; /* memory for what it says */
};

/* -d: without the user's settings.  */
static void run_gnuplot(void *context, int socket)
{
    const struct drawing *drawing = context;
    int nothing;

    if (chdir(drawing->folder) == 0 && (nothing = open("/dev/null", O_RDONLY)) >= 0) {
        dup2(nothing, STDIN_FILENO);
        dup2(socket, STDOUT_FILENO);
        dup2(drawing->messages, STDERR_FILENO);
        execlp("gnuplot", "gnuplot", "-d", "-e", drawing->settings, drawing->script, (char *)NULL);
    }
    _exit(127);
}

/* The first lines of gnuplot's messages, as the error.  */
static bool tell_messages(int messages, const char *script, struct error *error)
{
    char text[600] = "";
    ssize_t length = pread(messages, text, sizeof text - 1, 0);
    size_t start = 0;

    while (length > 0 && text[length - 1] == '\n')
        length--;
    text[length > 0 ? length : 0] = '\0';
    for (char *at = text; *at != '\0'; at++)
        if (*at == '\n')
            *at = ' ';
    start = strspn(text, " ");
    return error_set(error, "gnuplot failed on %s: %s", script,
                     text[start] != '\0' ? text + start : "no message");
}

/* Blanks the date in a PDF file, so that the same data give the same file.
 * The length stays, because a PDF file's table holds the places of its objects.  */
static void remove_date(char *text, size_t size)
{
    static const char key[] = "/CreationDate (";
    char *found = memmem(text, size, key, strlen(key));
    char *end = found == NULL ? NULL : memchr(found, ')', (size_t)(text + size - found));

    if (end != NULL)
        memset(found, ' ', (size_t)(end + 1 - found));
}

/* Everything that comes in at IN; the caller frees it.  */
static char *read_all(int in, size_t *size)
{
    size_t capacity = 0;
    char *text = NULL;
    ssize_t got;

    *size = 0;
    do {
        text = memory_grow(text, &capacity, *size + BLOCK, 1);
        got = read(in, text + *size, BLOCK);
        *size += got > 0 ? (size_t)got : 0;
    } while (got > 0 || (got < 0 && errno == EINTR));
    return text;
}

/* What SCRIPT with SETTINGS in FOLDER writes to its output, which may be nothing only where FILES
 * are written; the caller frees it.  It comes through a socket, and messages through memory,
 * because gnuplot does not look whether what it writes into a file gets there: a full disk is for
 * us to see.  */
static char *output_of(const char *folder, const char *settings, const char *script, bool files,
                       size_t *size, struct error *error)
{
    struct drawing drawing = {folder, settings, script, memfd_create("messages", MFD_CLOEXEC)};
    struct process gnuplot;
    char *picture = NULL;
    bool done;

    if (drawing.messages < 0) {
        error_set(error, "gnuplot can't be run: %s", strerror(errno));
        return NULL;
    }
    done = process_start(&gnuplot, PROCESS_TALKS, run_gnuplot, &drawing, error) ||
           error_prefix(error, "gnuplot can't be run");
    if (done) {
        picture = read_all(gnuplot.fd, size);
        done = (process_wait(&gnuplot, NULL) == 0 && (files || *size > 0)) ||
               tell_messages(drawing.messages, script, error);
    }
    close(drawing.messages);
    if (done)
        return picture;
    free(picture);
    return NULL;
}

/* What a script finds set; the caller frees it.  */
static char *settings_of(const char *name, const char *format, enum gnuplot_width width)
{
    return memory_printf("name='%s'; format='%s'; width='%s'", name, format,
                         width == GNUPLOT_COLUMN ? "column" : "page");
}

bool gnuplot_draw(const char *folder, const char *name, struct gnuplot_look look,
                  struct error *error)
{
    char *script = memory_printf("%s.gp", name);
    char *settings = settings_of(name, look.format, look.width);
    char *path = memory_printf("%s/%s.%s", folder, name, look.format), *picture = NULL;
    bool done = copy_scripts(folder, script, error);
    size_t size = 0;

    if (done) {
        picture = output_of(folder, settings, script, false, &size, error);
        if (picture != NULL && strcmp(look.format, "pdf") == 0)
            remove_date(picture, size);
        done = picture != NULL && output_bytes(path, picture, size, error);
    }
    free(picture);
    free(path);
    free(settings);
    free(script);
    return done;
}

/* Whether TEXT ends with END and an end of line: gnuplot does not look whether what it wrote is
 * there.  */
static bool ends(const char *text, size_t size, const char *end)
{
    const size_t length = strlen(end);

    while (size > 0 && text[size - 1] == '\n')
        size--;
    return size >= length && memcmp(text + size - length, end, length) == 0;
}

/* Reads a file that gnuplot has written.  NULL with a message where it is not whole.  */
static char *read_whole(const char *path, const char *end, size_t *size, struct error *error)
{
    char *text = NULL;

    if (!file_read(path, MOST_BYTES, &text, size, error))
        return NULL;
    if (ends(text, *size, end))
        return text;
    error_set(error, "%s: gnuplot could not write all of it", path);
    free(text);
    return NULL;
}

bool gnuplot_draw_tex(const char *folder, const char *name, enum gnuplot_width width,
                      struct error *error)
{
    char *script = memory_printf("%s.gp", name);
    char *settings = settings_of(name, "tex", width);
    char *lines = memory_printf("%s/%s-tex.pdf", folder, name), *picture = NULL;
    char *texts = memory_printf("%s/%s-tex.tex", folder, name), *text = NULL, *said = NULL;
    size_t size = 0;
    bool done = copy_scripts(folder, script, error) &&
                (said = output_of(folder, settings, script, true, &size, error)) != NULL &&
                (text = read_whole(texts, "\\endgroup", &size, error)) != NULL &&
                (picture = read_whole(lines, "%%EOF", &size, error)) != NULL;

    if (done) {
        remove_date(picture, size);
        done = output_bytes(lines, picture, size, error);
    }
    free(said);
    free(text);
    free(texts);
    free(picture);
    free(lines);
    free(settings);
    free(script);
    return done;
}

char *gnuplot_make_folder(const char *dir, struct error *error)
{
    char *folder = memory_printf("%s/.draw-XXXXXX", dir);

    if (mkdtemp(folder) != NULL)
        return folder;
    error_set(error, "%s: %s", dir, strerror(errno));
    free(folder);
    return NULL;
}

void gnuplot_remove_folder(const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;

    if (dir == NULL)
        return;
    while ((entry = readdir(dir)) != NULL)
        unlinkat(dirfd(dir), entry->d_name, 0);
    closedir(dir);
    rmdir(folder);
}
