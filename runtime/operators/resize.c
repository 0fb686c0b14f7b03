#include <config.h>

#include "runtime/operators/operator.h"

const struct operator_rule operators_resize[] = {
    {0},
};
