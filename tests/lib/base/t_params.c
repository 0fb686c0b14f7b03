/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters after a name, numbers as text, and messages about names.  */
#include <config.h>

#include "lib/base/params.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/suggest.h"
#include "tests/support/tap.h"

static const struct param first_table[] = {
    {"n", PARAM_INT, "30", NULL, 1, 100, "a number"},
    {"rate", PARAM_REAL, "0.5", NULL, 0, 1, "a share"},
    PARAM_END,
};

enum { LAW_LOW = 7, LAW_LOWER = 0, LAW_HIGH = 5 };

static const struct param second_table[] = {
    PARAM_ENUM("law", "low", "a word", {"low", LAW_LOW}, {"lower", LAW_LOWER}, {"high", LAW_HIGH}),
    {"label", PARAM_TEXT, "", NULL, 0, 0, "a text"},
    {"room", PARAM_BYTES, "4KiB", NULL, 1, 1e12, "bytes"},
    {"mode_bytes", PARAM_BYTES, "8", NULL, 1, 64, "bytes, whose name begins as another one"},
    {"any", PARAM_INT, "0", NULL, -PARAM_NO_LIMIT, PARAM_NO_LIMIT, "any number"},
    PARAM_ENUM("mode", "off", "a choice that is off", {"off", 0}, {"on", 1}, {"more", 2}),
    PARAM_END,
};

static const struct param *const tables[] = {first_table, second_table, NULL};

static void defaults(void)
{
    struct params params;
    struct error error = {""};
    char *text;

    if (!ok(params_parse(&params, "thing", NULL, tables, 3, &error), "nothing given: %s",
            error.text))
        return;
    is_int(params_int(&params, "n"), 30, "a default");
    ok(params_real(&params, "rate") == 0.5 && params_real(&params, "n") == 30.0,
       "numbers as reals");
    is_int(params_choice(&params, "law"), LAW_LOW, "the constant of a choice");
    text = params_canonical(&params);
    is_text(text, "", "defaults are not said");
    free(text);
    params_clear(&params);
}

/* What is given, and how it is said again.  */
static void canonical(void)
{
    static const char *const cases[][2] = {
        {"n=31", "n=31"},
        {"n=+031", "n=31"},
        {"room=2MiB", "room=2097152"},
        {"room=4096", ""},
        {"room=1.5kB", "room=1500"},
        {"room=7B", "room=7"},
        {"n=30,rate=0.50", ""},
        {"law=high,n=7", "n=7,law=high"},
        {"law=lower", "law=lower"},
        {"rate=0.1", "rate=0.10000000000000001"},
        {"rate=1e-3,label=x=y", "rate=0.001,label=x=y"},
        {"label=", ""},
        {"mode", "mode=on"},
        {"mode=more", "mode=more"},
        {"mode=off", ""},
        {"n=7,mode,law=high", "n=7,law=high,mode=on"},
        {"any=-9223372036854775808", "any=-9223372036854775808"},
        {"any=9223372036854775807", "any=9223372036854775807"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct params params;
        struct error error = {""};
        char *text;

        if (!ok(params_parse(&params, "thing", cases[i][0], tables, 3, &error), "%s: %s",
                cases[i][0], error.text))
            continue;
        text = params_canonical(&params);
        is_text(text, cases[i][1], "%s in canonical form", cases[i][0]);
        free(text);
        params_clear(&params);
    }
}

static void refused(void)
{
    static const char *const cases[][2] = {
        {"n=0", "thing: n=0: expected a whole number from 1 to 100"},
        {"n=101", "from 1 to 100"},
        {"n=3.5", "a whole number"},
        {"n=", "n=: expected"},
        {"n= 3", "expected"},
        {"room=2M", "room=2M: expected a number of bytes (4096 or 4KiB) from 1 to 1000000000000"},
        {"room=0.3KiB", "a number of bytes"},
        {"room=2TB", "a number of bytes"},
        {"room=-1KiB", "a number of bytes"},
        {"room=KiB", "a number of bytes"},
        {"room=1 KiB", "a number of bytes"},
        {"rate=1.5", "rate=1.5: expected a number from 0 to 1"},
        {"rate=nan", "expected a number"},
        {"rate=inf", "expected a number"},
        {"law=lo", "law=lo: expected one of low|lower|high"},
        {"law=low|high", "expected one of"},
        {"mode=16", "mode=16: expected one of off|on|more (did you mean 'mode_bytes=16'?)"},
        {"mode=65", "mode=65: expected one of off|on|more"},
        {"any=9223372036854775808", "any=9223372036854775808: expected a whole number"},
        {"n", "'n': expected key=value"},
        {"law", "'law': expected key=value"},
        {"mod", "'mod': expected key=value"},
        {"mode,mode=on", "'mode' is given twice"},
        {"", NULL},
        {"n=3,", "'': expected key=value"},
        {"n=3,n=4", "'n' is given twice"},
        {"lew=low", "thing: unknown parameter 'lew' (did you mean 'law'?)"},
        {"quitedifferent=1", "thing: unknown parameter 'quitedifferent'"},
    };
    static const struct param required_table[] = {
        {"file", PARAM_TEXT, NULL, NULL, 0, 0, "has to be given"}, PARAM_END};
    const struct param *required = required_table, *none = NULL;
    struct params params;
    struct error error = {""};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bool good = params_parse(&params, "thing", cases[i][0], tables, 3, &error);

        if (cases[i][1] == NULL)
            ok(good, "an empty text gives nothing");
        else
            ok(!good && strstr(error.text, cases[i][1]) != NULL, "refused: %s", error.text);
        if (good)
            params_clear(&params);
    }
    ok(!params_parse(&params, "thing", "", &required, 1, &error) &&
           strstr(error.text, "'file' is required") != NULL,
       "%s", error.text);
    ok(!params_parse(&params, "thing", "x=1", &none, 1, &error) &&
           strstr(error.text, "it takes none") != NULL,
       "%s", error.text);
}

static const struct param switch_table[] = {
    PARAM_SWITCH("heat", "off", "one that is off"),
    PARAM_SWITCH("light", "on", "one that is on"),
    PARAM_END,
};

static void switches(void)
{
    static const struct {
        const char *text;
        bool heat, light;
    } cases[] = {
        {"", false, true},
        {"heat", true, true},
        {"heat=on,light=off", true, false},
        {"heat=off,light=on", false, true},
    };
    const struct param *table = switch_table;
    struct error error = {""};
    char *words;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct params params;

        if (!ok(params_parse(&params, "thing", cases[i].text, &table, 1, &error), "'%s'",
                cases[i].text))
            continue;
        ok(params_on(&params, "heat") == cases[i].heat &&
               params_on(&params, "light") == cases[i].light,
           "'%s' sets both switches", cases[i].text);
        params_clear(&params);
    }
    words = param_words(&switch_table[0]);
    is_text(words, "off|on", "the words of a switch");
    free(words);
    words = param_words(&switch_table[1]);
    is_text(words, "on|off", "the default first");
    free(words);
}

static const struct param open_table[] = {
    PARAM_ENUM("law", "low", "a word", {"low", LAW_LOW}, {"high", LAW_HIGH}),
    {PARAM_OTHER, PARAM_INT, "1", NULL, 1, 100, "any other name"},
    PARAM_END,
};

static void other_names(void)
{
    const struct param *table = open_table;
    struct params params;
    struct error error = {""};
    char *text;

    if (!ok(params_parse(&params, "thing", "seq=7,law=high,b.0=2,a=1", &table, 1, &error),
            "names that no table has: %s", error.text))
        return;
    is_int(params_int(&params, "seq"), 7, "one of them");
    is_int(params_int(&params, "b.0"), 2, "another");
    ok(params.value[3].other && !params.value[0].other, "they are marked");
    text = params_canonical(&params);
    is_text(text, "law=high,a=1,b.0=2,seq=7",
            "canonical: after the others, by name, whatever their number");
    free(text);
    params_clear(&params);
    ok(!params_parse(&params, "thing", "seq=7,seq=7", &table, 1, &error) &&
           strstr(error.text, "'seq' is given twice") != NULL,
       "%s", error.text);
    ok(!params_parse(&params, "thing", "seq=0", &table, 1, &error) &&
           strstr(error.text, "seq=0: expected a whole number from 1 to 100") != NULL,
       "%s", error.text);
    ok(!params_parse(&params, "thing", "laws=low", &table, 1, &error) &&
           strstr(error.text, "unknown parameter 'laws' (did you mean 'law'?)") != NULL,
       "a slip: %s", error.text);
    ok(!params_parse(&params, "thing", "seq=low", &table, 1, &error) &&
           strstr(error.text, "seq=low: expected a whole number") != NULL,
       "no slip: %s", error.text);
    ok(!params_parse(&params, "thing", "*=3", &table, 1, &error), "%s", error.text);
    ok(!params_parse(&params, "thing", "=3", &table, 1, &error), "%s", error.text);
}

static void numbers(void)
{
    int64_t integer = -1;
    double real = -1.0;

    ok(parse_int("-5", -5, 5, &integer) && integer == -5, "a whole number");
    ok(!parse_int("6", -5, 5, &integer) && integer == -5, "one too large leaves the result alone");
    ok(!parse_int("", 0, 9, &integer) && !parse_int("-", -9, 9, &integer) &&
           !parse_int("0x1", 0, 9, &integer) && !parse_int("1 ", 0, 9, &integer) &&
           !parse_int("+-1", -9, 9, &integer),
       "no whole numbers");
    ok(!parse_int("99999999999999999999", INT64_MIN, INT64_MAX, &integer), "nor beyond 64 bits");
    ok(parse_bytes("8388607TiB", 0, INT64_MAX, &integer) &&
           integer == INT64_MAX / 1024 / 1024 / 1024 / 1024 * 1024 * 1024 * 1024 * 1024,
       "bytes up to what 64 bits hold");
    ok(!parse_bytes("8388608TiB", 0, INT64_MAX, &integer), "... and no further");
    ok(parse_seconds("250ms", 0, 9, &real) && real == 0.25, "a quarter of a second");
    ok(parse_seconds("0.5min", 0, 30, &real) && real == 30.0, "half a minute");
    ok(parse_seconds("2", 0, 9, &real) && real == 2.0 && parse_seconds("2s", 0, 9, &real) &&
           real == 2.0,
       "seconds");
    ok(!parse_seconds("1h", 0, 3599, &real) && !parse_seconds("2m", 0, 9e9, &real) &&
           !parse_seconds("-1s", -9, 9, &real),
       "not these");
    ok(parse_real("2.5e-1", 0, 1, &real) && real == 0.25, "a real number");
    ok(!parse_real("2,5", 0, 9, &real) && !parse_real("", 0, 9, &real) &&
           !parse_real(" 1", 0, 9, &real) && !parse_real("1e999", 0, 1e308, &real),
       "no real numbers");
}

/* What is suggested for NAME.  */
static void suggested(const char *name, const char *want, const char *what)
{
    static const char *const known[] = {
        "iree",        "naive",        "greedy-by-size", "non-greedy",    "best-greedy",
        "ungreedy",    "greedy-fit",   "gray",           "naive-objects", "tvm-size",
        "tflite-size", "size-classes", "resizer",        "tvm-sizes",
    };
    char text[256];

    suggest(text, sizeof text, "", name, known, sizeof known / sizeof known[0]);
    is_text(text, want, "%s", what);
}

static void suggestions(void)
{
    suggested(
        "greedy", "did you mean 'greedy-fit', 'greedy-by-size' or 'non-greedy'?",
        "names that begin with it, the shorter one first, before those that have it as a word");
    suggested("SIZE", "did you mean 'size-classes', 'tvm-size' or 'tvm-sizes'?",
              "whatever the case, and no more than three");
    suggested("reedy", "did you mean 'ungreedy', 'non-greedy' or 'greedy-fit'?",
              "names that have it inside");
    suggested("naiv", "did you mean 'naive' or 'naive-objects'?", "two");
    suggested("nbive", "did you mean 'naive'?", "a slip");
    suggested("naie", "did you mean 'naive'?", "a letter left out");
    suggested("naivve", "did you mean 'naive'?", "a letter too many");
    suggested("tvm-sise", "did you mean 'tvm-size'?", "the fewest letters only");
    suggested("nonsense", "", "nothing");
}

static void names(void)
{
    static const char *const known[] = {"greedy", "naive", "greed"};
    const char *likely[MOST_SUGGESTIONS];
    struct error error = {""};

    ok(likely_names("naive", known, 0, likely) == 0, "nothing to be near to");
    ok(!error_unknown(&error, "solver", "naiv", known, 3, "!"), "an unknown name is an error");
    is_text(error.text, "unknown solver 'naiv' (did you mean 'naive'?)", "with a suggestion");
    error_unknown(&error, "solver", "exhaustive", known, 3, "; see there");
    is_text(error.text, "unknown solver 'exhaustive'; see there", "or with a hint");
    error_prefix(&error, "file %d", 3);
    is_text(error.text, "file 3: unknown solver 'exhaustive'; see there", "and a place");
    for (int i = 0; i < 500; i++)
        error_prefix(&error, "deeper");
    ok(strlen(error.text) == sizeof error.text - 1, "a message too long is cut");
    ok(!error_set(NULL, "x") && !error_prefix(NULL, "x"), "nobody has to listen");
}

int main(void)
{
    defaults();
    canonical();
    refused();
    switches();
    other_names();
    numbers();
    suggestions();
    names();
    return tap_done();
}
