/* The two frameworks: where they are and what they export. */
#include "commands/doctor/doctor.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct library {
	const char *key, *path, *variable, *fallback;
	const struct kperf_symbol *symbol;
	unsigned nsymbols;
};

/* The person's folders are the person's: the name of the file is enough. */
static const char *
shown(const char *path)
{
	const char *slash = strrchr(path, '/');

	return strncmp(path, "/System/", 8) == 0 || slash == NULL ? path
								  : slash + 1;
}

/* dlerror quotes the whole path; what follows it says why. */
static const char *
reason(const char *why, const char *path)
{
	const char *at;

	if (why == NULL)
		return "it is no plain file";
	at = strstr(why, path);
	if (at == NULL || strcmp(shown(path), path) == 0)
		return why;
	at += strlen(path);
	return at + strspn(at, ": ,");
}

static void
symbols(FILE *out, const struct library *l, void *handle)
{
	char missing[1024];
	struct buf b = buf_over(missing, sizeof missing);
	unsigned found = 0;

	for (unsigned i = 0; i < l->nsymbols; i++)
		if (dlsym(handle, l->symbol[i].name) != NULL)
			found++;
		else
			buf_printf(&b, "%s%s", b.len > 0 ? " " : "",
				   l->symbol[i].name);
	report_line(out, "symbols", "%u of %u", found, l->nsymbols);
	if (found < l->nsymbols)
		report_line(out, "missing", "%s", buf_cstr(&b));
}

static void
library(FILE *out, const struct library *l)
{
	char path[KPERF_PATH_SIZE];
	void *handle =
		kperf_open(l->path, l->variable, l->fallback, path, NULL);

	if (path[0] == '\0') {
		/* Which folder it is says who the person is. */
		report_line(out, l->key, "%s",
			    shown(l->path != NULL ? l->path : l->variable));
		report_line(
			out, "dlopen",
			"not tried: ktop has privileges, and the file is missing or others than root may change it");
		return;
	}
	report_line(out, l->key, "%s", shown(path));
	if (handle == NULL) {
		report_line(out, "dlopen", "%s", reason(dlerror(), path));
		return;
	}
	report_line(out, "dlopen", "ok");
	symbols(out, l, handle);
	dlclose(handle);
}

void
doctor_libraries(struct doctor *d)
{
	const struct options *o = d->o;
	const struct library libraries[] = {
		{ "kperf", o->source.kperf_path, KPERF_VARIABLE, KPERF_PATH,
		  kperf_symbols, KPERF_NSYMBOLS },
		{ "kperfdata", o->source.kperfdata_path, KPERFDATA_VARIABLE,
		  KPERFDATA_PATH, kperfdata_symbols, KPERFDATA_NSYMBOLS },
	};

	for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
		const struct library *l = &libraries[i];

		if (o->source.sim != NULL)
			report_line(d->x.out, l->key,
				    "built in (simulated), %u of %u",
				    l->nsymbols, l->nsymbols);
		else
			library(d->x.out, l);
	}
}
