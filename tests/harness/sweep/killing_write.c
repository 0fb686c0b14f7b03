/* SPDX-License-Identifier: GPL-3.0-or-later */
/* To be preloaded: the process is killed in place of its write number KILLED_WRITE to a place in a
 * file, as SQLite writes.  */
#include <config.h>

#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at)
{
    static long long writes;
    const char *killed = getenv("KILLED_WRITE");
    ssize_t (*real)(int, const void *, size_t, off64_t) =
        (ssize_t(*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");

    if (killed != NULL && ++writes == atoll(killed))
        kill(getpid(), SIGKILL);
    return real(file, bytes, count, at);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at)
{
    return pwrite64(file, bytes, count, at);
}
