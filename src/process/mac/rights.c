#include "process/rights.h"

bool
rights_any(void)
{
	return false; /* macOS has user and group ids only */
}

void
rights_drop_bounding(int keep)
{
	(void)keep;
}

void
rights_drop_setpcap(void)
{
}

bool
rights_drop_all(struct err *e)
{
	(void)e;
	return true;
}
