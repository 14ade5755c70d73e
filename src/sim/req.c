/* The two sides of one sysctl: what goes out, what comes in. */
#include "sim/inside.h"

#include <errno.h>
#include <string.h>

int
sim_req_out(struct sim_req *r, const void *from, size_t size)
{
	if (r->old != NULL) {
		if (r->old_size - r->old_at < size)
			return ENOMEM;
		memcpy(r->old + r->old_at, from, size);
	}
	r->old_at += size;
	return 0;
}

int
sim_req_in(struct sim_req *r, void *to, size_t size)
{
	if (r->fresh == NULL)
		return 0;
	if (r->fresh_size - r->fresh_at < size)
		return EINVAL;
	memcpy(to, r->fresh + r->fresh_at, size);
	r->fresh_at += size;
	return 0;
}

int
sim_req_int(struct sim_req *r, int32_t old, int32_t *fresh, bool *set)
{
	int64_t wide;
	int code = sim_req_out(r, &old, sizeof old);

	*set = false;
	if (code != 0 || r->fresh == NULL)
		return code;
	if (r->fresh_size == sizeof wide) {
		if ((code = sim_req_in(r, &wide, sizeof wide)) != 0)
			return code;
		if (wide < INT32_MIN || wide > INT32_MAX)
			return ERANGE;
		*fresh = (int32_t)wide;
	} else if ((code = sim_req_in(r, fresh, sizeof *fresh)) != 0) {
		return code;
	}
	*set = true;
	return 0;
}
