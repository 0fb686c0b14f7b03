/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planners of runtimes and compilers on cases worked out by hand: the examples at the heads of
 * their files, and what the recorded answers do not show.  */
#include <config.h>

#include "tests/oracles/plain_shipped.h"
#include "tests/support/golden.h"
#include "tests/support/same_plans.h"
#include "tests/support/tap.h"

/* The drawing in ggml.c.  Then two chunks, as half of the load of 6 is 3: a takes the first one, b
 * the second; c goes to the first one, which need not grow, and d above it, which leaves
 * nothing over below the top.  */
static void ggml(void)
{
    static const struct record drawing[] = {{0, 1, 2}, {0, 2, 1}, {0, 1, 2},
                                            {0, 2, 3}, {1, 2, 3}, {1, 2, 2}};
    static const struct record chunks[] = {{0, 1, 4}, {0, 2, 2}, {1, 2, 3}, {1, 2, 1}};

    golden_plans("drawing", drawing, 0, 1, OFFSETS(0, 2, 3, 5, 8, 3), "ggml");
    golden_plans("chunks", chunks, 0, 1, OFFSETS(0, 4, 0, 3), "ggml:chunk=50");
}

/* The drawing in openvino.c; the longest life would go first in first-fit-by-size.  */
static void openvino(void)
{
    static const struct record drawing[] = {{1, 3, 2}, {0, 4, 2}, {0, 2, 2}};

    golden_plans("drawing", drawing, 0, 1, OFFSETS(4, 2, 0), "openvino");
    golden_plans("drawing", drawing, 0, 1, OFFSETS(2, 0, 4), "first-fit-by-size");
}

/* The table in static-runtime.c.  */
static void static_runtime(void)
{
    static const struct record table[] = {{0, 1, 8}, {0, 1, 2}, {1, 3, 9}, {2, 3, 1}};

    golden_plans("table", table, 0, 1, OFFSETS(0, 8, 8, 0), "static-runtime");
}

/* The drawing in triton.c.  */
static void triton(void)
{
    static const struct record drawing[] = {{0, 2, 3}, {1, 4, 2}};

    golden_plans("drawing", drawing, 0, 1, OFFSETS(0, 3), "triton");
}

/* The drawing in onert.c, and the same buffers in the order of begin: a, b, d, c.  */
static void onert(void)
{
    static const struct record drawing[] = {{0, 1, 2}, {0, 2, 2}, {1, 3, 3}, {0, 1, 1}};

    golden_plans("drawing", drawing, 0, 1, OFFSETS(0, 3, 0, 2), "onert");
    golden_plans("drawing", drawing, 0, 1, OFFSETS(0, 2, 4, 4), "onert:planner=first-fit",
                 "first-fit-by-start");
    golden_plans("drawing", drawing, 0, 1, OFFSETS(0, 2, 5, 4), "onert:planner=bump");
}

/* The table in onednn.c.  */
static void onednn(void)
{
    static const struct record table[] = {{0, 1, 2}, {0, 3, 3}, {1, 2, 5}, {2, 3, 1}};

    golden_plans("table", table, 0, 1, OFFSETS(0, 5, 0, 0), "onednn", "onednn:prefer=hot");
}

/* The drawing in glow.c.  */
static void glow(void)
{
    static const struct record drawing[] = {{0, 3, 1}, {1, 4, 4}, {0, 2, 2}};

    golden_plans("drawing", drawing, 0, 1, OFFSETS(6, 0, 4), "glow");
    golden_plans("drawing", drawing, 0, 1, OFFSETS(0, 3, 1), "glow:planner=online");
}

/* The drawing in nntrainer.c; v3 puts c into a's place and d on top.  */
static void nntrainer(void)
{
    static const struct record drawing[] = {{0, 1, 2}, {0, 3, 3}, {1, 3, 1}, {2, 3, 2}, {3, 4, 6}};

    golden_plans("drawing", drawing, 0, 1, OFFSETS(0, 2, 5, 0, 0), "nntrainer");
    golden_plans("drawing", drawing, 0, 1, OFFSETS(0, 2, 0, 5, 0), "nntrainer:planner=v3");
}

/* The table in tinygrad.c; in blocks of 256 bytes all sizes are the same.  */
static void tinygrad(void)
{
    static const struct record table[] = {{0, 1, 65}, {0, 3, 1}, {1, 2, 65}, {2, 3, 64}};

    golden_plans("table", table, 0, 1, OFFSETS(0, 65, 66, 0), "tinygrad");
    golden_plans("table", table, 0, 1, OFFSETS(0, 256, 0, 0), "tinygrad:block=256");
}

/* The drawing in vela-greedy.c.  */
static void vela_greedy(void)
{
    static const struct record drawing[] = {{0, 1, 4}, {0, 3, 3}, {0, 1, 3}, {1, 2, 3}};

    golden_plans("drawing", drawing, 0, 1, OFFSETS(6, 0, 3, 3), "vela-greedy");
}

/* Urgencies 5, 7 and 7: b, then c, which begins later, then a, and that is the load.  */
static void vela_hill_climb(void)
{
    static const struct record record[] = {{0, 2, 2}, {1, 3, 3}, {2, 4, 4}};

    golden_plans("urgency", record, 0, 1, OFFSETS(3, 0, 3), "vela-hill-climb",
                 "vela-hill-climb:upstream=2021", "vela-hill-climb:upstream=regor");
}

/* Equal sizes: first-fit takes what begins first, 1 and then 0, heap what lives longest, 2.  With
 * one plan the search is first-fit, which reaches the load here anyway.  */
static void dsa_solver(void)
{
    static const struct record record[] = {{1, 3, 2}, {0, 2, 2}, {1, 5, 2}};

    golden_plans("ties", record, 0, 1, OFFSETS(2, 0, 4), "dsa-solver:planner=first-fit",
                 "dsa-solver:iterations=1", "dsa-solver");
    golden_plans("ties", record, 0, 1, OFFSETS(2, 4, 0), "dsa-solver:planner=heap");
}

static const struct plain_pair pairs[] = {
    {"openvino", plain_openvino, 1000, 2000},
    {"triton", plain_triton, 500, 500},
    {"onednn", plain_onednn, 1000, 1000},
    {"onednn:prefer=hot", plain_onednn_hot, 1000, 1000},
    {"glow", plain_glow, 300, 300},
    {"nntrainer", plain_nntrainer, 1000, 5000},
    {NULL, NULL, 0, 0},
};

int main(void)
{
    ggml();
    openvino();
    static_runtime();
    triton();
    onert();
    onednn();
    glow();
    nntrainer();
    tinygrad();
    vela_greedy();
    vela_hill_climb();
    dsa_solver();
    same_plans(pairs);
    return tap_done();
}
