#include "power/ioreport.h"

const struct ioreport_api *
ioreport_system(struct err *e)
{
	return err_null(e, ERR_NO_PMU, "IOReport exists only on macOS");
}
