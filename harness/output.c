#include <config.h>

#include "harness/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/memory.h"

bool output_open(struct output *output, const char *path, struct error *error)
{
    struct stat status;
    bool device = stat(path, &status) == 0 && !S_ISREG(status.st_mode);

    output->path = memory_strdup(path);
    output->temporary = device ? NULL : memory_printf("%s.%ld.new", path, (long)getpid());
    output->file = fopen(device ? path : output->temporary, "w");
    if (output->file != NULL)
        return true;
    error_set(error, "%s: %s", path, strerror(errno));
    free(output->path);
    free(output->temporary);
    return false;
}

bool output_close(struct output *output, bool keep, struct error *error)
{
    bool whole = true;

    if (fflush(output->file) != 0 || ferror(output->file) != 0)
        whole = error_set(error, "%s: %s", output->path, strerror(errno));
    if (fclose(output->file) != 0 && whole)
        whole = error_set(error, "%s: %s", output->path, strerror(errno));
    if (keep && whole && output->temporary != NULL && rename(output->temporary, output->path) != 0)
        whole = error_set(error, "%s: %s", output->path, strerror(errno));
    if ((!keep || !whole) && output->temporary != NULL)
        unlink(output->temporary);
    free(output->path);
    free(output->temporary);
    return whole;
}

bool output_folder(const char *path, struct error *error)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return true;
    return error_set(error, "%s: %s", path, strerror(errno));
}
