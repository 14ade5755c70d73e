/* What the help says of the view of processes. */
#include "ui/panels/help_page.h"

static void
page_process_columns(struct page *p, const struct view *v)
{
	page_heading(p, "Columns of processes");
	for (int m = 0; m < PROCESS_METRICS; m++) {
		char label[32], text[200];
		struct buf b = buf_over(label, sizeof label);
		struct buf t = buf_over(text, sizeof text);

		if (!processes_has(v->procs, (enum process_metric)m))
			continue;
		processes_label(v->procs, (enum process_metric)m, &b);
		buf_str(&t, process_metrics[m].text);
		if (m == PROCESS_IPC_0 || m == PROCESS_IPC_1)
			buf_str(&t,
				"; blank under a million cycles there, or a hundredth of all");
		page_entry(p, 9, ROLE_STRONG, buf_cstr(&b), buf_cstr(&t));
	}
	page_entry(
		p, 9, ROLE_STRONG, "bar",
		"the share of all cores' cycles; where those are not counted, of time. Its end is a round number, the same for all rows");
	page_entry(
		p, 9, ROLE_STRONG, "~",
		"estimates of the system: the energy of a process' own time on cores, without memory, graphics and screen; not to be compared between machines");
	page_entry(
		p, 9, ROLE_STRONG, "trend",
		"each on a scale of its own, from 0; of the busiest, those pinned and the one that is open");
}

static void
page_process_rows(struct page *p)
{
	/* clang-format off */
	static const struct {
		const char *word, *text;
	} row[] = {
		{ "!", "slow, and it matters: what it does is under 15% of what its cores could, on more than 3% of all cycles" },
		{ "(rest)", "what the cores did and no row has: idle loops, those that are denied, those that ended unseen; empty where counts of an earlier frame came late" },
		{ "(others)", "of a recording: all that were not among its busiest, in one" },
		{ "ended", "what it did last; then the row goes, or stays without numbers while it is open" },
		{ "p", "pinned, with *" },
		{ "dim", "it did nothing worth a number; an IPC: from under a million instructions" },
		{ "x", "behind an IPC: not all it did was seen, or its counts began again" },
		{ "%", "its counters were shared: estimated" },
		{ "c, g", "covers several intervals; the machine slept meanwhile" },
		{ "order", "stands still while a row is chosen; new processes come behind. Esc lets it go" },
		{ "threads", "of the process that Enter opened; (ended threads) is what no thread that is there has" },
	};
	/* clang-format on */

	page_heading(p, "Rows of processes");
	for (unsigned i = 0; i < sizeof row / sizeof *row; i++)
		page_entry(p, 9, ROLE_STRONG, row[i].word, row[i].text);
	page_heading(p, "Instead of counts");
	for (unsigned i = 0; i < PROCESS_ACCESS_COUNT; i++)
		if (process_access_word[i][0] != 0)
			page_entry(p, 12, ROLE_FLAG, process_access_word[i],
				   process_access_text[i]);
}

void
page_processes(struct page *p, const struct view *v)
{
	page_process_columns(p, v);
	page_process_rows(p);
}
