/* Apple's private libIOReport and a power source that uses it, without
 * privileges. Prototypes and channel names are those that macmon, mactop,
 * SiliconScope and all-smi use. */
#ifndef POWER_IOREPORT_H
#define POWER_IOREPORT_H

#include "power/power.h"

#include <stddef.h>
#include <stdio.h>

/* clang-format off */
/*
 * X(result, name, parameters, 1: in CoreFoundation, 1: may be missing).
 * Objects are untyped; the caller releases results of Copy and Create, which
 * are NULL if there is no such group, no subscription, or no sample now.
 * Integers of INT64_MIN are no values. Residencies are in ticks of 24 MHz.
 */
#define IOREPORT_FUNCTIONS(X) \
	X(void *, IOReportCopyChannelsInGroup, (const void *group, const void *subgroup, uint64_t, uint64_t, uint64_t), 0, 0) \
	X(void *, IOReportCopyAllChannels, (uint64_t, uint64_t), 0, 1) \
	X(int, IOReportChannelGetFormat, (const void *channel), 0, 1) \
	X(void, IOReportMergeChannels, (void *into, const void *from, const void *null), 0, 0) \
	X(void *, IOReportCreateSubscription, (void *null, void *wanted, void **subscribed, uint64_t, const void *null2), 0, 0) \
	X(const void *, IOReportCreateSamples, (void *subscription, void *subscribed, const void *null), 0, 0) \
	X(const void *, IOReportChannelGetGroup, (const void *channel), 0, 0) \
	X(const void *, IOReportChannelGetSubGroup, (const void *channel), 0, 0) \
	X(const void *, IOReportChannelGetChannelName, (const void *channel), 0, 0) \
	X(const void *, IOReportChannelGetUnitLabel, (const void *channel), 0, 0) \
	X(int64_t, IOReportSimpleGetIntegerValue, (const void *channel, int32_t), 0, 0) \
	X(int32_t, IOReportStateGetCount, (const void *channel), 0, 0) \
	X(const void *, IOReportStateGetNameForIndex, (const void *channel, int32_t), 0, 0) \
	X(int64_t, IOReportStateGetResidency, (const void *channel, int32_t), 0, 0) \
	X(const void *, CFStringCreateWithCString, (const void *, const char *, uint32_t encoding), 1, 0) \
	X(unsigned char, CFStringGetCString, (const void *string, char *out, long size, uint32_t encoding), 1, 0) \
	X(const void *, CFDictionaryGetValue, (const void *, const void *key), 1, 0) \
	X(long, CFArrayGetCount, (const void *), 1, 0) \
	X(const void *, CFArrayGetValueAtIndex, (const void *, long), 1, 0) \
	X(void, CFArrayRemoveValueAtIndex, (const void *, long), 1, 0) \
	X(const unsigned char *, CFDataGetBytePtr, (const void *), 1, 0) \
	X(long, CFDataGetLength, (const void *), 1, 0) \
	X(void, CFRelease, (const void *), 1, 0)
/* clang-format on */

struct ioreport_api {
#define FIELD(result, name, parameters, foundation, optional) \
	result(*name) parameters;
	IOREPORT_FUNCTIONS(FIELD)
#undef FIELD
	/* Reads a property of device "pmgr"; returns its length; -1: none. */
	long (*pmgr)(const char *key, unsigned char *out, long size);
	/* Thermal pressure, 0 (nominal) to 4; -1: unknown. May be NULL. */
	int (*pressure)(void);
	/* A mach tick is numer / denom ns. */
	uint32_t numer, denom;
};

enum { IOREPORT_UTF8 = 0x08000100 }; /* kCFStringEncodingUTF8 */

bool ioreport_rail(const char *group, const char *subgroup, const char *name,
		   struct power_rail *out);

/* Returns one unit, such as "mJ" or "24Mticks", in J, bytes or seconds; 0: the
 * unit is unknown. */
double ioreport_unit(const char *label);

/* Returns the number of clock steps of a cluster, or 0 if that number is not
 * `active`, the number of the cluster's active states. */
unsigned ioreport_steps(const struct ioreport_api *api, char letter,
			unsigned nth, unsigned active, double mhz[32]);

/* api is borrowed. NULL and *e: nothing can be measured. */
struct power_source *ioreport_open(const struct ioreport_api *api,
				   struct err *e);

/* NULL and *e: not a Mac, or a function is missing. */
const struct ioreport_api *ioreport_system(struct err *e);

#endif
