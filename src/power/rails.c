#include "power/ioreport.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Patterns match whole names: on the M5 Max all channels with "CPU" add up to
 * three times the CPUs' energy. `#`: a number, `?`: a number or nothing. */
static const struct {
	const char *group, *subgroup, *name;
	uint8_t what;
	char letter;
} rail_table[] = { { "Energy Model", "", "CPU Energy", POWER_CPU, 0 },
		   { "Energy Model", "", "EACC_CPU", POWER_CLUSTER, 'E' },
		   { "Energy Model", "", "PACC?_CPU", POWER_CLUSTER, 'P' },
		   { "Energy Model", "", "PCPU", POWER_CLUSTER, 'P' },
		   { "Energy Model", "", "MCPU#", POWER_CLUSTER, 'M' },
		   { "Energy Model", "", "DRAM?", POWER_DRAM, 0 },
		   { "Energy Model", "", "DRAM#_#", POWER_DRAM, 0 },
		   { "Energy Model", "", "GPU Energy", POWER_GPU, 0 },
		   { "Energy Model", "", "ANE?", POWER_ANE, 0 },
		   { "Energy Model", "", "ANE#_#", POWER_ANE, 0 },
		   { "PMP", "Energy Counters", "ANE", POWER_ANE, 0 },
		   { "PMP", "Energy Counters", "ECPU", POWER_CLUSTER, 'E' },
		   { "PMP", "Energy Counters", "PCPU", POWER_CLUSTER, 'P' },
		   { "CPU Stats", "CPU Complex Performance States", "ECPU?",
		     POWER_CLOCK, 'E' },
		   { "CPU Stats", "CPU Complex Performance States", "PCPU?",
		     POWER_CLOCK, 'P' },
		   { "CPU Stats", "CPU Complex Performance States", "MCPU?",
		     POWER_CLOCK, 'M' },
		   { "AMC Stats", "Perf Counters", "DCS RD", POWER_READ, 0 },
		   { "AMC Stats", "Perf Counters", "DCS WR", POWER_WRITE, 0 },
		   { "PMP?", "DCS BW", "EACC? RD+WR", POWER_TRAFFIC, 'E' },
		   { "PMP?", "DCS BW", "PACC? RD+WR", POWER_TRAFFIC, 'P' },
		   { "PMP?", "DCS BW", "MACC? RD+WR", POWER_TRAFFIC, 'M' },
		   { "PMP?", "DCS BW", "AGX? RD+WR", POWER_TRAFFIC, 0 },
		   { "PMP?", "DCS BW", "ISP? RD+WR", POWER_TRAFFIC, 0 },
		   { "PMP?", "DCS BW", "AVE? RD+WR", POWER_TRAFFIC, 0 },
		   { "PMP?", "DCS BW", "DISP? RD+WR", POWER_TRAFFIC, 0 },
		   { "PMP?", "DCS BW", "ANE? RD+WR", POWER_TRAFFIC, 0 },
		   /* The whole memory controller; drop_controller removes it if
		    * there are rails of its requestors. */
		   { "PMP?", "DCS BW", "AMCC RD+WR", POWER_TRAFFIC, '*' },
		   { "PMP", "DRAM BW", "F# RD", POWER_READ, 0 },
		   { "PMP", "DRAM BW", "F# WR", POWER_WRITE, 0 } };

static bool
pattern_number(const char **s, int8_t *out)
{
	char *end;

	if (**s < '0' || **s > '9')
		return false;
	long n = strtol(*s, &end, 10);

	*out = (int8_t)(n < 100 ? n : 100);
	*s = end;
	return true;
}

/* *nth: the last number in s; unchanged if s has none. */
static bool
pattern_matches(const char *pattern, const char *s, int8_t *nth)
{
	for (; *pattern != '\0'; pattern++) {
		if (*pattern == '#') {
			if (!pattern_number(&s, nth))
				return false;
		} else if (*pattern == '?') {
			(void)pattern_number(&s, nth);
		} else if (*s++ != *pattern) {
			return false;
		}
	}
	return *s == '\0';
}

bool
ioreport_rail(const char *group, const char *subgroup, const char *name,
	      struct power_rail *out)
{
	static const char die[] = "DIE_";
	const char *s = name;
	int8_t on = -1, ignored = 0;

	if (strncmp(s, die, sizeof die - 1) == 0) {
		s += sizeof die - 1;
		if (!pattern_number(&s, &on) || *s++ != '_')
			return false;
	}
	for (unsigned i = 0; i < sizeof rail_table / sizeof rail_table[0];
	     i++) {
		int8_t nth = 0;

		if (!pattern_matches(rail_table[i].group, group, &ignored) ||
		    strcmp(rail_table[i].subgroup, subgroup) != 0 ||
		    !pattern_matches(rail_table[i].name, s, &nth))
			continue;
		*out = (struct power_rail){ .what = rail_table[i].what,
					    .letter = rail_table[i].letter,
					    .die = on,
					    .nth = nth };
		snprintf(out->name, sizeof out->name, "%s", name);
		return true;
	}
	return false;
}

double
ioreport_unit(const char *label)
{
	static const struct {
		const char *label;
		double scale;
	} unit[] = { { "mJ", 1e-3 }, { "uJ", 1e-6 },
		     { "nJ", 1e-9 }, { "J", 1 },
		     { "B", 1 },     { "bytes", 1 },
		     { "Bytes", 1 }, { "24Mticks", 1 / 24e6 } };

	for (unsigned i = 0; i < sizeof unit / sizeof unit[0]; i++)
		if (strcmp(unit[i].label, label) == 0)
			return unit[i].scale;
	return 0;
}

/* A clock step has 8 bytes: frequency and voltage, little endian. */

static uint32_t
read_le32(const unsigned char *at)
{
	return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
	       (uint32_t)at[3] << 24;
}

/* In "acc-clusters" a cluster's 8 bytes begin with its clock table's number. */
static unsigned
clock_table_number(const struct ioreport_api *api, char letter, unsigned nth)
{
	unsigned char list[8 * 16];
	long n = api->pmgr("acc-clusters", list, sizeof list);
	unsigned known = letter == 'E'   ? 1
			 : letter == 'P' ? 5
					 : 22 + nth; /* M5 */

	for (long i = 0; i + 8 <= n; i += 8)
		if (list[i] == known)
			return known;
	return n > 0 && letter == 'M' ? 0 : known;
}

unsigned
ioreport_steps(const struct ioreport_api *api, char letter, unsigned nth,
	       unsigned active, double mhz[32])
{
	/* Steps are in Hz up to M3 and A18, in kHz from M4 on. */
	static const double least_hz = 1e7;
	unsigned char raw[8 * 32];
	char key[40];
	unsigned n = 0;

	snprintf(key, sizeof key, "voltage-states%u-sram",
		 clock_table_number(api, letter, nth));
	long len = api->pmgr(key, raw, sizeof raw);

	for (long i = 0; i + 8 <= len && n < 32; i += 8) {
		double f = read_le32(raw + i);

		if (f > 0)
			mhz[n++] = f < least_hz ? f / 1e3 : f / 1e6;
	}
	return n == active ? n : 0;
}
