/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of a shell command, and what a contestant's build says about the files
 * that they name.  */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/io/expand.h"
#include "harness/io/shell_words.h"
#include "harness/run/runner.h"
#include "lib/base/memory.h"
#include "solvers/solver.h"
#include "tests/support/runs.h"
#include "tests/support/scratch.h"
#include "tests/support/tap.h"

/* --- words --- */

/* Each word in brackets.  */
static void check_words(const char *command, const char *want)
{
    struct text_list words = {0};
    char *got = memory_strdup("");

    shell_words(command, &words);
    for (size_t i = 0; i < words.n; i++)
        got = memory_append(got, "[%s]", words.text[i]);
    is_text(got, want, "words of: %s", command);
    free(got);
    text_list_clear(&words);
}

static void words(void)
{
    setenv("FOLDER", "/somewhere", 1);
    setenv("HOME", "/elsewhere", 1);
    unsetenv("UNKNOWN");
    check_words("", "");
    check_words("  plan  -f\tx ", "[plan][-f][x]");
    check_words("awk -F, '{ print $1 }' 'a b'\\ c\"d e\"", "[awk][-F,][{ print $1 }][a b cd e]");
    check_words("a|b;c&&d||e(f)\ng", "[a][b][c][d][e][f][g]");
    check_words("plan <in >out 2>err >>more >|force 2>&1 last", "[plan][in][2][2][last]");
    check_words("plan > out arg", "[plan][arg]");
    check_words("plan # not a 'word\nnext a#b", "[plan][next][a#b]");
    check_words("$FOLDER/plan ~/plan \"$FOLDER/a b\"", "[/somewhere/plan][/elsewhere/plan]"
                                                       "[/somewhere/a b]");
    check_words("$UNKNOWN/plan x", "[x]");
    setenv("EMPTY", "", 1);
    check_words("${EMPTY:=/set}/a \"b${EMPTY:-${EMPTY:=/set}}\" ${EMPTY:-/other}/c", "[/other/c]");
    check_words("${FOLDER=/set}/a ${FOLDER:?missing}/b ${FOLDER?}/c ${FOLDER}/d", "[/somewhere/d]");
    is_text(getenv("EMPTY"), "", "... and sets no variable");
    check_words("${UNKNOWN-/other}/a ${FOLDER-/other}/b ${FOLDER:-$HOME}/c", "[/somewhere/b]");
    check_words("$1 \"$@\" $((1+2)) $ a$ '$1'", "[$][1+2][$][a$][$1]");
    check_words("\"${FOLDER#$@}\" \"${FOLDER#$# $@ }\" x", "[x]");
    check_words("plan `cat a` $(cat b)", "[plan][cat][a][$][cat][b]");
    check_words("plan \"$(touch shell_words_ran)\" x", "[plan][x]");
    ok(access("shell_words_ran", F_OK) != 0, "no command was run for them");
    check_words("plan 'no end", "[plan]");
    check_words("plan \"no \\\" end", "[plan]");
    check_words("plan \\", "[plan]");
    check_words("{ plan; }", "[plan]");
}

/* --- files --- */

static void write_file(const char *path, const char *text, mode_t mode)
{
    FILE *out = fopen(path, "w");

    if (out == NULL)
        abort();
    fputs(text, out);
    fclose(out);
    chmod(path, mode);
}

/* The caller frees it.  */
static char *build_of(const char *spec)
{
    struct contestant contestant = contestant_of(spec);
    struct error error = {""};
    char *build;

    if (!contestant_identify(&contestant, &error))
        tap_bail(error.text);
    build = memory_strdup(contestant.build);
    contestant_clear(&contestant);
    return build;
}

/* Whether the build of SPEC changes when PATH gets TEXT.  */
static void check_change(const char *spec, const char *path, const char *text, bool changes)
{
    char *before = build_of(spec), *after;

    if (text != NULL)
        write_file(path, text, 0755);
    else
        unlink(path);
    after = build_of(spec);
    ok((strcmp(before, after) != 0) == changes, "%s %s when %s %s '%.20s'", spec,
       changes ? "changes" : "stays", path, text == NULL ? "goes" : "is", text == NULL ? "" : text);
    free(before);
    free(after);
}

static void files(void)
{
    char *large = memory_alloc(300001, 1), *plain;

    memset(large, 'x', 300000);
    large[300000] = '\0';
    setenv("PATH", "first:second:/usr/bin:/bin", 1);
    mkdir("first", 0755);
    mkdir("second", 0755);
    check_change("exec:./plan", "plan", "one", true);
    check_change("exec:./plan", "plan", "one", false);
    check_change("exec:./plan", "plan", "two", true);
    check_change("exec:./plan", "plan", "", true);
    check_change("exec:./plan", "plan", NULL, true);
    check_change("exec:./plan", "other", "one", false);
    check_change("exec:cat x | ./plan -f a", "a", "one", true);
    check_change("exec:./plan --weights=a", "a", "two", true);
    check_change("exec:./plan <a", "a", "three", true);
    check_change("exec:./plan >a", "a", "four", false);
    check_change("exec:./plan a", "a", large, true);
    large[299999] = 'y';
    check_change("exec:./plan a", "a", large, true);
    check_change("exec:planner", "second/planner", "one", true);
    check_change("exec:planner", "second/planner", "two", true);
    check_change("exec:nice planner", "first/planner", "three", true);
    check_change("exec:planner", "second/planner", "four", false);
    check_change("exec:awk 'BEGIN { print 1 }'", "a", "five", false);
    check_change("exec:identity=v1,command=./plan a", "a", "six", true);
    check_change("naive", "naive", "one", false);
    plain = build_of("naive");
    is_text(plain, solver_find("naive")->checksum, "a solver's build is its checksum");
    free(plain);
    free(large);
}

/* What the kernel says has an end before the size that the file is said to have.  */
static void shorter(void)
{
    const char *path = "/sys/devices/system/cpu/online";
    struct stat status;
    char text[256], *build;
    FILE *in = fopen(path, "r");
    size_t length = in == NULL ? 0 : fread(text, 1, sizeof text, in);

    if (in == NULL || fstat(fileno(in), &status) != 0 || status.st_size <= (off_t)length) {
        tap_skip(1, "there is no such file");
    } else {
        build = build_of("exec:./plan </sys/devices/system/cpu/online");
        ok(build[0] != '\0', "a file that is shorter than its size: %s", build);
        free(build);
    }
    if (in != NULL)
        fclose(in);
}

/* Two files that change places are not the same.  */
static void places(void)
{
    char *before, *after;

    write_file("a", "one", 0644);
    write_file("b", "two", 0644);
    before = build_of("exec:cat a b");
    write_file("a", "two", 0644);
    write_file("b", "one", 0644);
    after = build_of("exec:cat a b");
    ok(strcmp(before, after) != 0, "which file has which text");
    free(before);
    free(after);
}

int main(void)
{
    char *folder = scratch_new();

    if (chdir(folder) != 0)
        return 99;
    words();
    if (solver_find("exec") != NULL) {
        files();
        shorter();
        places();
    }
    scratch_remove(folder);
    return tap_done();
}
