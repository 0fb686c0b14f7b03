/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In which orders the operators of several streams are replayed.  All agree with the streams and
 * with what operators read, which is all that a device with events keeps to.  */
#ifndef ARENABENCH_LIB_JUDGE_REPLAY_ORDERS_H
#define ARENABENCH_LIB_JUDGE_REPLAY_ORDERS_H

#include <stddef.h>

struct origin;
struct schedule;

/* The order of TURN, a step for each operator, which the caller frees; NULL: there are no more.
 * Turn 0 is the schedule's own.  Of several streams, up to MOST_AHEAD turns follow in which one of
 * them runs as far ahead as it can, the others only as it waits for them, and then RANDOM_ORDERS in
 * which random operators run as early as they can; these are the same each time.  */
enum { MOST_AHEAD = 4, RANDOM_ORDERS = 4 };
struct schedule *replay_order(const struct origin *origin, size_t turn);

#endif
