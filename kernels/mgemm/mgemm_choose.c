/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The blocking parameters: what the user gave, checked; the rest by rules of
 * thumb from measurements (16 registers: 2 vectors x 6 pixels or 4 x 3; 32: 4 x 6, 3 x 7 or 2 x 9
 * to 12).  */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "kernels/mgemm/mgemm_paper.h"
#include "kernels/mgemm/mgemm_plan.h"
#include "kernels/mgemm/mgemm_run.h"
#include "lib/base/checked.h"

enum { WF_AUTO, WF_RELOAD, WF_KEEP, WF_FILTER };
enum { HFIL_AUTO, HFIL_INSIDE, HFIL_OUTSIDE };
enum { ORDER_AUTO, ORDER_TILE_CO, ORDER_CO_TILE };
enum { PRESET_NONE, PRESET_PAPER };

const struct param mgemm_params[] = {
    {"co", PARAM_INT, "0", NULL, 0, 64, "output channels of the register tile; 0: chosen"},
    {"wo", PARAM_INT, "0", NULL, 0, MGEMM_MAX_WIDTH, "pixels of the register tile; 0: chosen"},
    {"ci", PARAM_INT, "0", NULL, 0, 16, "channels in a block of the input; 1: NCHW; 0: chosen"},
    PARAM_ENUM("wf", "auto",
               "across the filter's width: inputs reloaded, inputs kept, weights kept",
               {"auto", WF_AUTO}, {"reload", WF_RELOAD}, {"keep", WF_KEEP}, {"filter", WF_FILTER}),
    PARAM_ENUM("hfil", "auto", "the loop over filter rows, inside the kernel or around it",
               {"auto", HFIL_AUTO}, {"inside", HFIL_INSIDE}, {"outside", HFIL_OUTSIDE}),
    {"rows", PARAM_INT, "0", NULL, 0, MGEMM_MAX_ROWS, "output rows of the tile; 0: chosen"},
    {"cco", PARAM_INT, "0", NULL, 0, 1 << 20, "output channels of a filter slab; 0: chosen"},
    PARAM_ENUM("order", "auto",
               "within a row and slab: tiles around channel blocks, or the other way",
               {"auto", ORDER_AUTO}, {"tile-co", ORDER_TILE_CO}, {"co-tile", ORDER_CO_TILE}),
    {"cci", PARAM_INT, "0", NULL, 0, 1 << 20,
     "input channels that are added up before the next row of tiles; 0: chosen"},
    PARAM_ENUM("preset", "none", "all of these but the tile as in the publication",
               {"none", PRESET_NONE}, {"paper", PRESET_PAPER}),
    {"llc", PARAM_INT, "0", NULL, 0, 1L << 40,
     "with preset=paper: bytes of the last-level cache; 0: the machine's"},
    PARAM_END,
};

bool mgemm_pointwise(const struct conv_shape *shape)
{
    return shape->r == 1 && shape->s == 1 && shape->groups == 1 && conv_shape_unpadded(shape);
}

static bool check_wf(const struct conv_shape *shape, const struct conv_choice *choice,
                     struct error *error)
{
    const bool keep = strcmp(choice->wf, "keep") == 0;

    if (strcmp(choice->wf, "reload") == 0 || (keep && choice->ci == 1))
        return true;
    if (shape->s != 3 || shape->stride_w > (keep ? 2 : 1) || shape->dilation_w != 1 ||
        choice->ci == 1 || choice->rows != 1)
        return error_set(error,
                         "mgemm: wf=%s is there for filter width 3, stride 1%s, dilation 1, "
                         "blocked input and rows=1",
                         choice->wf, keep ? " or 2" : "");
    return true;
}

enum mgemm_form mgemm_find_form(const struct conv_shape *shape, const struct conv_choice *choice)
{
    if (choice->ci == 1)
        return shape->stride_w == 1   ? MGEMM_PLANAR_1
               : shape->stride_w == 2 ? MGEMM_PLANAR_2
                                      : MGEMM_PLANAR_ANY;
    if (strcmp(choice->wf, "keep") == 0)
        return shape->stride_w == 1 ? MGEMM_KEEP : MGEMM_KEEP_2;
    if (strcmp(choice->wf, "filter") == 0)
        return MGEMM_FILTER;
    if (shape->s == 1 && (shape->stride_w == 1 || mgemm_pointwise(shape)) && choice->rows == 1 &&
        (shape->groups == 1 || shape->c / shape->groups % choice->ci == 0))
        return MGEMM_POINT;
    return shape->stride_w == 1   ? MGEMM_BLOCKED_1
           : shape->stride_w == 2 ? MGEMM_BLOCKED_2
                                  : MGEMM_BLOCKED_ANY;
}

/* Sums that a tile takes as long as at least: the latency of a multiply-add times two a cycle, and
 * one to spare.  With 16 registers, where every tap loads its inputs, 3 x 3 sums take as long as 11
 * of a larger tile.  */
static int64_t busy_sums(const struct conv_plan *plan, enum mgemm_form form)
{
    const bool keeps = mgemm_keeps(form) || plan->choice.ci == 1;

    return plan->request.isa == ISA_AVX2 && !keeps ? 11 : 9;
}

/* The widest tile that does not spill, for 1 to 4 vectors.  */
static int64_t good_width(enum isa isa, int64_t rows, int64_t vectors)
{
    static const int64_t width[ISA_COUNT][MGEMM_MAX_VECTORS] = {
#ifdef __aarch64__
        [ISA_GENERIC] = {24, 12, 8, 6},
#else
        [ISA_GENERIC] = {10, 5, 3, 2}, /* without fused multiply-add a product needs a register */
#endif
        [ISA_AVX2] = {12, 6, 4, 3},
        [ISA_AVX512] = {24, 12, 8, 6},
    };

    return max64(1, width[isa][vectors - 1] / rows);
}

int64_t mgemm_kept_width(const struct conv_plan *plan, int64_t vectors)
{
    const struct conv_shape *shape = &plan->request.shape;
    const int64_t step = shape->s == 1 ? 1 : shape->stride_w;
    const int64_t beside = vectors + (isa_fused(plan->request.isa) ? 0 : 1) + shape->s - step;

    return max64(1, (isa_registers(plan->request.isa) - beside) / (vectors + step));
}

/* Tiles of vectors of 4 that keep their inputs, as on the paper's platform.  */
static bool keeps_fours(const struct conv_plan *plan, enum mgemm_form form)
{
    return plan->request.isa == ISA_GENERIC && mgemm_keeps(form);
}

/* Whether the tiles of 32 registers are straight code.  */
static bool is_straight(enum mgemm_form form, int64_t vectors)
{
    return form == MGEMM_KEEP ? vectors > 2 : vectors == 4 && form != MGEMM_POINT;
}

/* A tile's width where the user leaves it open; 0: there is none of so many vectors.  */
static int64_t open_width(const struct conv_plan *plan, enum mgemm_form form, int64_t vectors)
{
    const int64_t widest =
        mgemm_widest(mgemm_set(plan->request.isa), form, (int)plan->choice.rows, (int)vectors);
    const bool wide = plan->request.isa == ISA_AVX512;

    /* One that spills, and is quicker for it: fewer broadcasts, more sums.  */
    if (!isa_fused(plan->request.isa) && form == MGEMM_KEEP && vectors == 3)
        return widest;
    if (keeps_fours(plan, form) || (wide && form == MGEMM_KEEP && !is_straight(form, vectors)))
        return min64(widest, mgemm_kept_width(plan, vectors));
    /* The list ends where inputs that pass through registers fill them.  */
    if (wide && form == MGEMM_KEEP_2)
        return widest;
    /* Few channels: a tile is soon done, and a large one has all its stores at once.  */
    if (wide && plan->choice.ci == 1 && vectors == 2)
        return min64(widest, 7);
    return min64(widest, good_width(plan->request.isa, plan->choice.rows, vectors));
}

/* With 16 registers and fused multiply-adds a tile of 4 vectors x 3 pixels loads
 * least: its inputs stay in registers while several taps use them, and for a
 * single tap 7 loads for 12 multiply-adds are the fewest there are.  */
static bool loads_least(const struct conv_plan *plan, enum mgemm_form form)
{
    const struct conv_shape *shape = &plan->request.shape;

    if (plan->request.isa != ISA_AVX2 || plan->choice.rows != 1)
        return false;
    if (form == MGEMM_PLANAR_1 || form == MGEMM_PLANAR_2)
        return shape->dilation_w == 1 && (shape->s == 3 || shape->s == 7);
    return mgemm_keeps(form) || mgemm_pointwise(shape);
}

/* Instructions of a loop around a tap or three of them, where a tile is not straight code.  */
static const int64_t loop_cost = 5;

/* What a tile costs for a channel of a filter row: its multiply-adds, or as many as are under way
 * at a time, for which a smaller one waits.  With AVX-512 they are two each, and a vector of
 * weights is six, since it comes from the second level; inputs and loops count by their
 * instructions.  So on most of 17 layers, measured on a quiet core, the tile that is chosen is
 * within 4 % of the best; and it is near the number of instructions, which decides where other
 * threads of the core leave it a part of what it can issue.  Pointwise, where weights are few:
 * instructions.  BOTH: pixels at both ends miss taps, which loops look at tap by tap where inputs
 * are not kept.  */
static int64_t tile_cost(const struct conv_plan *plan, enum mgemm_form form, int64_t vectors,
                         int64_t pixels, bool both)
{
    const struct conv_shape *shape = &plan->request.shape;
    const int64_t taps = shape->s, sums = taps * max64(vectors * pixels, busy_sums(plan, form));
    const bool keeps = mgemm_keeps(form);
    const bool straight = is_straight(form, vectors) && (keeps || !both);
    const int64_t inputs = keeps ? (pixels - 1) * shape->stride_w + taps : taps * pixels;
    const int64_t loops = straight ? 0 : keeps ? 1 : taps;

    if (plan->request.isa != ISA_AVX512)
        return sums;
    if (form == MGEMM_POINT)
        return sums + vectors + pixels + loop_cost;
    return 2 * sums + 6 * taps * vectors + inputs + loop_cost * loops;
}

/* What a row of outputs costs: WIDTH pixels cut into tiles of at most WO, the channels' VECTORS
 * into blocks of at most CO.  Where a single tile misses taps at both of its ends, loops do the
 * work of straight code.  */
static int64_t row_cost(const struct conv_plan *plan, enum mgemm_form form, int64_t width,
                        int64_t wo, int64_t vectors, int64_t co)
{
    const struct conv_shape *shape = &plan->request.shape;
    const int64_t tiles = (width + wo - 1) / wo, blocks = (vectors + co - 1) / co;
    const bool both = tiles == 1 && shape->pad_left > 0 && shape->pad_right > 0;
    int64_t cost = 0;

    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            const int64_t wide = i == 0 ? width % tiles : tiles - width % tiles;
            const int64_t tall = j == 0 ? vectors % blocks : blocks - vectors % blocks;
            const int64_t high = vectors / blocks + (j == 0), pixels = width / tiles + (i == 0);

            if (wide > 0 && tall > 0)
                cost += wide * tall * tile_cost(plan, form, high, pixels, both);
        }
    return cost;
}

/* Whether a tile of so many vectors is worth it.  One alone loads too much for what it multiplies,
 * and of 16 registers four leave too few for pixels, but where they load least.  */
static bool is_worth(const struct conv_plan *plan, enum mgemm_form form, int64_t tall,
                     int64_t vectors)
{
    if (tall == 1)
        return vectors == 1;
    return tall < 4 || plan->request.isa == ISA_AVX512 || loads_least(plan, form);
}

/* The tile that a row of outputs costs least with; what loads least may cost a fortieth more.  */
struct tile_choice {
    int64_t vectors;
    int64_t cost; /* of a row */
};

static struct tile_choice find_tile(const struct conv_plan *plan, enum mgemm_form form,
                                    int64_t vector)
{
    const struct conv_shape *shape = &plan->request.shape;
    const int64_t vectors = (shape->k / shape->groups + vector - 1) / vector;
    const int64_t row = conv_shape_out_w(shape);
    const int64_t width = form == MGEMM_POINT ? conv_shape_out_h(shape) * row : row;
    static const int64_t order[] = {2, 3, 4, 1}; /* of equal ones the first is taken */
    struct tile_choice best = {1, INT64_MAX};

    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        const int64_t wo = open_width(plan, form, order[i]);
        int64_t cost;

        if (wo == 0 || !is_worth(plan, form, order[i], vectors))
            continue;
        cost = (order[i] == 4 && loads_least(plan, form) ? 39 : 40) *
               row_cost(plan, form, width, wo, vectors, order[i]);
        if (cost < best.cost)
            best = (struct tile_choice){order[i], cost};
    }
    return best;
}

/* Vectors of the tile.  */
static int64_t choose_vectors(const struct conv_plan *plan, enum mgemm_form form, int64_t vector)
{
    const struct conv_shape *shape = &plan->request.shape;
    const int64_t vectors = (shape->k / shape->groups + vector - 1) / vector;

    if (isa_fused(plan->request.isa))
        return find_tile(plan, form, vector).vectors;
    /* A multiply-add is a product, a sum and mostly a copy, and a broadcast takes two
     * instructions: tiles that broadcast and copy little are best there, though they spill or
     * have few sums.  */
    if (keeps_fours(plan, form))
        return min64(vectors, form == MGEMM_KEEP ? 3 : 2);
    if (vectors >= 4 &&
        mgemm_widest(mgemm_set(plan->request.isa), form, (int)plan->choice.rows, 4) > 1)
        return 4;
    return find_tile(plan, form, vector).vectors;
}

/* Inputs that stay in registers across three taps, where the user leaves the tile
 * open: always with vectors of 4, elsewhere where the tile that loads least suits the
 * layer.  */
static bool keeps_inputs(const struct conv_plan *plan, const struct params *params)
{
    const struct conv_shape *shape = &plan->request.shape;
    const int64_t vector = isa_vector(plan->request.isa);
    const enum mgemm_form kept = shape->stride_w == 1 ? MGEMM_KEEP : MGEMM_KEEP_2;
    const enum mgemm_form loaded = shape->stride_w == 1 ? MGEMM_BLOCKED_1 : MGEMM_BLOCKED_2;

    if (shape->s != 3 || shape->stride_w > 2 || shape->dilation_w != 1 || plan->choice.ci == 1 ||
        plan->choice.rows != 1 || params_choice(params, "wf") != WF_AUTO ||
        params_int(params, "co") != 0 || params_int(params, "wo") != 0)
        return false;
    if (keeps_fours(plan, MGEMM_KEEP))
        return true;
    if (plan->request.isa == ISA_AVX512)
        return find_tile(plan, kept, vector).cost < find_tile(plan, loaded, vector).cost;
    return loads_least(plan, MGEMM_KEEP) && choose_vectors(plan, MGEMM_KEEP, vector) == 4;
}

/* Blocks of input channels that the first level of cache keeps of a tile's inputs beside
 * those of the next tile: where an image's size is a multiple of a large power of two,
 * they fall on few of its sets.  The addresses repeat there after 4096 bytes, and 8
 * blocks have room at each.  */
static int64_t near_blocks(const struct conv_shape *shape, int64_t ci)
{
    const int64_t bytes = shape->h * shape->w * ci * (int64_t)sizeof(float);
    const int64_t places = 4096 / min64(4096, bytes & -bytes);

    return 4 * places;
}

/* Input channels whose weights for one block of output channels, the panel, stay
 * in a near cache while the rows go by: up to 256, and fewer where each of them
 * has many taps; of a pointwise layer up to 512 vectors.  With AVX-512 a tile
 * multiplies so long for each line of it that the second level is near enough, and its
 * sums are in memory the less often.  All channels are split evenly.  */
static int64_t choose_channels(const struct conv_plan *plan, int64_t vectors)
{
    const struct conv_shape *shape = &plan->request.shape;
    const int64_t channels = shape->c / shape->groups, ci = plan->choice.ci;
    int64_t most = max64(ci, min64(256, 1536 / (shape->r * shape->s))), parts;

    if (mgemm_pointwise(shape))
        most = plan->request.isa == ISA_AVX512 ? 512 : min64(most, 512 / vectors);
    else if (plan->request.isa == ISA_AVX2 && ci > 1 && shape->r * shape->s > 1)
        most = min64(most, near_blocks(shape, ci) * ci);
    parts = (channels + most - 1) / most;
    return min64(channels, align_up((channels + parts - 1) / parts, ci));
}

/* Whether threads share a layer by its output channels and not by its rows: each thread then reads
 * all of the input and its own weights, where else it reads its own rows and all of the weights. */
static bool shares_channels(const struct conv_request *request, int64_t co)
{
    const struct conv_shape *shape = &request->shape;
    const int64_t input = shape->h * shape->w,
                  weights = shape->k / shape->groups * shape->r * shape->s;

    return request->threads > 1 && weights > input &&
           shape->k / shape->groups >= MGEMM_ITEMS / 2 * request->threads * co;
}

/* A slab that stays in the second level of cache while a row goes by; all channels where each
 * slab would gather its inputs again.  */
static int64_t choose_slab(const struct conv_plan *plan)
{
    const struct mgemm_plan *m = plan->state;
    const struct conv_request *request = &plan->request;
    const struct conv_shape *shape = &request->shape;
    const int64_t bytes = 256 * 1024, channels = shape->k / shape->groups, co = plan->choice.co;
    int64_t one = shape->r * shape->s * plan->choice.cci * (int64_t)sizeof(float);
    int64_t fit = min64(256, bytes / max64(1, one));

    if (m->gathers)
        fit = align_up(channels, co);
    if (shares_channels(request, co))
        fit = min64(fit, channels / (MGEMM_ITEMS * request->threads));
    return max64(1, min64(fit, align_up(channels, co)) / co) * co;
}

static const char *const wf_names[] = {
    [WF_AUTO] = "reload", [WF_RELOAD] = "reload", [WF_KEEP] = "keep", [WF_FILTER] = "filter"};
static const char *const hfil_names[] = {
    [HFIL_AUTO] = "inside", [HFIL_INSIDE] = "inside", [HFIL_OUTSIDE] = "outside"};

static bool choose_input(struct conv_plan *plan, const struct params *params, struct error *error)
{
    const struct conv_shape *shape = &plan->request.shape;
    struct conv_choice *choice = &plan->choice;
    int64_t vector = isa_vector(plan->request.isa);

    choice->wf = wf_names[params_choice(params, "wf")];
    choice->hfil = hfil_names[params_choice(params, "hfil")];
    choice->ci = params_int(params, "ci");
    if (choice->ci == 0)
        choice->ci = shape->c < vector ? 1 : vector;
    if (choice->ci != 1 && choice->ci != vector)
        return error_set(error, "mgemm: ci=%" PRId64 ", expected 1 or %" PRId64 " (%s)", choice->ci,
                         vector, isa_name(plan->request.isa));
    choice->rows = params_int(params, "rows");
    if (choice->rows == 0)
        choice->rows = 1;
    if (keeps_inputs(plan, params))
        choice->wf = "keep";
    return check_wf(shape, choice, error);
}

static bool choose_tile(struct conv_plan *plan, const struct params *params, enum mgemm_form form,
                        struct error *error)
{
    struct conv_choice *choice = &plan->choice;
    int64_t vector = isa_vector(plan->request.isa), vectors, widest;

    choice->co = params_int(params, "co");
    if (choice->co == 0)
        choice->co = choose_vectors(plan, form, vector) * vector;
    vectors = choice->co / vector;
    if (choice->co % vector != 0 || vectors > MGEMM_MAX_VECTORS)
        return error_set(error,
                         "mgemm: co=%" PRId64 ", expected a multiple of %" PRId64 " up to %" PRId64,
                         choice->co, vector, MGEMM_MAX_VECTORS * vector);
    widest = mgemm_widest(mgemm_set(plan->request.isa), form, (int)choice->rows, (int)vectors);
    if (widest == 0)
        return error_set(error,
                         "mgemm: no tile of %" PRId64 " rows and %" PRId64
                         " channels for this layer and wf=%s",
                         choice->rows, choice->co, choice->wf);
    choice->wo = params_int(params, "wo");
    if (choice->wo == 0)
        choice->wo = open_width(plan, form, vectors);
    if (choice->wo > widest)
        return error_set(error,
                         "mgemm: wo=%" PRId64 ", the widest tile of %" PRId64 " rows and %" PRId64
                         " channels here has %" PRId64,
                         choice->wo, choice->rows, choice->co, widest);
    return true;
}

/* Planes, whose tiles keep their inputs where they have all taps in a row.  */
static bool choose_planes(struct conv_plan *plan, const struct params *params, enum mgemm_form form,
                          struct error *error)
{
    const struct conv_shape *shape = &plan->request.shape;
    struct conv_choice *choice = &plan->choice;
    const int64_t vectors = choice->co / isa_vector(plan->request.isa);
    const struct mgemm_tile *tile =
        mgemm_set(plan->request.isa)->tile[form][choice->rows - 1][vectors - 1][choice->wo - 1];

    if (mgemm_window(tile, shape->s, shape->dilation_w)) {
        if (params_choice(params, "wf") == WF_AUTO)
            choice->wf = "keep";
    } else if (strcmp(choice->wf, "keep") == 0) {
        return error_set(error, "mgemm: wf=keep is there for planes where the tile is 4 vectors of "
                                "8 x 3 pixels and the filter's width 3 or 7, dilation 1");
    }
    return true;
}

/* All but the preset.  */
static bool choose(struct conv_plan *plan, const struct params *params, enum mgemm_form *form,
                   struct error *error)
{
    const struct conv_shape *shape = &plan->request.shape;
    struct conv_choice *choice = &plan->choice;
    struct mgemm_plan *m = plan->state;

    if (!choose_input(plan, params, error))
        return false;
    *form = mgemm_find_form(&plan->request.shape, choice);
    if (!choose_tile(plan, params, *form, error))
        return false;
    if (choice->ci == 1 && !choose_planes(plan, params, *form, error))
        return false;
    m->gathers = m->patches || (*form == MGEMM_POINT && mgemm_pointwise(shape) &&
                                (shape->stride_h > 1 || shape->stride_w > 1));
    choice->cci = params_int(params, "cci");
    if (choice->cci == 0)
        choice->cci = choose_channels(plan, choice->co / isa_vector(plan->request.isa));
    choice->cci = min64(align_up(choice->cci, choice->ci), shape->c / shape->groups);
    if (m->gathers)
        choice->cci = min64(choice->cci, MGEMM_GATHERED / choice->wo / choice->ci * choice->ci);
    choice->cco = params_int(params, "cco");
    if (choice->cco == 0)
        choice->cco = choose_slab(plan);
    if (choice->cco % choice->co != 0)
        return error_set(error, "mgemm: cco=%" PRId64 ", expected a multiple of co=%" PRId64,
                         choice->cco, choice->co);
    choice->order = params_choice(params, "order") == ORDER_TILE_CO ? "tile-co" : "co-tile";
    return true;
}

bool mgemm_choose(struct conv_plan *plan, const struct params *params, enum mgemm_form *form,
                  struct error *error)
{
    struct params paper;
    bool done;

    if (params_choice(params, "preset") == PRESET_NONE) {
        if (params_given(params, "llc"))
            return error_set(error, "mgemm: llc is there for preset=paper only");
        return choose(plan, params, form, error);
    }
    if (!mgemm_paper_params(plan, params, &paper, error))
        return false;
    done = choose(plan, &paper, form, error);
    params_clear(&paper);
    plan->choice.preset = "paper";
    plan->choice.llc = params_int(params, "llc");
    return done;
}
