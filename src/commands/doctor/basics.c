/* What machine and system this is, where its CPUs are, and the terminal. */
#include "commands/doctor/doctor.h"

#include <langinfo.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/plural.h"

void
doctor_versions(struct doctor *d)
{
	report_line(d->x.out, "ktop", "%s", KTOP_VERSION);
	if (d->mac)
		doctor_mac_versions(d);
	else
		doctor_own(d);
	if (d->o->source.root == NULL)
		report_line(d->x.out, "euid", "%ld, uid %ld, sudo %s",
			    (long)geteuid(), (long)getuid(),
			    getenv("SUDO_UID") != NULL ? "yes" : "no");
}

/* " name=7", or " name=-" of what is not known. */
static void
put_number(struct buf *b, const char *name, bool known, int n)
{
	buf_printf(b, " %s=", name);
	if (known)
		buf_printf(b, "%d", n);
	else
		buf_char(b, '-');
}

static void
cluster_line(const struct doctor *d, unsigned n)
{
	const struct topology *t = d->x.s->info.topology;
	const struct topology_cluster *c = &t->cluster[n];
	const struct topology_kind *k = &t->kind[c->kind];
	char key[TOPOLOGY_LABEL_SIZE + 16], cpus[512], about[256];
	struct buf b = buf_over(cpus, sizeof cpus);
	struct buf a = buf_over(about, sizeof about);

	for (unsigned i = 0; i < t->ncpus; i++)
		if (t->cpu[i].cluster == n && b.len + 8 < sizeof cpus)
			buf_printf(&b, "%s%d", b.len > 0 ? "," : "",
				   t->cpu[i].id);
	snprintf(key, sizeof key, "cluster %s", c->label);
	buf_printf(&a, "kind=%s", k->name);
	put_number(&a, "width", k->width > 0, (int)k->width);
	buf_printf(&a, " pmu=%s", k->pmu[0] != '\0' ? k->pmu : "-");
	if (c->package >= 0)
		put_number(&a, "package", true, c->package);
	put_number(&a, "die", c->die >= 0, c->die);
	report_line(d->x.out, key, "%s cores=%u cpus=%s", buf_cstr(&a),
		    c->ncores, buf_cstr(&b));
}

void
doctor_topology(struct doctor *d)
{
	if (d->mac)
		doctor_mac_topology(d);
	else
		doctor_own(d);
	report_line(d->x.out, "busy time", "%u %s", d->x.found.busy_rows,
		    plural(d->x.found.busy_rows, "row", "rows"));
	if (d->x.s == NULL)
		report_line(d->x.out, "clusters", "%s", d->found.topology.text);
	for (unsigned c = 0;
	     d->x.s != NULL && c < d->x.s->info.topology->nclusters; c++)
		cluster_line(d, c);
}

static const char *
variable(const char *name)
{
	const char *value = getenv(name);

	return value != NULL && value[0] != '\0' ? value : "-";
}

void
doctor_terminal(struct doctor *d)
{
	static const char *const shown[] = { "TERM", "TERM_PROGRAM",
					     "TERM_PROGRAM_VERSION",
					     "COLORFGBG", "COLORTERM" };
	struct winsize size = { 0, 0, 0, 0 };
	bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ||
		     ioctl(STDIN_FILENO, TIOCGWINSZ, &size) == 0 ||
		     ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0;

	for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++)
		report_line(d->x.out, shown[i], "%s", variable(shown[i]));
	report_line(d->x.out, "NO_COLOR", "%s",
		    getenv("NO_COLOR") != NULL ? "set" : "-");
	if (known)
		report_line(d->x.out, "size", "%ux%u", size.ws_col,
			    size.ws_row);
	else
		report_line(d->x.out, "size", "- (not on a terminal)");
	report_line(d->x.out, "codeset", "%s", nl_langinfo(CODESET));
}
