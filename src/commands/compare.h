/* ktop compare: shared by its files. */
#ifndef COMMANDS_COMPARE_H
#define COMMANDS_COMPARE_H

#include "analysis/analysis.h"

#include <stdio.h>

void compare_print_answer(FILE *out, const struct compare *c);

#endif
