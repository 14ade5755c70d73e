#!/bin/sh
# Writes src/ui/theme/theme_text.c, the default theme as text of the program.
# usage: tests/ui/theme-text.sh > src/ui/theme/theme_text.c   (in the project's root)
cat <<'END'
/*
 * themes/default.theme in the program, so that it runs without files. A test
 * shows that both agree; tests/ui/theme-text.sh writes this file.
 */
#include "ui/theme.h"

/* clang-format off */
const char theme_default_text[] =
END
sed 's/\\/&&/g; s/"/\\&/g; s/.*/	"&\\n"/' themes/default.theme
cat <<'END'
	;
/* clang-format on */
END
