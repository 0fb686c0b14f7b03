#include <config.h>

#include "harness/io/transfer.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

bool transfer_send(int socket, const void *data, size_t size)
{
    for (const char *at = data; size > 0;) {
        /* A broken connection is a failure, not a signal.  */
        ssize_t put = send(socket, at, size, MSG_NOSIGNAL);

        if (put < 0 && errno != EINTR)
            return false;
        if (put > 0) {
            at += put;
            size -= (size_t)put;
        }
    }
    return true;
}

bool transfer_receive(int socket, void *data, size_t size)
{
    for (char *at = data; size > 0;) {
        ssize_t got = read(socket, at, size);

        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        if (got > 0) {
            at += got;
            size -= (size_t)got;
        }
    }
    return true;
}
