#include "out/sink.h"

void
sink_get_losses(const struct sink *s, uint64_t *lost, bool *reader_gone)
{
	*lost = s->target.lost;
	*reader_gone = s->target.reader_gone;
}

int
sink_waiting_fd(const struct sink *s)
{
	return target_fd(&s->target);
}

bool
sink_flush(struct sink *s, struct err *e)
{
	return target_flush(&s->target, e);
}

/* clang-format off */
#define SINK(constant, name, help) [constant] = &sink_##name,
const struct sink_ops *const sink_table[OUTPUTS_ALL] = {
	OUTPUT_TABLE(SINK)
	[OUTPUT_TEXT] = &sink_text
};
