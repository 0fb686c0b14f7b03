/* Whole messages over a socket between a process and its children.  */
#ifndef ARENABENCH_HARNESS_IO_TRANSFER_H
#define ARENABENCH_HARNESS_IO_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>

/* Both go on after a signal and are false when the other side is gone.  */
bool transfer_send(int socket, const void *data, size_t size);
bool transfer_receive(int socket, void *data, size_t size);

#endif
