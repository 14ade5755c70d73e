#include "ui/term/scratch.h"

/* Darwin's shared memory objects refuse write(2): a temporary file it is. */
FILE *
scratch_open(void)
{
	return tmpfile();
}
