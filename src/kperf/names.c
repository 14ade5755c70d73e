#include "kperf/names.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *database;
	enum kps_chip chip;
} chips[] = {
	{ "a14", KPS_CHIP_M1 },   { "a15", KPS_CHIP_M2 },
	{ "a16", KPS_CHIP_M3 },   { "as1", KPS_CHIP_M3 },
	{ "as2", KPS_CHIP_M3 },   { "as3", KPS_CHIP_M3 },
	{ "as4", KPS_CHIP_M4 },   { "as4-1", KPS_CHIP_M4 },
	{ "as4-2", KPS_CHIP_M4 }, { "as5", KPS_CHIP_M5 },
	{ "as5-1", KPS_CHIP_M5 }, { "as5-2", KPS_CHIP_M5 },
};

enum kps_chip
kps_chip_of(const char *database)
{
	for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++)
		if (database != NULL &&
		    strcmp(database, chips[i].database) == 0)
			return chips[i].chip;
	return KPS_CHIP_UNKNOWN;
}

const char *
kps_chip_name(enum kps_chip chip)
{
	switch (chip) {
	case KPS_CHIP_M1:
		return "M1";
	case KPS_CHIP_M2:
		return "M2";
	case KPS_CHIP_M3:
		return "M3";
	case KPS_CHIP_M4:
		return "M4";
	case KPS_CHIP_M5:
		return "M5";
	case KPS_CHIP_UNKNOWN:
		break;
	}
	return "unknown";
}

static const struct kperf_name *
kperf_name_find(const char *name)
{
	for (unsigned i = 0; name != NULL && i < kperf_names_len; i++)
		if (strcmp(kperf_names[i].name, name) == 0)
			return &kperf_names[i];
	return NULL;
}

const struct kperf_name *
kperf_name_of(const char *event)
{
	for (unsigned i = 0; i < kperf_names_len; i++) {
		const struct kperf_name *n = &kperf_names[i];

		if (strcmp(n->event, event) == 0 ||
		    (n->event_m1 != NULL && strcmp(n->event_m1, event) == 0))
			return n;
	}
	return NULL;
}

const char *
kps_name_at(unsigned i)
{
	return i < kperf_names_len ? kperf_names[i].name : NULL;
}

const char *
kps_name_on(const char *name, enum kps_chip chip)
{
	const struct kperf_name *n = kperf_name_find(name);

	if (n == NULL || (n->chips >> chip & 1) == 0)
		return NULL;
	return chip == KPS_CHIP_M1 && n->event_m1 != NULL ? n->event_m1
							  : n->event;
}

enum kps_unit
kps_name_unit(const char *name)
{
	const struct kperf_name *n = kperf_name_find(name);

	return n != NULL ? n->unit : KPS_UNIT_COUNTS;
}
