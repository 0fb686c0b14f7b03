/* SPDX-License-Identifier: GPL-3.0-or-later */
/* To be preloaded: the process is killed in place of its write number KILLED_WRITE to a place in a
 * file, as SQLite writes.  */
#include <config.h>

#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

typedef ssize_t write_at(int file, const void *bytes, size_t count, off64_t at);

static ssize_t count_write(const char *name, int file, const void *bytes, size_t count, off64_t at)
{
    static long long writes;
    const char *killed = getenv("KILLED_WRITE");
    write_at *real = (write_at *)dlsym(RTLD_NEXT, name);

    if (killed != NULL && ++writes == atoll(killed))
        kill(getpid(), SIGKILL);
    return real(file, bytes, count, at);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at)
{
    return count_write("pwrite64", file, bytes, count, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at)
{
    return count_write("pwrite64", file, bytes, count, at);
}
