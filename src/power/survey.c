/* ktop doctor: lists the channels of Macs unknown to ktop. */
#include "power/ioreport.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/plural.h"
#include "base/report.h"

enum { GROUPS = 64, TEXT = 64, UNITS = 48, NAMES = 240, LINE = 480 };

struct group {
	char name[TEXT], subgroup[TEXT];
	unsigned channels, used;
	uint32_t formats;
	char units[UNITS];
	char others[NAMES]; /* names that are not used, `#` for a number */
	bool more;
};

struct survey {
	const struct ioreport_api *api;
	unsigned n;
	struct group group[GROUPS];
};

static void
text_get(const struct ioreport_api *api, const void *string, char out[TEXT])
{
	if (string == NULL ||
	    !api->CFStringGetCString(string, out, TEXT, IOREPORT_UTF8))
		out[0] = '\0';
}

/* "MCPU0_3" becomes "MCPU#_#". */
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

/* Adds a word once; false: no space left. */
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
	const struct ioreport_api *a = s->api;
	char group[TEXT], subgroup[TEXT], name[TEXT], unit[TEXT], plain[TEXT];
	struct power_rail rail;

	text_get(a, a->IOReportChannelGetGroup(channel), group);
	text_get(a, a->IOReportChannelGetSubGroup(channel), subgroup);
	text_get(a, a->IOReportChannelGetChannelName(channel), name);
	text_get(a, a->IOReportChannelGetUnitLabel(channel), unit);
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

/* Some channels are listed, but cannot be subscribed to. */
static bool
group_can_subscribe(const struct ioreport_api *a, const struct group *g)
{
	const void *name =
		a->CFStringCreateWithCString(NULL, g->name, IOREPORT_UTF8);
	const void *sub =
		a->CFStringCreateWithCString(NULL, g->subgroup, IOREPORT_UTF8);
	void *wanted = a->IOReportCopyChannelsInGroup(
		name, g->subgroup[0] != '\0' ? sub : NULL, 0, 0, 0);
	void *channels = NULL;
	void *handle = wanted != NULL
			       ? a->IOReportCreateSubscription(
					 NULL, wanted, &channels, 0, NULL)
			       : NULL;

	a->CFRelease(name);
	a->CFRelease(sub);
	if (wanted != NULL)
		a->CFRelease(wanted);
	if (channels != NULL)
		a->CFRelease(channels);
	if (handle != NULL)
		a->CFRelease(handle);
	return handle != NULL;
}

/* Groups that have energy, clocks or traffic. */
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
group_say(const struct ioreport_api *a, const struct group *g, FILE *out)
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
		   group_can_subscribe(a, g) ? "can be subscribed to"
					     : "cannot be subscribed to");
	if (g->others[0] != '\0')
		buf_printf(&b, "; not used: %s%s", g->others,
			   g->more ? " ..." : "");
	report_line(out, head, "%s", buf_cstr(&b));
}

void
ioreport_survey(const struct ioreport_api *api, FILE *out)
{
	struct survey *s = calloc(1, sizeof *s);
	void *all = NULL;

	if (s != NULL && api->IOReportCopyAllChannels != NULL)
		all = api->IOReportCopyAllChannels(0, 0);
	if (all != NULL) {
		const void *key = api->CFStringCreateWithCString(
			NULL, "IOReportChannels", IOREPORT_UTF8);
		const void *list = api->CFDictionaryGetValue(all, key);
		long n = list != NULL ? api->CFArrayGetCount(list) : 0;

		s->api = api;
		for (long i = 0; i < n; i++)
			survey_take_channel(
				s, api->CFArrayGetValueAtIndex(list, i));
		for (unsigned i = 0; i < s->n; i++)
			if (group_matters(&s->group[i]))
				group_say(api, &s->group[i], out);
		api->CFRelease(key);
		api->CFRelease(all);
	}
	free(s);
}
