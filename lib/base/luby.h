/* SPDX-License-Identifier: Apache-2.0 */
/* Luby's sequence 1, 1, 2, 1, 1, 2, 4, ...: how long to search before the next
 * restart (Luby, Sinclair and Zuckerman 1993).  */
#ifndef ARENABENCH_LIB_BASE_LUBY_H
#define ARENABENCH_LIB_BASE_LUBY_H

#include <stdint.h>

/* Term I, from 1.  */
int64_t luby(uint64_t i);

#endif
