/* Losses and their gradients on elements of type REAL: included once for each type by
 * gradient_loss.c, which says what REAL and TYPED are.  Labels have been checked.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_GRADIENT_LOSS_REAL_H
#define ARENABENCH_RUNTIME_OPERATORS_GRADIENT_LOSS_REAL_H

/* The first class of prediction I; the others are ALONG's inner apart.  */
static int64_t TYPED(first_class)(const struct along *along, int64_t i)
{
    return i / along->inner * along->count * along->inner + i % along->inner;
}

/* The element of the class that is prediction I's label.  */
static int64_t TYPED(labelled)(const struct along *along, const struct tensor *labels, int64_t i)
{
    return TYPED(first_class)(along, i) + tensor_integer(labels, i) * along->inner;
}

static void TYPED(cross_entropy)(const struct along *along, const struct tensor *labels,
                                 const REAL *x, REAL *logarithm, REAL *loss)
{
    const int64_t count = along->outer * along->inner;
    REAL sum = 0;

    for (int64_t i = 0; i < count; i++) {
        int64_t first = TYPED(first_class)(along, i), end = first + along->count * along->inner;
        REAL most = -(REAL)INFINITY, all = 0;

        for (int64_t at = first; at < end; at += along->inner)
            most = x[at] > most ? x[at] : most;
        for (int64_t at = first; at < end; at += along->inner)
            all += exp(x[at] - most);
        for (int64_t at = first; at < end; at += along->inner)
            logarithm[at] = x[at] - most - log(all);
        sum -= logarithm[TYPED(labelled)(along, labels, i)];
    }
    *loss = sum / (REAL)count;
}

static void TYPED(cross_entropy_gradient)(const struct along *along, const struct tensor *labels,
                                          const REAL *logarithm, REAL *to)
{
    const int64_t count = along->outer * along->inner;

    for (int64_t i = 0; i < count * along->count; i++)
        to[i] = exp(logarithm[i]) / (REAL)count;
    for (int64_t i = 0; i < count; i++)
        to[TYPED(labelled)(along, labels, i)] -= 1 / (REAL)count;
}

static void TYPED(likelihood)(const struct along *along, const struct tensor *labels, const REAL *x,
                              REAL *loss)
{
    const int64_t count = along->outer * along->inner;
    REAL sum = 0;

    for (int64_t i = 0; i < count; i++)
        sum -= log(x[TYPED(labelled)(along, labels, i)]);
    *loss = sum / (REAL)count;
}

static void TYPED(likelihood_gradient)(const struct along *along, const struct tensor *labels,
                                       const REAL *x, REAL *to)
{
    const int64_t count = along->outer * along->inner;

    for (int64_t i = 0; i < count * along->count; i++)
        to[i] = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t at = TYPED(labelled)(along, labels, i);

        to[at] = -1 / (x[at] * (REAL)count);
    }
}

#undef REAL
#undef TYPED
#undef ARENABENCH_RUNTIME_OPERATORS_GRADIENT_LOSS_REAL_H
#endif
