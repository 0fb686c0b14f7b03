/* The process behind a session: it serves orders until there are no more.  */
#ifndef ARENABENCH_HARNESS_TIMING_CONV_CHILD_H
#define ARENABENCH_HARNESS_TIMING_CONV_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "harness/timing/conv_session.h"

enum conv_order_kind { CONV_ORDER_PREPARE, CONV_ORDER_TIME, CONV_ORDER_STOP };

/* Both sides are the same program, so structs travel as they are.  */
struct conv_order {
    enum conv_order_kind kind;
    int slot;
    int64_t repeats; /* CONV_ORDER_TIME */
    struct conv_shape shape;
    bool relu;
    size_t params; /* bytes of the text that follows, its zero included */
};

/* What the process exits with where it ends by itself before its time.  */
enum { CONV_EXIT_MEMORY = 3 };

/* Answers each order that comes in on SOCKET: a prepared layer with struct
 * conv_facts, a batch with a double.  Ends with PARENT (harness/run/parent.h).  */
_Noreturn void conv_child(const struct conv_setup *setup, int socket, pid_t parent);

#endif
