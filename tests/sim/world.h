/* A kernel of its own and callers, for tests at the level of sysctls. */
#ifndef TESTS_SIM_WORLD_H
#define TESTS_SIM_WORLD_H

#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <cmocka.h>

#include "sim/kernel.h"

struct world {
	struct sim_spec spec;
	struct sim_state state;
	struct sim_kernel k;
	struct sim_caller a, b, user; /* two root processes and one of 501 */
};

/* It lives until four more were made. */
static inline struct world *
world_new(const char *text)
{
	static struct world *made[4];
	static unsigned n;
	struct world **at = &made[n++ % 4], *w = calloc(1, sizeof(*w));
	struct err e;

	assert_non_null(w);
	if (*at != NULL)
		sim_kernel_free(&(*at)->k);
	free(*at);
	*at = w;
	if (!sim_spec_parse(&w->spec, text, &e) ||
	    !sim_kernel_init(&w->k, &w->state, false, &w->spec, &e))
		fail_msg("%s: %s", text, e.text);
	w->a = (struct sim_caller){
		.pid = 100, .born = 7, .task = 1, .thread = 1, .cpu = 4
	};
	w->b = (struct sim_caller){
		.pid = 200, .born = 8, .task = 2, .thread = 2, .cpu = 1
	};
	w->user = w->b;
	w->user.pid = 300;
	w->user.task = 3;
	w->user.euid = 501;
	return w;
}

/* Whole seconds and milliseconds pass (clock=step). */
static inline void
wait_ms(struct world *w, int64_t ms)
{
	sim_kernel_step(&w->k, w->state.time.awake_ns + ms * 1000000);
}

static inline int
set32(struct world *w, const struct sim_caller *who, const char *name,
      uint32_t value)
{
	return sim_kernel_sysctl(&w->k, who, name, NULL, NULL, &value,
				 sizeof(value));
}

static inline int
get32(struct world *w, const struct sim_caller *who, const char *name,
      uint32_t *value)
{
	size_t size = sizeof(*value);

	return sim_kernel_sysctl(&w->k, who, name, value, &size, NULL, 0);
}

static inline uint32_t
value32(struct world *w, const struct sim_caller *who, const char *name)
{
	uint32_t value = 0xdead;

	OK(get32(w, who, name, &value));
	return value;
}

static inline uint32_t
count32(struct world *w, const struct sim_caller *who, const char *name,
	uint32_t classes)
{
	uint32_t n = 0xdead;
	size_t size = sizeof(n);

	OK(sim_kernel_sysctl(&w->k, who, name, &n, &size, &classes,
			     sizeof(classes)));
	return n;
}

static inline uint32_t
counters_n(struct world *w, uint32_t classes)
{
	return count32(w, &w->user, "kpc.counter_count", classes);
}

static inline uint32_t
configs_n(struct world *w, uint32_t classes)
{
	return count32(w, &w->user, "kpc.config_count", classes);
}

static inline int
force(struct world *w, const struct sim_caller *who, uint32_t on)
{
	return set32(w, who, "kpc.force_all_ctrs", on);
}

static inline uint32_t
counting(struct world *w, const struct sim_caller *who)
{
	return value32(w, who, "kpc.counting");
}

static inline int
config_set(struct world *w, const struct sim_caller *who, uint32_t classes,
	   const uint64_t *words, size_t n)
{
	uint64_t in[32] = { classes };

	memcpy(in + 1, words, n * sizeof(*words));
	return sim_kernel_sysctl(&w->k, who, "kpc.config", NULL, NULL, in,
				 (1 + n) * sizeof(*in));
}

/* n times the same word */
static inline int
config_fill(struct world *w, const struct sim_caller *who, uint32_t classes,
	    uint64_t word, size_t n)
{
	uint64_t words[24];

	for (size_t i = 0; i < n; i++)
		words[i] = word;
	return config_set(w, who, classes, words, n);
}

static inline int
config_get(struct world *w, const struct sim_caller *who, uint32_t classes,
	   uint64_t *words, size_t max)
{
	uint64_t in = classes;
	size_t size = max * sizeof(*words);

	return sim_kernel_sysctl(&w->k, who, "kpc.config", words, &size, &in,
				 sizeof(in));
}

/* *size is the room in bytes, and comes back as the kernel leaves it. */
static inline int
counters(struct world *w, const struct sim_caller *who, uint32_t classes,
	 uint64_t *out, size_t *size)
{
	return sim_kernel_sysctl(&w->k, who, "kpc.counters", out, size,
				 &classes, sizeof(classes));
}

#define ALL 0x80000000u

/* All rows of all CPUs, without the first word. */
static inline void
rows(struct world *w, const struct sim_caller *who, uint32_t classes,
     uint64_t *out)
{
	uint64_t buf[SIM_BUFFER_LEN];
	size_t size = sizeof(buf);

	OK(counters(w, who, classes | ALL, buf, &size));
	memcpy(out, buf + 1, size - sizeof(*buf));
}

#endif
