/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What gnuplot's terminal cairolatex writes becomes a float: its texts as LaTeX, in their places
 * and colours; what is not whole is refused.  */
#include <config.h>

#include "harness/report/figure_tex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "tests/support/tap.h"

static const char from[] = "t_figure_tex.in", to[] = "t_figure_tex.out";

/* A picture of WIDTH x 2000 with texts behind it and before it; END: what it ends with.  */
static bool convert(const char *width, const char *end, struct error *error)
{
    static const struct grid_words words = {"mine", "Which?", "All 100 % of a_b."};
    FILE *in = fopen(from, "w");

    if (!ok(in != NULL, "a file of our own"))
        return false;
    fprintf(in,
            "\\begingroup\n"
            "  \\gplgaddtomacro\\gplnothing{%%\n"
            "  \\put(1,1){\\strut{}left out}%%\n"
            "  \\begin{picture}(%s,2000.00)%%\n"
            "    \\gplgaddtomacro\\gplbacktext{%%\n"
            "      \\csname LTb\\endcsname%%\n"
            "      \\put(596,610){\\makebox(0,0)[r]{\\strut{}-50 %%}}%%\n"
            "      \\colorrgb{0.00,0.00,0.00}%%%%\n"
            "      \\put(1,2){\\makebox(0,0){\\strut{}10^{-3} a\\_b}}%%\n"
            "      \\put(3,4){\\makebox(0,0){\\strut{}}}%%\n"
            "    }%%\n"
            "    \\put(9,9){\\strut{}left out}%%\n"
            "    \\gplgaddtomacro\\gplfronttext{%%\n"
            "      \\colorrgb{0.00,0.45,0.70}%%%%\n"
            "      \\put(5,6){\\rotatebox{90.00}{\\makebox(0,0){\\strut{}x_{min} & -y}}}%%\n"
            "    }%%\n"
            "  \\end{picture}%%\n%s",
            width, end);
    fclose(in);
    return figure_tex_write(from, to, &words, error);
}

static void test_text(void)
{
    static const char want[] =
        "\\begin{figure}[tp]\n\\centering\n"
        "{\\fontsize{8}{9.5}\\selectfont\n\\setlength{\\unitlength}{0.05bp}%\n"
        "\\begin{picture}(4782,2000)%\n"
        "\\color[rgb]{0.00,0.00,0.00}%\n"
        "\\put(596,610){\\makebox(0,0)[r]{\\strut{}$-$50 \\%}}%\n"
        "\\put(1,2){\\makebox(0,0){\\strut{}10$^{\\mathrm{-3}}$ a\\_b}}%\n"
        "\\put(0,0){\\includegraphics[width=239.1bp,height=100bp]{mine-tex}}%\n"
        "\\color[rgb]{0.00,0.45,0.70}%\n"
        "\\put(5,6){\\rotatebox{90.00}{\\makebox(0,0){\\strut{}x$_{\\mathrm{min}}$ \\& -y}}}%\n"
        "\\end{picture}}%\n"
        "\\caption[Which?]{Which? All 100 \\% of a\\_b.}\n\\label{fig:mine}\n"
        "\\end{figure}\n";
    struct error error = {""};
    char *text = NULL;
    size_t size;

    if (ok(convert("4782.00", "\\endgroup\n", &error), "a picture as wide as a column %s",
           error.text) &&
        ok(file_read(to, 1 << 20, &text, &size, &error), "is written"))
        is_text(text, want, "with its texts as LaTeX");
    free(text);
    text = NULL;
    if (ok(convert("4783.00", "\\endgroup\n", &error), "a wider one %s", error.text) &&
        ok(file_read(to, 1 << 20, &text, &size, &error), "is written"))
        ok(strncmp(text, "\\begin{figure*}[tp]\n", 20) == 0 &&
               strstr(text, "\n\\end{figure*}\n") != NULL,
           "across the page");
    free(text);
    unlink(to);
}

static void test_refusals(void)
{
    static const char *const bad[][2] = {
        {"4782.00", ""}, {"0.00", "\\endgroup\n"}, {"wide", "\\endgroup\n"}};

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct error error = {""};

        ok(!convert(bad[i][0], bad[i][1], &error) &&
               strcmp(error.text,
                      "t_figure_tex.in: not what gnuplot's terminal cairolatex writes") == 0,
           "refused: %s", error.text);
        ok(access(to, F_OK) != 0, "and nothing is written");
    }
}

int main(void)
{
    char folder[] = "t_figure_tex.XXXXXX";

    if (!ok(mkdtemp(folder) != NULL && chdir(folder) == 0, "a folder of our own"))
        return tap_done();
    test_text();
    test_refusals();
    unlink(from);
    ok(chdir("..") == 0 && rmdir(folder) == 0, "nothing else was written");
    return tap_done();
}
