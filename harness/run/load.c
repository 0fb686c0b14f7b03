/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/run/load.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "harness/io/process.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"

/* The first line of /proc/stat, in ticks: user, nice, system, idle, waiting for a disk, interrupts
 * (two), stolen.  */
static void read_processors(struct load *load)
{
    const double tick = 1.0 / (double)sysconf(_SC_CLK_TCK);
    uint64_t user, nice, system, interrupt, soft, stolen;
    FILE *in = fopen("/proc/stat", "re");

    load->busy_s = load->stolen_s = -1.0;
    if (in == NULL)
        return;
    if (fscanf(in,
               "cpu %" SCNu64 " %" SCNu64 " %" SCNu64 " %*u %*u %" SCNu64 " %" SCNu64 " %" SCNu64,
               &user, &nice, &system, &interrupt, &soft, &stolen) == 6) {
        load->busy_s = tick * (double)(user + nice + system + interrupt + soft);
        load->stolen_s = tick * (double)stolen;
    }
    fclose(in);
}

static void read_pressure(struct load *load)
{
    FILE *in = fopen("/proc/pressure/cpu", "re");
    int64_t total;

    load->waiting_s = -1.0;
    if (in == NULL)
        return;
    if (fscanf(in, "some %*s %*s %*s total=%" SCNd64, &total) == 1)
        load->waiting_s = 1e-6 * (double)total;
    fclose(in);
}

void load_read(struct load *load)
{
    static const int whose[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
    double average[1];

    *load = (struct load){.moment_s = timer_now(), .average = -1.0};
    for (size_t i = 0; i < sizeof whose / sizeof whose[0]; i++) {
        struct rusage usage;

        if (getrusage(whose[i], &usage) != 0)
            continue;
        load->own_s += process_seconds(&usage);
        load->switches += usage.ru_nivcsw;
    }
    read_processors(load);
    read_pressure(load);
    if (getloadavg(average, 1) == 1)
        load->average = average[0];
}

char *load_text(const struct load *before, const struct load *after)
{
    const double wall = fmax(after->moment_s - before->moment_s, 1e-9);
    const double own = after->own_s - before->own_s;
    char *text;

    /* Ticks are coarse, so a moment's others may come out below nothing.  */
    if (before->busy_s < 0 || after->busy_s < 0)
        text = memory_strdup("unknown");
    else
        text = memory_printf("%.2f processors of others, %.2f own, %.2f stolen, of %ld",
                             fmax(0.0, after->busy_s - before->busy_s - own) / wall, own / wall,
                             fmax(0.0, after->stolen_s - before->stolen_s) / wall,
                             sysconf(_SC_NPROCESSORS_ONLN));
    if (before->waiting_s >= 0 && after->waiting_s >= 0)
        text = memory_append(text, "; somebody waited for one %.1f %% of the time",
                             100.0 * (after->waiting_s - before->waiting_s) / wall);
    if (before->average >= 0 && after->average >= 0)
        text = memory_append(text, "; load average %.2f before, %.2f after", before->average,
                             after->average);
    return memory_append(text, "; %.1f involuntary switches a second of own work",
                         (double)(after->switches - before->switches) / fmax(own, 1e-9));
}
