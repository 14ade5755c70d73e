#include "power/ioreport.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 64 }; /* longest name seen: 27 */

/* XNU's struct IOReportElement (IOKernelReportStructs.h) has the time. */
enum { ELEMENT_SIZE = 64, ELEMENT_TIME = 24 };

struct subscription {
	void *handle, *channels;
};

struct ioreport {
	struct power_source source;
	const struct ioreport_api *api;
	/* Sampling the memory controllers causes traffic, so they have a
	 * separate subscription. */
	struct subscription main, controller;
	const void *channels_key, *elements_key;
	double end_ticks[POWER_RAILS][2]; /* in the lowest, highest bucket */
	struct {
		char letter;
		unsigned nth, n;
		double mhz[32];
	} steps[8];
	unsigned nsteps;
	int heat; /* its rail; -1: none */
	double heat_total;
	int64_t heat_ns;
};

static void
string_text(const struct ioreport *r, const void *string, char out[TEXT])
{
	out[0] = '\0';
	if (string != NULL &&
	    !r->api->CFStringGetCString(string, out, TEXT, IOREPORT_UTF8))
		out[0] = '\0';
}

static const void *
string_new(const struct ioreport *r, const char *text)
{
	return r->api->CFStringCreateWithCString(NULL, text, IOREPORT_UTF8);
}

static bool
channel_rail(const struct ioreport *r, const void *channel,
	     struct power_rail *out)
{
	char group[TEXT], subgroup[TEXT], name[TEXT];

	string_text(r, r->api->IOReportChannelGetGroup(channel), group);
	string_text(r, r->api->IOReportChannelGetSubGroup(channel), subgroup);
	string_text(r, r->api->IOReportChannelGetChannelName(channel), name);
	return ioreport_rail(group, subgroup, name, out);
}

/* Returns the number of channels left. */
static long
channels_filter(const struct ioreport *r, void *dictionary)
{
	const struct ioreport_api *a = r->api;
	const void *list = a->CFDictionaryGetValue(dictionary, r->channels_key);
	long n = list != NULL ? a->CFArrayGetCount(list) : 0;

	for (long i = n - 1; i >= 0; i--) {
		struct power_rail rail;

		if (channel_rail(r, a->CFArrayGetValueAtIndex(list, i), &rail))
			continue;
		a->CFArrayRemoveValueAtIndex(list, i);
		n--;
	}
	return n;
}

/* NULL: no such group, or none of its channels is used. */
static void *
copy_group(const struct ioreport *r, const char *group, const char *subgroup)
{
	const struct ioreport_api *a = r->api;
	const void *g = string_new(r, group);
	const void *s = subgroup[0] != '\0' ? string_new(r, subgroup) : NULL;
	void *all = a->IOReportCopyChannelsInGroup(g, s, 0, 0, 0);

	a->CFRelease(g);
	if (s != NULL)
		a->CFRelease(s);
	if (all != NULL && channels_filter(r, all) == 0) {
		a->CFRelease(all);
		return NULL;
	}
	return all;
}

static void
add_group(const struct ioreport *r, void **to, const char *group,
	  const char *subgroup)
{
	void *more = copy_group(r, group, subgroup);

	if (more != NULL && *to != NULL) {
		r->api->IOReportMergeChannels(*to, more, NULL);
		r->api->CFRelease(more);
	} else if (more != NULL) {
		*to = more;
	}
}

/* Releases `wanted`. */
static bool
channels_subscribe(const struct ioreport *r, void *wanted,
		   struct subscription *out)
{
	*out = (struct subscription){ NULL, NULL };
	if (wanted == NULL)
		return false;
	out->handle = r->api->IOReportCreateSubscription(
		NULL, wanted, &out->channels, 0, NULL);
	r->api->CFRelease(wanted);
	return out->handle != NULL;
}

static const struct power_rail *
source_find_rail(const struct ioreport *r, const struct power_rail *rail,
		 unsigned *at)
{
	for (unsigned i = 0; i < r->source.nrails; i++) {
		const struct power_rail *k = &r->source.rail[i];

		if (k->what == rail->what && strcmp(k->name, rail->name) == 0) {
			*at = i;
			return k;
		}
	}
	return NULL;
}

/* In ns; 0: the channel has no time. */
static int64_t
channel_time(const struct ioreport *r, const void *channel)
{
	const struct ioreport_api *a = r->api;
	const void *data = a->CFDictionaryGetValue(channel, r->elements_key);
	uint64_t ticks;

	if (data == NULL || a->CFDataGetLength(data) < ELEMENT_SIZE)
		return 0;
	memcpy(&ticks, a->CFDataGetBytePtr(data) + ELEMENT_TIME, sizeof ticks);
	double ns = (double)ticks * a->numer / a->denom;

	return ns < 9e18 ? (int64_t)(ticks / a->denom * a->numer +
				     ticks % a->denom * a->numer / a->denom)
			 : INT64_MAX;
}

static void
read_simple(const struct ioreport *r, const void *channel,
	    struct power_reading *out)
{
	int64_t value = r->api->IOReportSimpleGetIntegerValue(channel, 0);
	char label[TEXT];

	string_text(r, r->api->IOReportChannelGetUnitLabel(channel), label);
	double unit = ioreport_unit(label);

	if (value == INT64_MIN || unit <= 0)
		return;
	out->have = true;
	out->total = (double)value * unit;
	out->at_ns = channel_time(r, channel);
}

/* "  32GB/s"; less than 0: no number. */
static double
bucket_gbs(const char *name)
{
	char *end;
	double gbs = strtod(name, &end);

	return end != name && strstr(end, "GB/s") != NULL ? gbs : -1;
}

/* A range of bytes a second counts as its upper end. */
static void
read_traffic(struct ioreport *r, const void *channel, unsigned rail,
	     int64_t now_ns, struct power_reading *out)
{
	const struct ioreport_api *a = r->api;
	double low = INFINITY, high = -1, at_low = 0, at_high = 0;
	int32_t n = a->IOReportStateGetCount(channel);

	for (int32_t i = 0; i < n; i++) {
		char name[TEXT];

		string_text(r, a->IOReportStateGetNameForIndex(channel, i),
			    name);
		double gbs = bucket_gbs(name);
		double s =
			(double)a->IOReportStateGetResidency(channel, i) / 24e6;

		if (gbs < 0)
			continue;
		if (gbs < low) {
			low = gbs;
			at_low = s;
		}
		if (gbs > high) {
			high = gbs;
			at_high = s;
		}
		out->total += gbs * 1e9 * s;
		out->weight += s;
	}
	out->have = high >= 0;
	out->at_ns = now_ns;
	double *end = r->end_ticks[rail];

	if (at_high > end[1])
		out->marks |= POWER_AT_LEAST;
	/* Ranges of single requestors begin at 1 GB/s: no bound. */
	if (low > 8 && at_low > end[0])
		out->marks |= POWER_AT_MOST;
	end[0] = at_low;
	end[1] = at_high;
}

static bool
state_is_idle(const char *state)
{
	return strcmp(state, "IDLE") == 0 || strcmp(state, "DOWN") == 0 ||
	       strcmp(state, "OFF") == 0;
}

static const double *
clock_steps(struct ioreport *r, const struct power_rail *rail, unsigned active)
{
	for (unsigned i = 0; i < r->nsteps; i++)
		if (r->steps[i].letter == rail->letter &&
		    r->steps[i].nth == (unsigned)rail->nth)
			return r->steps[i].n == active ? r->steps[i].mhz : NULL;
	if (r->nsteps == sizeof r->steps / sizeof r->steps[0])
		return NULL;
	unsigned at = r->nsteps++;

	r->steps[at].letter = rail->letter;
	r->steps[at].nth = (unsigned)rail->nth;
	r->steps[at].n =
		ioreport_steps(r->api, rail->letter, (unsigned)rail->nth,
			       active, r->steps[at].mhz);
	return r->steps[at].n == active && active > 0 ? r->steps[at].mhz : NULL;
}

static void
read_clock(struct ioreport *r, const void *channel,
	   const struct power_rail *rail, int64_t now_ns,
	   struct power_reading *out)
{
	const struct ioreport_api *a = r->api;
	int32_t n = a->IOReportStateGetCount(channel);
	double active_s[32];
	unsigned active = 0;

	for (int32_t i = 0; i < n && active < 32; i++) {
		char name[TEXT];

		string_text(r, a->IOReportStateGetNameForIndex(channel, i),
			    name);
		if (!state_is_idle(name))
			active_s[active++] =
				(double)a->IOReportStateGetResidency(channel,
								     i) /
				24e6;
	}
	const double *mhz = clock_steps(r, rail, active);

	if (mhz == NULL)
		return;
	for (unsigned i = 0; i < active; i++) {
		out->total += mhz[i] * 1e6 * active_s[i];
		out->weight += active_s[i];
	}
	out->have = true;
	out->at_ns = now_ns;
}

static void
read_channel(struct ioreport *r, const void *channel, int64_t now_ns,
	     struct power_reading out[POWER_RAILS])
{
	struct power_rail rail;
	unsigned at;

	if (!channel_rail(r, channel, &rail) ||
	    source_find_rail(r, &rail, &at) == NULL)
		return;
	if (rail.what == POWER_CLOCK)
		read_clock(r, channel, &rail, now_ns, &out[at]);
	else if (rail.what == POWER_TRAFFIC)
		read_traffic(r, channel, at, now_ns, &out[at]);
	else
		read_simple(r, channel, &out[at]);
}

/* False: the library returned no sample. */
static bool
each_channel(struct ioreport *r, const struct subscription *s,
	     void (*take)(struct ioreport *r, const void *channel, void *to,
			  int64_t now_ns),
	     void *to, int64_t now_ns)
{
	const struct ioreport_api *a = r->api;

	if (s->handle == NULL)
		return true;
	const void *sample =
		a->IOReportCreateSamples(s->handle, s->channels, NULL);

	if (sample == NULL)
		return false;
	const void *list = a->CFDictionaryGetValue(sample, r->channels_key);
	long n = list != NULL ? a->CFArrayGetCount(list) : 0;

	for (long i = 0; i < n; i++)
		take(r, a->CFArrayGetValueAtIndex(list, i), to, now_ns);
	a->CFRelease(sample);
	return true;
}

static void
channel_take_reading(struct ioreport *r, const void *channel, void *to,
		     int64_t now_ns)
{
	read_channel(r, channel, now_ns, to);
}

/* The library sums levels over time: recover the level since the last reading.
 */
static void
read_heat(struct ioreport *r, int64_t now_ns, struct power_reading *out)
{
	int level = r->api->pressure();

	if (r->heat_ns != 0 && level > 0)
		r->heat_total += level * (double)(now_ns - r->heat_ns) * 1e-9;
	r->heat_ns = now_ns;
	out->have = level >= 0;
	out->total = r->heat_total;
	out->at_ns = now_ns;
}

static bool
ioreport_read(struct power_source *s, int64_t now_ns,
	      struct power_reading out[POWER_RAILS], struct err *e)
{
	struct ioreport *r = (struct ioreport *)s;

	bool main =
		each_channel(r, &r->main, channel_take_reading, out, now_ns);

	if (r->heat >= 0)
		read_heat(r, now_ns, &out[r->heat]);

	return (each_channel(r, &r->controller, channel_take_reading, out,
			     now_ns) &&
		main) ||
	       err_set(e, ERR_FAIL, "IOReport gives no sample");
}

/* A subscription may omit channels: rails are those of the first sample. */
static void
channel_take_rail(struct ioreport *r, const void *channel, void *to,
		  int64_t now_ns)
{
	struct power_source *s = &r->source;
	struct power_rail rail;
	unsigned at;

	(void)to;
	(void)now_ns;
	if (s->nrails < POWER_RAILS && channel_rail(r, channel, &rail) &&
	    source_find_rail(r, &rail, &at) == NULL)
		s->rail[s->nrails++] = rail;
}

static bool
source_has(const struct ioreport *r, enum power_what what, bool requestor)
{
	for (unsigned i = 0; i < r->source.nrails; i++)
		if (r->source.rail[i].what == what &&
		    (!requestor || r->source.rail[i].letter != '*'))
			return true;
	return false;
}

/* The whole controller's traffic includes its requestors'. */
static void
drop_controller(struct ioreport *r)
{
	struct power_source *s = &r->source;
	unsigned n = 0;

	if (!source_has(r, POWER_TRAFFIC, true))
		return;
	for (unsigned i = 0; i < s->nrails; i++)
		if (s->rail[i].letter != '*')
			s->rail[n++] = s->rail[i];
	s->nrails = n;
}

static void
close_subscription(const struct ioreport *r, struct subscription *s)
{
	if (s->handle != NULL)
		r->api->CFRelease(s->handle);
	if (s->channels != NULL)
		r->api->CFRelease(s->channels);
	*s = (struct subscription){ NULL, NULL };
}

static void
ioreport_close(struct power_source *s)
{
	struct ioreport *r = (struct ioreport *)s;

	close_subscription(r, &r->main);
	close_subscription(r, &r->controller);
	r->api->CFRelease(r->channels_key);
	r->api->CFRelease(r->elements_key);
	free(r);
}

static void
ioreport_describe(const struct power_source *s, FILE *out)
{
	ioreport_survey(((const struct ioreport *)s)->api, out);
}

static const struct power_ops ioreport_ops = { .name = "IOReport",
					       .read = ioreport_read,
					       .close = ioreport_close,
					       .describe = ioreport_describe };

/* The M1 has cluster rails in group PMP only. */
static bool
channels_have_cluster(const struct ioreport *r, void *wanted)
{
	const struct ioreport_api *a = r->api;
	const void *list =
		wanted != NULL
			? a->CFDictionaryGetValue(wanted, r->channels_key)
			: NULL;
	long n = list != NULL ? a->CFArrayGetCount(list) : 0;
	struct power_rail rail;

	for (long i = 0; i < n; i++)
		if (channel_rail(r, a->CFArrayGetValueAtIndex(list, i),
				 &rail) &&
		    rail.what == POWER_CLUSTER)
			return true;
	return false;
}

/* Three layouts exist; the exact one is tried first. */
static void
channels_add_traffic(struct ioreport *r, void **wanted)
{
	static const char *const pmp[] = { "PMP", "PMP0", "PMP1" };

	if (channels_subscribe(r, copy_group(r, "AMC Stats", "Perf Counters"),
			       &r->controller))
		return;
	for (unsigned i = 0; i < 3; i++)
		add_group(r, wanted, pmp[i], "DCS BW");
	add_group(r, wanted, "PMP", "DRAM BW");
}

static void
source_say_what_lacks(struct ioreport *r)
{
	struct power_source *s = &r->source;

	if (!source_has(r, POWER_CPU, false) &&
	    !source_has(r, POWER_CLUSTER, false))
		snprintf(s->no_energy, sizeof s->no_energy,
			 "this macOS publishes no energy of the CPU");
	if (!source_has(r, POWER_READ, false) &&
	    !source_has(r, POWER_TRAFFIC, false))
		snprintf(s->no_traffic, sizeof s->no_traffic,
			 "this macOS publishes no memory bandwidth");
	if (!source_has(r, POWER_CLOCK, false))
		snprintf(s->no_clock, sizeof s->no_clock,
			 "this macOS publishes no requested clock");
}

static void
add_heat(struct ioreport *r)
{
	struct power_source *s = &r->source;

	r->heat = -1;
	if (r->api->pressure == NULL || r->api->pressure() < 0 ||
	    s->nrails == POWER_RAILS)
		return;
	r->heat = (int)s->nrails++;
	s->rail[r->heat] = (struct power_rail){ .name = "thermal pressure",
						.what = POWER_HEAT,
						.die = -1 };
}

struct power_source *
ioreport_open(const struct ioreport_api *api, struct err *e)
{
	struct ioreport *r = calloc(1, sizeof *r);
	void *wanted = NULL;

	if (r == NULL)
		return err_null(e, ERR_FAIL, "out of memory for the energy");
	r->source.ops = &ioreport_ops;
	r->source.slow = true;
	r->api = api;
	r->channels_key = string_new(r, "IOReportChannels");
	r->elements_key = string_new(r, "RawElements");
	add_group(r, &wanted, "Energy Model", "");
	if (!channels_have_cluster(r, wanted))
		add_group(r, &wanted, "PMP", "Energy Counters");
	add_group(r, &wanted, "CPU Stats", "CPU Complex Performance States");
	channels_add_traffic(r, &wanted);
	(void)channels_subscribe(r, wanted, &r->main);
	(void)each_channel(r, &r->main, channel_take_rail, NULL, 0);
	(void)each_channel(r, &r->controller, channel_take_rail, NULL, 0);
	drop_controller(r);
	source_say_what_lacks(r);
	add_heat(r);
	if (r->source.nrails > 0)
		return &r->source;
	err_set(e, ERR_NO_PMU,
		"this macOS publishes no energy, traffic or clock");
	ioreport_close(&r->source);
	return NULL;
}
