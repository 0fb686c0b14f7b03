/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How it is known that a planner does what its source does: one table for
 * `list solvers --long` and UPSTREAM.md, which tests/upstream/t_upstream.c and
 * tests/upstream/t_evidence.c hold to what they find.  */
#ifndef ARENABENCH_SOLVERS_EVIDENCE_H
#define ARENABENCH_SOLVERS_EVIDENCE_H

/* What is the same in ours and upstream's answers.  */
enum upstream_judged {
    UPSTREAM_OFFSETS, /* the offset of every buffer */
    UPSTREAM_TOTAL,   /* the peak: more is not defined upstream */
    UPSTREAM_PEAK,    /* the least peak, where both have proved it */
};

/* The answers of an upstream planner that are recorded in tests/upstream.  */
struct upstream_record {
    const char *program; /* its row in MANIFEST.csv there, and its file in answers/ */
    const char *solver;  /* ours, with parameters: name:key=value,... */
    const char *project; /* the last part of the repository's name */
    const char *commit;  /* abbreviated; "unknown" where only the text was at hand */
    enum upstream_judged judged;
    int equal, of;      /* answers */
    const char *on;     /* what they are answers to, where it is not usual instances; or NULL */
    const char *remark; /* why not all are equal, or what has to be known; or NULL */
};

extern const struct upstream_record upstream_records[]; /* ends with a NULL program */

/* What stands for a planner that no recorded answers are of.  */
enum evidence_kind {
    EVIDENCE_SECOND,   /* another, literal implementation in the tests */
    EVIDENCE_EXAMPLE,  /* an example of the publication */
    EVIDENCE_BY_HAND,  /* cases worked out by hand; of the source there is nothing but the text */
    EVIDENCE_OPTIMA,   /* it proves optima that are known from elsewhere */
    EVIDENCE_PROMISES, /* this project's: it keeps what it promises */
    EVIDENCE_VERIFIED, /* the user's: its plans pass the verifier */
};

struct evidence {
    const char *solver;
    enum evidence_kind kind;
    const char *file; /* in which it stands */
    const char *test; /* that names the solver and looks at it; often the same file */
};

extern const struct evidence evidence_others[]; /* ends with a NULL solver */

/* RECORD in one line, with what was counted: "equal to upstream, 206 of 206, tflite-micro
 * 90b983c".  The caller frees it.  */
char *upstream_record_text(const struct upstream_record *record, int equal, int of);

/* All that there is for SOLVER in one line; "" when there is nothing.  The caller frees it.  */
char *evidence_text(const char *solver);

#endif
