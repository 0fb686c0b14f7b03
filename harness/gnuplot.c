#include <config.h>

#include "harness/gnuplot.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/options.h"
#include "lib/memory.h"
#include "lib/params.h"

/* Where gnuplot's messages go, in its folder.  */
#define MESSAGES "messages"

bool gnuplot_found(void)
{
    const char *path = getenv("PATH");
    char *copy, *state = NULL;
    bool found = false;

    if (path == NULL)
        return false;
    copy = memory_strdup(path);
    for (char *dir = strtok_r(copy, ":", &state); dir != NULL && !found;
         dir = strtok_r(NULL, ":", &state)) {
        char *program = memory_printf("%s/gnuplot", dir);

        found = access(program, X_OK) == 0;
        free(program);
    }
    free(copy);
    return found;
}

void gnuplot_write_value(FILE *out, const char *text)
{
    double number;

    if (parse_real(text, -HUGE_VAL, HUGE_VAL, &number)) {
        fputs(text, out);
        return;
    }
    /* Not in double quotes: gnuplot runs what stands between backquotes there.  */
    putc('\'', out);
    for (; *text != '\0'; text++)
        if (*text == '\n')
            fputs("'.\"\\n\".'", out);
        else {
            if (*text == '\'')
                putc('\'', out);
            putc(*text == '\r' ? ' ' : *text, out);
        }
    putc('\'', out);
}

static bool copy_file(const char *from, const char *to, struct error *error)
{
    FILE *in = fopen(from, "r"), *out;
    char block[8192];
    size_t got;
    bool done;

    if (in == NULL)
        return error_set(error, "%s: %s", from, strerror(errno));
    out = fopen(to, "w");
    if (out == NULL) {
        error_set(error, "%s: %s", to, strerror(errno));
        fclose(in);
        return false;
    }
    while ((got = fread(block, 1, sizeof block, in)) > 0)
        fwrite(block, 1, got, out);
    done = ferror(in) == 0 && ferror(out) == 0;
    fclose(in);
    done = fclose(out) == 0 && done;
    return done || error_set(error, "%s: %s", to, strerror(errno));
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

/* In the child: never returns.  -d: without the user's settings.  */
static _Noreturn void run_gnuplot(const char *folder, const char *settings, const char *script)
{
    int messages, nothing;

    if (chdir(folder) == 0 && (nothing = open("/dev/null", O_RDONLY)) >= 0 &&
        (messages = open(MESSAGES, O_WRONLY | O_CREAT | O_TRUNC, 0666)) >= 0) {
        dup2(nothing, STDIN_FILENO);
        dup2(messages, STDOUT_FILENO);
        dup2(messages, STDERR_FILENO);
        execlp("gnuplot", "gnuplot", "-d", "-e", settings, script, (char *)NULL);
    }
    _exit(127);
}

/* The first lines of gnuplot's messages, as the error.  */
static bool tell_messages(const char *folder, const char *script, struct error *error)
{
    char *path = memory_printf("%s/%s", folder, MESSAGES);
    FILE *in = fopen(path, "r");
    char text[600] = "";

    if (in != NULL) {
        size_t length = fread(text, 1, sizeof text - 1, in), start = 0;

        text[length] = '\0';
        for (size_t i = 0; i < length; i++)
            if (text[i] == '\n')
                text[i] = ' ';
        while (text[start] == ' ')
            start++;
        memmove(text, text + start, length - start + 1);
        fclose(in);
    }
    free(path);
    return error_set(error, "gnuplot failed on %s: %s", script,
                     text[0] != '\0' ? text : "no message");
}

/* Blanks the date in a PDF file, so that the same data give the same file.
 * The length stays, because a PDF file's table holds the places of its objects.  */
static void remove_date(const char *path)
{
    static const char key[] = "/CreationDate (";
    FILE *file = fopen(path, "r+b");
    char *text;
    long size;

    if (file == NULL)
        return;
    if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) > 0) {
        text = memory_alloc((size_t)size, 1);
        rewind(file);
        if (fread(text, 1, (size_t)size, file) == (size_t)size) {
            char *found = memmem(text, (size_t)size, key, strlen(key));
            char *end = found == NULL ? NULL : memchr(found, ')', (size_t)(text + size - found));

            if (end != NULL) {
                memset(found, ' ', (size_t)(end + 1 - found));
                rewind(file);
                fwrite(text, 1, (size_t)size, file);
            }
        }
        free(text);
    }
    fclose(file);
}

bool gnuplot_draw(const char *folder, const char *name, const char *format, struct error *error)
{
    char *script = memory_printf("%s.gp", name);
    char *settings = memory_printf("name='%s'; format='%s'", name, format);
    char *picture = memory_printf("%s/%s.%s", folder, name, format);
    bool done = copy_plot(folder, script, error) && copy_plot(folder, "style.gp", error);
    struct stat status;
    int ended = 0;
    pid_t child;

    if (done) {
        fflush(NULL);
        child = fork();
        if (child == 0)
            run_gnuplot(folder, settings, script);
        done = child > 0 && waitpid(child, &ended, 0) == child;
        if (!done)
            error_set(error, "gnuplot can't be run: %s", strerror(errno));
        else if (!WIFEXITED(ended) || WEXITSTATUS(ended) != 0 || stat(picture, &status) != 0 ||
                 status.st_size == 0)
            done = tell_messages(folder, script, error);
        else if (strcmp(format, "pdf") == 0)
            remove_date(picture);
    }
    free(picture);
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
