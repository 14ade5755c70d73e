#include "kperf/inside.h"
#include "kperf/trace.h"

#include <stdlib.h>

struct kps_frameworks *
kps_load(const char *kperf_path, const char *kperfdata_path,
	 struct kps_error *e)
{
	struct kps_frameworks *f = kps_new(sizeof *f, "the frameworks", e);
	struct err why;

	if (f == NULL)
		return NULL;
	if (kperf_load(kperf_path, kperfdata_path, &f->libs, &why))
		return f;
	free(f);
	kps_fail(e, KPS_LOAD, "dlopen", "%s", why.text);
	return NULL;
}

void
kps_unload(struct kps_frameworks *f)
{
	if (f == NULL)
		return;
	kperf_unload(&f->libs);
	free(f);
}

/* clang-format off */
KPS_GET(const struct kperf_api *, kps_kperf, kps_frameworks, &it->libs.kperf)
KPS_GET(const struct kperfdata_api *, kps_kperfdata, kps_frameworks, &it->libs.kperfdata)
KPS_GET(const char *, kps_kperf_path, kps_frameworks, it->libs.kperf_path)
KPS_GET(const char *, kps_kperfdata_path, kps_frameworks, it->libs.kperfdata_path)
KPS_GET(const struct kps_database *, kps_sampler_database, kps_sampler, it->database)
KPS_GET(enum kps_chip, kps_sampler_chip, kps_sampler, it->database->chip)
KPS_GET(const struct kperf_api *, kps_sampler_kperf, kps_sampler, &it->kperf)
KPS_GET(const struct kperfdata_api *, kps_sampler_kperfdata, kps_sampler, &it->kperfdata)
/* clang-format on */

static bool
take_functions(struct kps_sampler *s, const struct kps_options *o,
	       struct kps_error *e)
{
	if ((o->kperf == NULL) != (o->kperfdata == NULL))
		return kps_fail(
			e, KPS_USAGE, NULL,
			"functions of one framework were given without those of the other");
	if (o->kperf == NULL) {
		s->frameworks = kps_load(o->kperf_path, o->kperfdata_path, e);
		if (s->frameworks == NULL)
			return false;
	}
	s->kperf = o->kperf != NULL ? *o->kperf : s->frameworks->libs.kperf;
	s->kperfdata = o->kperf != NULL ? *o->kperfdata
					: s->frameworks->libs.kperfdata;
	return true;
}

static unsigned
count_cpus(const struct kps_sampler *s, unsigned asked)
{
	const struct host_api *host =
		s->frameworks != NULL ? s->frameworks->libs.host : NULL;
	const struct kperf_system *system = kperf_system_os();

	return asked != 0       ? asked
	       : host != NULL   ? kperf_rows_most(host->sysctl)
	       : system != NULL ? kperf_rows_most(system->sysctl)
				: 0;
}

static const struct kperf_system *
find_system(const struct kps_sampler *s, const struct kps_options *o)
{
	if (o->kperf != NULL || o->system != NULL)
		return o->system;
	return s->frameworks->libs.host != NULL
		       ? s->frameworks->libs.host->system
		       : kperf_system_os();
}

static bool
is_printable(const char *name)
{
	for (const char *s = name; *s != '\0'; s++)
		if (*s <= ' ' || *s > '~')
			return false;
	return name[0] != '\0';
}

static bool
check_database(const struct kps_database *d, const struct kps_options *o,
	       struct kps_error *e)
{
	if (o->known_layout_only && d->stride != sizeof(struct kpep_event_48) &&
	    d->stride != sizeof(struct kpep_event_56))
		return kps_fail_status(e, KPS_EVENT_LAYOUT, "kpep_db_events");
	if (!o->known_chip_only || d->chip != KPS_CHIP_UNKNOWN)
		return true;
	if (!is_printable(d->name))
		return kps_fail_status(e, KPS_INVALID_CPU_NAME,
				       "kpep_db_create");
	return kps_fail(e, KPS_UNKNOWN_CPU, "kpep_db_create", "%s (%s): %s; %s",
			d->name, d->marketing, kps_status_text(KPS_UNKNOWN_CPU),
			kps_status_advice(KPS_UNKNOWN_CPU));
}

struct kps_sampler *
kps_sampler_new(const struct kps_options *o, struct kps_error *e)
{
	static const struct kps_options defaults;
	struct kps_sampler *s = kps_new(sizeof *s, "a sampler", e);

	if (s == NULL)
		return NULL;
	if (o == NULL)
		o = &defaults;
	s->user_only = o->user_only;
	s->take_anyway = o->take_anyway;
	if (take_functions(s, o, e)) {
		s->cpus = count_cpus(s, o->cpus);
		s->system = find_system(s, o);
		s->database = kps_database_new(&s->kperfdata, NULL, e);
	}
	if (s->database != NULL && check_database(s->database, o, e) &&
	    kps_sampler_acquire(s, e))
		return s;
	kps_sampler_free(s);
	return NULL;
}

bool
kps_sampler_acquire(struct kps_sampler *s, struct kps_error *e)
{
	kps_lock();
	if (s->machine == NULL)
		s->machine = kps_machine_join(
			&s->kperf, s->database->bits[KPC_CLASS_CONFIGURABLE],
			s->take_anyway, e);
	bool ok = s->machine != NULL;
	kps_unlock();
	return ok;
}

static bool
release_locked(struct kps_sampler *s, struct kps_error *e)
{
	struct kps_error first = { KPS_OK, 0, 0, NULL, "" };
	bool ok = true;

	if (s->machine == NULL)
		return true;
	for (struct kps_group *g = s->groups; g != NULL; g = g->sibling) {
		if (!atomic_load(&g->running))
			continue;
		atomic_store(&g->running, false);
		if (g->stopping != NULL && !g->stopping(g, ok ? &first : NULL))
			ok = false;
		if (!kps_machine_stop(s->machine, g, ok ? &first : NULL))
			ok = false;
	}
	if (!kps_machine_leave(s->machine, ok ? &first : NULL))
		ok = false;
	s->machine = NULL;
	if (!ok && e != NULL) {
		*e = first;
		e->code = KPS_RESET_CONTROL;
	}
	return ok;
}

bool
kps_sampler_release(struct kps_sampler *s, struct kps_error *e)
{
	kps_lock();
	bool ok = release_locked(s, e);
	kps_unlock();
	return ok;
}

void
kps_sampler_free(struct kps_sampler *s)
{
	if (s == NULL)
		return;
	kps_lock();
	(void)release_locked(s, NULL);
	for (struct kps_group *g = s->groups; g != NULL; g = g->sibling)
		g->sampler = NULL;
	kps_unlock();
	kps_database_free(s->database);
	kps_unload(s->frameworks);
	free(s);
}

bool
kps_sampler_check(struct kps_sampler *s, struct kps_error *e)
{
	bool released, ours;

	kps_lock();
	released = s->machine == NULL;
	ours = !released &&
	       kperf_counters_per_row(&s->kperf, KPERF_BOTH) ==
		       s->machine->stride &&
	       kperf_counters_unchanged(&s->kperf, &s->machine->changes);
	kps_unlock();
	if (ours)
		return true;
	if (released)
		return kps_fail_status(e, KPS_RELEASED, NULL);
	return kps_fail_status(e, KPS_REPROGRAMMED, NULL);
}
