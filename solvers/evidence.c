/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "solvers/evidence.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"

/* 200 random instances, and six of MiniMalloc's.  */
enum { ALL = 206 };
/* Dumps with overwrites.  */
enum { DUMPS = 200 };

#define TVM "tvm", "fb43fc8"
#define LITERT "LiteRT", "f674577"
#define MEGENGINE "MegEngine", "47952c0"
#define OMNIMALLOC "omnimalloc", "2e9cf4e"
#define GGML "ggml", "d99724f"
#define GLOW "glow", "05dd99b"
#define NNTRAINER "nntrainer", "9f8ed93"
#define ONE "ONE", "1e206fe"
#define ONEDNN "oneDNN", "515bfba"
#define DSA_SOLVER "dsa-solver", "a8d1257"
#define VELA "ethos-u-vela"
#define TINYGRAD "tinygrad", "a9069c1"

/* A planner that is mended, or one that is new, is a changed row: how many are equal.  */
const struct upstream_record upstream_records[] = {
    {"tflm", "tflm", "tflite-micro", "90b983c", UPSTREAM_OFFSETS, ALL, ALL, NULL, NULL},
    {"tvm-size", "tvm-size", TVM, UPSTREAM_OFFSETS, ALL, ALL, NULL, NULL},
    {"tvm-conflicts", "tvm-conflicts", TVM, UPSTREAM_OFFSETS, ALL, ALL, NULL, NULL},
    {"tvm-hill-climb", "tvm-hill-climb", TVM, UPSTREAM_OFFSETS, ALL, ALL, NULL, NULL},
    {"tflite-arena", "tflite-arena", LITERT, UPSTREAM_OFFSETS, ALL, ALL, NULL, NULL},
    {"tflite-gpu-equality", "tflite-gpu-equality", LITERT, UPSTREAM_OFFSETS, ALL, ALL, NULL, NULL},
    {"tflite-gpu-in-order", "tflite-gpu-in-order", LITERT, UPSTREAM_OFFSETS, ALL, ALL, NULL, NULL},
    {"tflite-gpu-breadth", "tflite-gpu-breadth", LITERT, UPSTREAM_OFFSETS, ALL, ALL, NULL, NULL},
    {"tflite-gpu-size-distance", "tflite-gpu-size-distance", LITERT, UPSTREAM_OFFSETS, ALL, ALL,
     NULL, NULL},
    {"tflite-gpu-best", "tflite-gpu-best", LITERT, UPSTREAM_OFFSETS, ALL, ALL, NULL, NULL},
    {"tflite-gpu-greedy-by-size", "greedy-by-size", LITERT, UPSTREAM_OFFSETS, ALL, ALL, NULL, NULL},
    {"tflite-gpu-min-cost-flow", "tflite-gpu-min-cost-flow:routine=paths", LITERT, UPSTREAM_OFFSETS,
     ALL, ALL, NULL, "the default routine finds other flows of equal cost"},
    {"xnnpack", "xnnpack", "XNNPACK", "75db3c0", UPSTREAM_OFFSETS, ALL, ALL, NULL, NULL},
    {"xnnpack-2025", "xnnpack:leading=skip", "XNNPACK", "8def0d9", UPSTREAM_OFFSETS, ALL, ALL, NULL,
     NULL},
    {"iree", "iree:rows=given", "iree", "b48a595", UPSTREAM_OFFSETS, ALL, ALL, NULL,
     "the function that places, on rows as they stand; upstream sorts them before"},
    {"onnxruntime", "onnxruntime:top=append", "onnxruntime", "00ca168", UPSTREAM_OFFSETS, ALL, ALL,
     NULL, "an earlier version; its function bodies were copied out"},
    {"onnxruntime-fit", "onnxruntime", "onnxruntime", "unknown", UPSTREAM_OFFSETS, ALL, ALL, NULL,
     "its function bodies were copied out"},
    {"mlir-best-fit", "onnxruntime", "llvm-project", "ae2d14a", UPSTREAM_OFFSETS, ALL, ALL, NULL,
     "MLIR's best fit, copied out; with std::sort's own ties 145 plans are others"},
    {"executorch", "executorch", "executorch", "cff6f4d", UPSTREAM_OFFSETS, ALL, ALL, NULL, NULL},
    {"megengine-best-fit", "megengine-best-fit", MEGENGINE, UPSTREAM_OFFSETS, ALL, ALL, NULL, NULL},
    {"overwrites-best-fit", "megengine-best-fit", MEGENGINE, UPSTREAM_OFFSETS, DUMPS, DUMPS,
     "overwrites", NULL},
    {"megengine-interval-move", "megengine-interval-move", MEGENGINE, UPSTREAM_OFFSETS, ALL, ALL,
     NULL, NULL},
    {"overwrites-interval-move", "megengine-interval-move", MEGENGINE, UPSTREAM_OFFSETS, DUMPS,
     DUMPS, "overwrites", NULL},
    {"megengine-pushdown", "megengine-pushdown", MEGENGINE, UPSTREAM_OFFSETS, ALL, ALL, NULL, NULL},
    {"overwrites-pushdown", "megengine-pushdown", MEGENGINE, UPSTREAM_OFFSETS, DUMPS, DUMPS,
     "overwrites", NULL},
    {"nnc", "nnc:order=steps,as=arena", "ccv", "c6ce5b1", UPSTREAM_OFFSETS, ALL, ALL, NULL, NULL},
    {"nnc-tuples", "nnc:rule=tuples,order=steps,as=arena", "ccv", "19b5599", UPSTREAM_TOTAL, 205,
     ALL, NULL, "a hash table chooses among edges that bridge equally many operators"},
    {"minimalloc", "minimalloc", "minimalloc", "9f5cf81", UPSTREAM_PEAK, 54, 54, NULL,
     "10 more are not proved in 200,000 nodes"},
    {"omni", "omni", OMNIMALLOC, UPSTREAM_OFFSETS, ALL, ALL, NULL,
     "some of its orders were found by these answers"},
    {"tabu", "tabu-search", OMNIMALLOC, UPSTREAM_TOTAL, 197, ALL, NULL,
     "how it draws pairs and compares equal swaps is not known"},
    {"supermalloc", "supermalloc", OMNIMALLOC, UPSTREAM_PEAK, 131, 131, NULL, NULL},
    {"ggml", "ggml", GGML, UPSTREAM_OFFSETS, ALL, ALL, NULL, NULL},
    {"ggml-chunks", "ggml:chunk=50", GGML, UPSTREAM_OFFSETS, ALL, ALL, NULL, NULL},
    {"openvino", "openvino", "openvino", "7495949", UPSTREAM_OFFSETS, ALL, ALL, NULL,
     "its function bodies were copied out; with std::sort's own ties 94 plans are others"},
    {"pytorch-static-runtime", "static-runtime", "pytorch", "8eded88", UPSTREAM_OFFSETS, ALL, ALL,
     NULL, "its loop was copied out"},
    {"triton", "triton", "triton", "2062702", UPSTREAM_OFFSETS, ALL, ALL, NULL,
     "parts of the file"},
    {"one-wic", "onert", ONE, UPSTREAM_OFFSETS, ALL, ALL, NULL, NULL},
    {"one-first-fit", "onert:planner=first-fit", ONE, UPSTREAM_OFFSETS, ALL, ALL, NULL, NULL},
    {"one-bump", "onert:planner=bump", ONE, UPSTREAM_OFFSETS, ALL, ALL, NULL, NULL},
    {"onednn", "onednn", ONEDNN, UPSTREAM_OFFSETS, ALL, ALL, NULL, NULL},
    {"onednn-hot", "onednn:prefer=hot", ONEDNN, UPSTREAM_OFFSETS, ALL, ALL, NULL, NULL},
    {"glow-all", "glow", GLOW, UPSTREAM_OFFSETS, ALL, ALL, NULL, NULL},
    {"glow-online", "glow:planner=online", GLOW, UPSTREAM_OFFSETS, ALL, ALL, NULL, NULL},
    {"nntrainer-v1", "nntrainer", NNTRAINER, UPSTREAM_OFFSETS, ALL, ALL, NULL,
     "with std::sort's own ties 110 plans are others"},
    {"nntrainer-v2", "nntrainer", NNTRAINER, UPSTREAM_OFFSETS, ALL, ALL, "v2 without gradients",
     NULL},
    {"nntrainer-v3", "nntrainer:planner=v3", NNTRAINER, UPSTREAM_OFFSETS, ALL, ALL, NULL,
     "with std::sort's own ties 108 plans are others"},
    {"tinygrad", "tinygrad:block=256", TINYGRAD, UPSTREAM_OFFSETS, ALL, ALL, NULL,
     "the class; its loop was copied out"},
    {"tinygrad-scaled", "tinygrad", TINYGRAD, UPSTREAM_OFFSETS, ALL, ALL, NULL, NULL},
    {"vela-greedy", "vela-greedy", VELA, "a6f6566", UPSTREAM_OFFSETS, ALL, ALL, NULL, NULL},
    {"vela-hill-climb", "vela-hill-climb", VELA, "a6f6566", UPSTREAM_OFFSETS, ALL, ALL, NULL, NULL},
    {"vela-search-2021", "vela-hill-climb:upstream=2021", VELA, "8af061a", UPSTREAM_OFFSETS, ALL,
     ALL, NULL, NULL},
    {"regor-hill-climb", "vela-hill-climb:upstream=regor", "neural-compiler", "0cb2e10",
     UPSTREAM_OFFSETS, ALL, ALL, NULL, "a fork that has Vela's history"},
    {"dsa-solver-local-search", "dsa-solver", DSA_SOLVER, UPSTREAM_OFFSETS, ALL, ALL, NULL,
     "2,000 iterations"},
    {"dsa-solver-first-fit", "dsa-solver:planner=first-fit", DSA_SOLVER, UPSTREAM_OFFSETS, ALL, ALL,
     NULL, NULL},
    {"dsa-solver-xla-heap", "dsa-solver:planner=heap", DSA_SOLVER, UPSTREAM_OFFSETS, ALL, ALL, NULL,
     NULL},
    {NULL, NULL, NULL, NULL, UPSTREAM_OFFSETS, 0, 0, NULL, NULL},
};

/* Several rows have the same files.  */
#define GOLDEN "tests/solvers/t_golden.c"
#define REFERENCE "tests/oracles/reference_planners.c", "tests/solvers/t_solvers_same.c"
#define PLAIN_XLA "tests/oracles/plain_xla.c", "tests/solvers/t_xla.c"
#define ALLOCATORS "tests/oracles/plain_allocators.c", "tests/solvers/t_online.c"
#define ONLINE "tests/oracles/plain_online.c", "tests/solvers/t_online.c"
#define POOLS "tests/solvers/t_pools.c"
#define TWICE(file) file, file

const struct evidence evidence_others[] = {
    {"annealing", EVIDENCE_PROMISES, TWICE("tests/solvers/t_order_search.c")},
    {"bfc", EVIDENCE_SECOND, ALLOCATORS},
    {"branch-and-bound", EVIDENCE_OPTIMA, TWICE("tests/solvers/t_branch_and_bound.c")},
    {"buddy", EVIDENCE_SECOND, ONLINE},
    {"duration-size", EVIDENCE_EXAMPLE, TWICE(GOLDEN)},
    {"duration-size", EVIDENCE_SECOND, REFERENCE},
    {"exec", EVIDENCE_VERIFIED, TWICE("tests/harness/run/t_solvers_exec.c")},
    {"first-fit-by-size", EVIDENCE_SECOND, REFERENCE},
    {"first-fit-by-start", EVIDENCE_SECOND, "tests/oracles/plain_planners.c",
     "tests/solvers/t_xla.c"},
    {"glpk", EVIDENCE_OPTIMA, TWICE("tests/solvers/t_glpk.c")},
    {"greedy-by-size", EVIDENCE_EXAMPLE, TWICE(GOLDEN)},
    {"idealloc", EVIDENCE_BY_HAND, TWICE("tests/solvers/t_boxing.c")},
    {"inductor", EVIDENCE_SECOND, "tests/oracles/plain_inductor.c", POOLS},
    {"kierstead", EVIDENCE_SECOND, "tests/oracles/plain_kierstead.c", POOLS},
    {"linear", EVIDENCE_BY_HAND, TWICE("tests/solvers/t_xla.c")},
    {"megengine-pushdown", EVIDENCE_SECOND, "tests/oracles/plain_pushdown.c",
     "tests/solvers/t_megengine.c"},
    {"model-ilp", EVIDENCE_OPTIMA, TWICE("tests/solvers/t_model_ilp.c")},
    {"naive", EVIDENCE_EXAMPLE, TWICE(GOLDEN)},
    {"nnc", EVIDENCE_SECOND, "tests/oracles/plain_nnc.c", "tests/solvers/t_nnc.c"},
    {"omni", EVIDENCE_SECOND, TWICE("tests/solvers/t_omnimalloc.c")},
    {"path-cover", EVIDENCE_EXAMPLE, TWICE(GOLDEN)},
    {"path-cover", EVIDENCE_SECOND, REFERENCE},
    {"portfolio", EVIDENCE_PROMISES, TWICE("tests/solvers/t_portfolio.c")},
    {"pytorch-caching", EVIDENCE_SECOND, ALLOCATORS},
    {"relax", EVIDENCE_SECOND, "tests/oracles/plain_relax.c", POOLS},
    {"section-first", EVIDENCE_PROMISES, TWICE("tests/planner/dives/t_section_first.c")},
    {"sekiyama", EVIDENCE_SECOND, "tests/oracles/plain_sekiyama.c", POOLS},
    {"size-classes", EVIDENCE_SECOND, ONLINE},
    {"somas", EVIDENCE_SECOND, TWICE("tests/solvers/t_somas.c")},
    {"squeaky-wheel", EVIDENCE_PROMISES, TWICE("tests/solvers/t_order_search.c")},
    {"supermalloc", EVIDENCE_OPTIMA, TWICE("tests/solvers/t_supermalloc.c")},
    {"tabu-search", EVIDENCE_SECOND, TWICE("tests/solvers/t_omnimalloc.c")},
    {"telamalloc", EVIDENCE_BY_HAND, TWICE("tests/solvers/t_telamalloc.c")},
    {"xla-area", EVIDENCE_SECOND, PLAIN_XLA},
    {"xla-search", EVIDENCE_SECOND, PLAIN_XLA},
    {"xla-spatial", EVIDENCE_SECOND, PLAIN_XLA},
    {"xla-temporal", EVIDENCE_SECOND, PLAIN_XLA},
    {NULL, EVIDENCE_SECOND, NULL, NULL},
};

static const char *const judged_words[] = {
    [UPSTREAM_OFFSETS] = "equal to upstream",
    [UPSTREAM_TOTAL] = "peaks equal to upstream",
    [UPSTREAM_PEAK] = "proven peaks equal to upstream",
};

static const char *const kind_words[] = {
    [EVIDENCE_SECOND] = "a second, literal implementation in the tests",
    [EVIDENCE_EXAMPLE] = "the publication's example",
    [EVIDENCE_BY_HAND] = "nothing but the text, with cases worked out by hand",
    [EVIDENCE_OPTIMA] = "optima that are known from elsewhere",
    [EVIDENCE_PROMISES] = "this project's: it keeps what it promises",
    [EVIDENCE_VERIFIED] = "the user's: its plans are verified",
};

char *upstream_record_text(const struct upstream_record *record, int equal, int of)
{
    const char *colon = strchr(record->solver, ':');
    const char *where = colon != NULL ? colon + 1 : record->on;
    bool remarked = record->remark != NULL;

    return memory_printf("%s%s%s, %d of %d, %s %s%s%s%s%s", where != NULL ? where : "",
                         where != NULL ? ": " : "", judged_words[record->judged], equal, of,
                         record->project, strcmp(record->commit, "unknown") == 0 ? "commit " : "",
                         record->commit, remarked ? " (" : "", remarked ? record->remark : "",
                         remarked ? ")" : "");
}

/* Whether SPEC is SOLVER with parameters or without.  */
static bool is_of(const char *spec, const char *solver)
{
    size_t length = strlen(solver);

    return strncmp(spec, solver, length) == 0 && (spec[length] == '\0' || spec[length] == ':');
}

char *evidence_text(const char *solver)
{
    char *text = NULL;
    size_t length;
    FILE *out = memory_stream(&text, &length);
    const char *apart = "";

    for (const struct upstream_record *record = upstream_records; record->program != NULL;
         record++) {
        char *line;

        if (!is_of(record->solver, solver))
            continue;
        line = upstream_record_text(record, record->equal, record->of);
        fprintf(out, "%s%s", apart, line);
        free(line);
        apart = "; ";
    }
    for (const struct evidence *other = evidence_others; other->solver != NULL; other++) {
        if (strcmp(other->solver, solver) != 0)
            continue;
        fprintf(out, "%s%s (%s)", apart, kind_words[other->kind], other->file);
        apart = "; ";
    }
    memory_stream_close(out);
    return text;
}
