#include "source/perf/machine.h"

#include "base/parse.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PMU_DIR "/sys/bus/event_source/devices"

enum { PATH_SIZE = 512, WORD_SIZE = 64, BITS = 64 };

bool
pmu_linux_open(struct pmu_linux *p, const char *root, const char *name)
{
	char path[PATH_SIZE];
	int64_t v;

	memset(p, 0, sizeof *p);
	p->root = root;
	snprintf(p->name, sizeof p->name, "%s", name);
	snprintf(path, sizeof path, PMU_DIR "/%s/type", p->name);
	if (!sysfs_number(root, path, &v) || v < 0 || v > UINT32_MAX)
		return false;
	p->type = (uint32_t)v;
	snprintf(path, sizeof path, PMU_DIR "/%s/caps/pmu_name", p->name);
	sysfs_text(root, path, p->kernel_name, sizeof p->kernel_name);
	snprintf(path, sizeof path, PMU_DIR "/%s/caps/slots", p->name);
	if (sysfs_number(root, path, &v) && v > 0 && v < BITS)
		p->slots = (unsigned)v;
	return true;
}

static uint64_t *
attr_word(struct perf_code *c, const char *line, size_t len)
{
	if (len == 6 && memcmp(line, "config", len) == 0)
		return &c->config;
	if (len == 7 && memcmp(line, "config1", len) == 0)
		return &c->config1;
	if (len == 7 && memcmp(line, "config2", len) == 0)
		return &c->config2;
	return NULL;
}

struct bit_placement {
	uint64_t value, bits;
};

static void
format_place_bit(void *arg, unsigned bit)
{
	struct bit_placement *d = arg;

	d->bits |= (d->value & 1) << bit;
	d->value >>= 1;
}

static bool
format_place_value(const char *line, uint64_t value, struct perf_code *out)
{
	size_t len = strcspn(line, ":");
	uint64_t *word = attr_word(out, line, len);
	struct bit_placement d = { value, 0 };

	if (word == NULL || line[len] != ':' || line[len + 1] == '\0' ||
	    !parse_list(line + len + 1, BITS - 1, format_place_bit, &d) ||
	    d.value != 0)
		return false;
	*word |= d.bits;
	return true;
}

/* The usual format, if format/ is unreadable; "": unknown. */
static const char *
default_format(const struct pmu_linux *p, const char *term)
{
	if (strcmp(term, "umask") == 0)
		return "config:8-15";
	if (strcmp(term, "event") != 0)
		return "";
	return strncmp(p->name, "arm", 3) == 0 ? "config:0-15"
					       : "config:0-7,32-35";
}

static bool
is_plain_name(const char *s)
{
	return s[0] != '\0' && s[0] != '.' && strchr(s, '/') == NULL;
}

static bool
term_encode(const struct pmu_linux *p, const char *term, uint64_t value,
	    struct perf_code *out, struct err *e)
{
	char path[PATH_SIZE], line[WORD_SIZE];
	uint64_t *word = attr_word(out, term, strlen(term));

	if (word != NULL) {
		*word |= value;
		return true;
	}
	if (!is_plain_name(term))
		return err_set(e, ERR_USAGE, "\"%s\" is not a term of %s", term,
			       p->name);
	snprintf(path, sizeof path, PMU_DIR "/%s/format/%s", p->name, term);
	if (!sysfs_text(p->root, path, line, sizeof line))
		snprintf(line, sizeof line, "%s", default_format(p, term));
	if (line[0] == '\0')
		return err_set(
			e, ERR_USAGE,
			"%s has no term \"%s\"; the PMU's format/ folder lists its terms",
			p->name, term);
	if (!format_place_value(line, value, out))
		return err_set(e, ERR_USAGE,
			       "%s=%#llx does not fit into %s of %s", term,
			       (unsigned long long)value, line, p->name);
	return true;
}

/* The values of a repeated term would be ORed into a third event. */
static bool
term_is_repeated(const char *terms, const char *at, const char *word)
{
	size_t n = strlen(word);

	for (const char *t = terms; t < at; t += strcspn(t, ",") + 1)
		if (strncmp(t, word, n) == 0 && strchr("=,", t[n]) != NULL)
			return true;
	return false;
}

bool
pmu_linux_terms(const struct pmu_linux *p, const char *terms,
		struct perf_code *out, struct err *e)
{
	*out = (struct perf_code){ .type = p->type };
	for (const char *at = terms;; at++) {
		size_t n = strcspn(at, ",\n");
		char word[WORD_SIZE], *eq;
		uint64_t value = 1;

		if (n == 0 || n >= sizeof word)
			return err_set(
				e, ERR_USAGE,
				"\"%.40s\" is not a list of terms like event=0xc5,umask=1",
				terms);
		memcpy(word, at, n);
		word[n] = '\0';
		eq = strchr(word, '=');
		if (eq != NULL) {
			*eq = '\0';
			if (!parse_u64(eq + 1, UINT64_MAX, &value))
				return err_set(
					e, ERR_USAGE,
					"value \"%s\" of term %s is not a number",
					eq + 1, word);
		}
		if (term_is_repeated(terms, at, word))
			return err_set(e, ERR_USAGE, "term %s is given twice",
				       word);
		if (!term_encode(p, word, value, out, e))
			return false;
		at += n;
		if (*at != ',')
			return true;
	}
}

/* Is `name` a property file of an alias (NAME.scale), and not an alias? */
static bool
is_alias_property(const char *name)
{
	static const char *const ends[] = { ".scale", ".unit", ".snapshot",
					    ".per-pkg" };
	size_t len = strlen(name);

	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
		size_t n = strlen(ends[i]);

		if (len >= n && strcmp(name + len - n, ends[i]) == 0)
			return true;
	}
	return false;
}

bool
pmu_linux_alias(const struct pmu_linux *p, const char *alias, char *text,
		struct perf_code *out, struct err *e)
{
	char path[PATH_SIZE], terms[PMU_TEXT_SIZE];

	terms[0] = '\0';
	snprintf(path, sizeof path, PMU_DIR "/%s/events/%.100s", p->name,
		 alias);
	if (!is_plain_name(alias) || is_alias_property(alias) ||
	    !sysfs_text(p->root, path, terms, sizeof terms) ||
	    strlen(terms) == sizeof terms - 1) /* a cut text is another event */
		return err_set(e, ERR_USAGE, "%s has no event \"%.60s\"",
			       p->name, alias);
	if (text != NULL)
		snprintf(text, PMU_TEXT_SIZE, "%s", terms);
	return pmu_linux_terms(p, terms, out, e);
}

bool
kind_resolve_event(const struct perf_kind *k, const char *native,
		   struct perf_code *out)
{
	if (native[0] == '@')
		return pmu_linux_alias(&k->pmu, native + 1, NULL, out, NULL);
	return pmu_linux_terms(&k->pmu, native, out, NULL);
}

static void
read_cpu_model(const char *root, struct linux_cpu *cpu)
{
	char text[4096];
	const char *v;

	if (!sysfs_text(root, "/proc/cpuinfo", text, sizeof text))
		return;
	if ((v = cpuinfo_value(text, "vendor_id")) != NULL) {
		if (strncmp(v, "GenuineIntel", 12) == 0)
			cpu->vendor = LINUX_VENDOR_INTEL;
		else if (strncmp(v, "AuthenticAMD", 12) == 0 ||
			 strncmp(v, "HygonGenuine", 12) == 0)
			cpu->vendor = LINUX_VENDOR_AMD;
	}
	if ((v = cpuinfo_value(text, "cpu family")) != NULL)
		cpu->family = (unsigned)strtoul(v, NULL, 10);
	if ((v = cpuinfo_value(text, "model")) != NULL)
		cpu->model = (unsigned)strtoul(v, NULL, 10);
}

static uint32_t
kind_read_midr(const struct topology *t, const char *root, unsigned kind)
{
	for (unsigned i = 0; i < t->ncpus; i++) {
		char path[80];
		int64_t midr;

		snprintf(
			path, sizeof path,
			"/sys/devices/system/cpu/cpu%d/regs/identification/midr_el1",
			t->cpu[i].id);
		if (t->cpu[i].kind == kind && sysfs_number(root, path, &midr))
			return (uint32_t)midr;
	}
	return 0;
}

static void
fixed_event_code(const struct perf_kind *k, const char *native,
		 const char *alias, uint64_t generic, struct perf_code *out)
{
	if (native != NULL && kind_resolve_event(k, native, out))
		return;
	if (k->family->cycles == NULL &&
	    pmu_linux_alias(&k->pmu, alias, NULL, out, NULL))
		return;
	*out = (struct perf_code){ .type = PERF_TYPE_HARDWARE,
				   .config = generic };
}

void
catalog_find_kinds(struct perf_catalog *c, const struct topology *t,
		   const char *root)
{
	struct linux_cpu cpu = { .pmu_name = "" };

	read_cpu_model(root, &cpu);
	for (unsigned i = 0; i < c->nkinds; i++) {
		struct perf_kind *k = &c->kind[i];
		const char *pmu = t->kind[i].pmu;

		k->family = &linux_generic;
		k->counts =
			pmu[0] != '\0' && pmu_linux_open(&k->pmu, root, pmu);
		cpu.pmu = k->pmu.name;
		cpu.pmu_name = k->pmu.kernel_name;
		if (cpu.vendor == LINUX_VENDOR_OTHER)
			cpu.midr = kind_read_midr(t, root, i);
		if (k->counts)
			k->family = linux_pmu_find(&cpu);
		fixed_event_code(k, k->family->cycles, "cpu-cycles",
				 PERF_COUNT_HW_CPU_CYCLES, &k->cycles);
		fixed_event_code(k, k->family->instructions, "instructions",
				 PERF_COUNT_HW_INSTRUCTIONS, &k->instructions);
	}
}
