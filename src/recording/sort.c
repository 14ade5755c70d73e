#include "recording/recording.h"

#include <string.h>

/* Where a segment begins; false: unknown. */
static bool
begin_of(const char *path, int64_t *wall_ns, uint64_t *frame)
{
	const struct recording_frame *f;
	struct recording *r;
	struct err e;
	bool known;

	if (strcmp(path, "-") == 0)
		return false;
	r = recording_open(&path, 1, &e);
	if (r == NULL)
		return false;
	recording_skip_damaged(r); /* who reads all of it tells that */
	known = recording_next(r, &f, &e) == RECORDING_FRAME;
	if (known) {
		*wall_ns = f->wall_ns;
		*frame = f->number;
	}
	recording_close(r);
	return known;
}

void
recording_sort(const char **path, unsigned n)
{
	int64_t wall_ns[RECORDING_FILES_MAX];
	uint64_t frame[RECORDING_FILES_MAX];

	if (n < 2 || n > RECORDING_FILES_MAX)
		return;
	for (unsigned i = 0; i < n; i++)
		if (!begin_of(path[i], &wall_ns[i], &frame[i]))
			return;
	for (unsigned i = 1; i < n; i++)
		for (unsigned j = i; j > 0 && (wall_ns[j] < wall_ns[j - 1] ||
					       (wall_ns[j] == wall_ns[j - 1] &&
						frame[j] < frame[j - 1]));
		     j--) {
			const char *p = path[j];
			int64_t w = wall_ns[j];
			uint64_t f = frame[j];

			path[j] = path[j - 1];
			wall_ns[j] = wall_ns[j - 1];
			frame[j] = frame[j - 1];
			path[j - 1] = p;
			wall_ns[j - 1] = w;
			frame[j - 1] = f;
		}
}
