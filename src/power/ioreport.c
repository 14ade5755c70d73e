#include "power/ioreport.h"

#include "base/buf.h"
#include "base/plural.h"
#include "base/report.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 64 }; /* the longest known name has 27 bytes */

/* IOReportElement: size, offset of the time (XNU: IOKernelReportStructs.h). */
enum { ELEMENT_SIZE = 64, ELEMENT_TIME = 24 };

struct subscription {
	void *handle, *channels;
};

struct ioreport {
	struct power_source source;
	const struct ioreport_api *api;
	/* Two subscriptions, as sampling memory controllers causes traffic. */
	struct subscription main, controller;
	const void *channels_key, *elements_key;
	bool has_clusters;
	double end_states_s[POWER_RAILS]
			   [2];       /* seconds in lowest, highest range */
	unsigned nsteps[POWER_RAILS]; /* 0: unknown */
	double mhz[POWER_RAILS][32];
	int heat; /* index of the thermal pressure's rail; -1: none */
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

static long
channels_filter(struct ioreport *r, void *dictionary)
{
	const struct ioreport_api *a = r->api;
	const void *list = a->CFDictionaryGetValue(dictionary, r->channels_key);
	long n = list != NULL ? a->CFArrayGetCount(list) : 0;

	for (long i = n - 1; i >= 0; i--) {
		struct power_rail rail;

		if (channel_rail(r, a->CFArrayGetValueAtIndex(list, i),
				 &rail)) {
			r->has_clusters |= rail.what == POWER_CLUSTER;
			continue;
		}
		a->CFArrayRemoveValueAtIndex(list, i);
		n--;
	}
	return n;
}

static void *
copy_group(const struct ioreport *r, const char *group, const char *subgroup)
{
	const struct ioreport_api *a = r->api;
	const void *g = string_new(r, group), *s = string_new(r, subgroup);
	void *all = a->IOReportCopyChannelsInGroup(
		g, subgroup[0] != '\0' ? s : NULL, 0, 0, 0);

	a->CFRelease(g);
	a->CFRelease(s);
	return all;
}

static void
add_group(struct ioreport *r, void **to, const char *group,
	  const char *subgroup)
{
	void *more = copy_group(r, group, subgroup);

	if (more == NULL)
		return;
	if (channels_filter(r, more) > 0 && *to == NULL) {
		*to = more;
		return;
	}
	if (*to != NULL)
		r->api->IOReportMergeChannels(*to, more, NULL);
	r->api->CFRelease(more);
}

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

static int
source_find_rail(const struct ioreport *r, const struct power_rail *rail)
{
	for (unsigned i = 0; i < r->source.nrails; i++) {
		const struct power_rail *k = &r->source.rail[i];

		if (k->what == rail->what && strcmp(k->name, rail->name) == 0)
			return (int)i;
	}
	return -1;
}

/* ns; 0: none */
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

/* Parses "  32GB/s"; -1: invalid. */
static double
bucket_gbs(const char *name)
{
	char *end;
	double gbs = strtod(name, &end);

	return end != name && strstr(end, "GB/s") != NULL ? gbs : -1;
}

/* Sums the upper end of each range (GB/s) times the time in the range. */
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
	double *end = r->end_states_s[rail];

	if (at_high > end[1])
		out->marks |= POWER_AT_LEAST;
	/* A low range, such as 1 GB/s for requestors, needs no mark. */
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

static unsigned
channel_active_states(const struct ioreport *r, const void *channel,
		      double active_s[32])
{
	const struct ioreport_api *a = r->api;
	int32_t n = a->IOReportStateGetCount(channel);
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
	return active;
}

static void
read_clock(struct ioreport *r, const void *channel, unsigned rail,
	   int64_t now_ns, struct power_reading *out)
{
	double active_s[32];
	unsigned active = channel_active_states(r, channel, active_s);

	if (active == 0 || active != r->nsteps[rail])
		return;
	for (unsigned i = 0; i < active; i++) {
		out->total += r->mhz[rail][i] * 1e6 * active_s[i];
		out->weight += active_s[i];
	}
	out->have = true;
	out->at_ns = now_ns;
}

/* Rails are the channels of the first sample: a subscription may omit some. */
static void
channel_take_rail(struct ioreport *r, const void *channel,
		  const struct power_rail *rail)
{
	unsigned at = r->source.nrails;
	double active_s[32];

	if (at == POWER_RAILS)
		return;
	r->source.rail[r->source.nrails++] = *rail;
	if (rail->what == POWER_CLOCK)
		r->nsteps[at] = ioreport_steps(
			r->api, rail->letter, (unsigned)rail->nth,
			channel_active_states(r, channel, active_s),
			r->mhz[at]);
}

/* False: the library has no sample. out NULL: makes rails, reads nothing. */
static bool
subscription_read(struct ioreport *r, const struct subscription *s,
		  int64_t now_ns, struct power_reading *out)
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

	for (long i = 0; i < n; i++) {
		const void *channel = a->CFArrayGetValueAtIndex(list, i);
		struct power_rail rail;

		if (!channel_rail(r, channel, &rail))
			continue;
		int at = source_find_rail(r, &rail);

		if (out == NULL && at < 0)
			channel_take_rail(r, channel, &rail);
		else if (out == NULL || at < 0)
			continue;
		else if (rail.what == POWER_CLOCK)
			read_clock(r, channel, (unsigned)at, now_ns, &out[at]);
		else if (rail.what == POWER_TRAFFIC)
			read_traffic(r, channel, (unsigned)at, now_ns,
				     &out[at]);
		else
			read_simple(r, channel, &out[at]);
	}
	a->CFRelease(sample);
	return true;
}

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

	bool main = subscription_read(r, &r->main, now_ns, out);

	if (r->heat >= 0)
		read_heat(r, now_ns, &out[r->heat]);
	return (subscription_read(r, &r->controller, now_ns, out) && main) ||
	       err_set(e, ERR_FAIL, "IOReport returned no sample");
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

/* The total of the memory controller would count the traffic of its requestors
 * twice. */
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

enum { GROUPS = 64, UNITS = 48, NAMES = 240, LINE = 480 };

struct group {
	char name[TEXT], subgroup[TEXT];
	unsigned channels, used;
	uint32_t formats;
	char units[UNITS];
	char others[NAMES];
	bool more;
};

struct survey {
	const struct ioreport *r;
	unsigned n;
	struct group group[GROUPS];
};

static void
name_generalise(const char *name, char out[TEXT])
{
	size_t n = 0;

	while (*name != '\0') {
		bool digit = isdigit((unsigned char)*name) != 0;

		out[n++] = digit ? '#' : *name;
		name += digit ? strspn(name, "0123456789abcdef") : 1;
	}
	out[n] = '\0';
}

static bool
words_add(char *list, size_t size, const char *word, const char *separator)
{
	size_t n = strlen(list), len = strlen(word);
	const char *at = list;

	while ((at = strstr(at, word)) != NULL) {
		bool begins = at == list || strchr(separator, at[-1]) != NULL;

		if (begins &&
		    (at[len] == '\0' || strchr(separator, at[len]) != NULL))
			return true;
		at++;
	}
	if (n + len + 3 > size)
		return false;
	snprintf(list + n, size - n, "%s%s", n > 0 ? separator : "", word);
	return true;
}

static struct group *
survey_find_group(struct survey *s, const char *name, const char *subgroup)
{
	for (unsigned i = 0; i < s->n; i++)
		if (strcmp(s->group[i].name, name) == 0 &&
		    strcmp(s->group[i].subgroup, subgroup) == 0)
			return &s->group[i];
	if (s->n == GROUPS)
		return NULL;
	struct group *g = &s->group[s->n++];

	snprintf(g->name, sizeof g->name, "%s", name);
	snprintf(g->subgroup, sizeof g->subgroup, "%s", subgroup);
	return g;
}

static void
survey_take_channel(struct survey *s, const void *channel)
{
	const struct ioreport_api *a = s->r->api;
	char group[TEXT], subgroup[TEXT], name[TEXT], unit[TEXT], plain[TEXT];
	struct power_rail rail;

	string_text(s->r, a->IOReportChannelGetGroup(channel), group);
	string_text(s->r, a->IOReportChannelGetSubGroup(channel), subgroup);
	string_text(s->r, a->IOReportChannelGetChannelName(channel), name);
	string_text(s->r, a->IOReportChannelGetUnitLabel(channel), unit);
	struct group *g = survey_find_group(s, group, subgroup);

	if (g == NULL)
		return;
	g->channels++;
	if (a->IOReportChannelGetFormat != NULL)
		g->formats |= 1u << (a->IOReportChannelGetFormat(channel) & 31);
	if (unit[0] != '\0')
		(void)words_add(g->units, sizeof g->units, unit, " ");
	if (ioreport_rail(group, subgroup, name, &rail)) {
		g->used++;
		return;
	}
	name_generalise(name, plain);
	if (!words_add(g->others, sizeof g->others, plain, ", "))
		g->more = true;
}

static bool
group_can_subscribe(const struct ioreport *r, const struct group *g)
{
	struct subscription s;
	bool can =
		channels_subscribe(r, copy_group(r, g->name, g->subgroup), &s);

	close_subscription(r, &s);
	return can;
}

static bool
group_matters(const struct group *g)
{
	return g->used > 0 || strcmp(g->name, "Energy Model") == 0 ||
	       strcmp(g->name, "AMC Stats") == 0 ||
	       (strncmp(g->name, "PMP", 3) == 0 &&
		strstr(g->subgroup, "BW") != NULL) ||
	       (strcmp(g->name, "CPU Stats") == 0 &&
		strstr(g->subgroup, "Complex") != NULL);
}

static void
group_print(const struct ioreport *r, const struct group *g, FILE *out)
{
	static const char *const format[] = { NULL, "simple", "state",
					      "histogram", "array" };
	char text[LINE], head[2 * TEXT + 3];
	struct buf b = buf_over(text, sizeof text);

	snprintf(head, sizeof head, "%s%s%s", g->name,
		 g->subgroup[0] != '\0' ? " / " : "", g->subgroup);
	buf_printf(&b, "%u %s", g->channels,
		   plural(g->channels, "channel", "channels"));
	for (unsigned i = 1; i < sizeof format / sizeof format[0]; i++)
		if ((g->formats >> i & 1) != 0)
			buf_printf(&b, ", %s", format[i]);
	buf_printf(&b, "%s%s, %u used, %s", g->units[0] != '\0' ? " in " : "",
		   g->units, g->used,
		   group_can_subscribe(r, g) ? "can be subscribed to"
					     : "cannot be subscribed to");
	if (g->others[0] != '\0')
		buf_printf(&b, "; not used: %s%s", g->others,
			   g->more ? " ..." : "");
	report_line(out, head, "%s", buf_cstr(&b));
}

static void
ioreport_describe(const struct power_source *source, FILE *out)
{
	const struct ioreport *r = (const struct ioreport *)source;
	const struct ioreport_api *a = r->api;
	struct survey *s = calloc(1, sizeof *s);
	void *all = s != NULL && a->IOReportCopyAllChannels != NULL
			    ? a->IOReportCopyAllChannels(0, 0)
			    : NULL;
	const void *list =
		all != NULL ? a->CFDictionaryGetValue(all, r->channels_key)
			    : NULL;
	long n = list != NULL ? a->CFArrayGetCount(list) : 0;

	for (long i = 0; i < n; i++) {
		s->r = r;
		survey_take_channel(s, a->CFArrayGetValueAtIndex(list, i));
	}
	for (unsigned i = 0; n > 0 && i < s->n; i++)
		if (group_matters(&s->group[i]))
			group_print(r, &s->group[i], out);
	if (all != NULL)
		a->CFRelease(all);
	free(s);
}

static const struct power_ops ioreport_ops = { .read = ioreport_read,
					       .close = ioreport_close,
					       .describe = ioreport_describe };

/* Traffic is in one of three groups. Only the first, AMC Stats, is exact. */
static void
channels_add_traffic(struct ioreport *r, void **wanted)
{
	static const char *const pmp[] = { "PMP", "PMP0", "PMP1" };

	void *exact = NULL;

	add_group(r, &exact, "AMC Stats", "Perf Counters");
	if (channels_subscribe(r, exact, &r->controller))
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
		return err_null(e, ERR_FAIL,
				"out of memory for energy readings");
	r->source.ops = &ioreport_ops;
	r->source.slow = true;
	r->api = api;
	r->channels_key = string_new(r, "IOReportChannels");
	r->elements_key = string_new(r, "RawElements");
	add_group(r, &wanted, "Energy Model", "");
	/* The M1 has cluster rails in group PMP only. */
	if (!r->has_clusters)
		add_group(r, &wanted, "PMP", "Energy Counters");
	add_group(r, &wanted, "CPU Stats", "CPU Complex Performance States");
	channels_add_traffic(r, &wanted);
	(void)channels_subscribe(r, wanted, &r->main);
	(void)subscription_read(r, &r->main, 0, NULL);
	(void)subscription_read(r, &r->controller, 0, NULL);
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
