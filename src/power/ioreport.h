/*
 * Apple's private libIOReport and a power source on it. Prototypes and channel
 * names are those that macmon, mactop, SiliconScope and all-smi use. It needs
 * no privileges.
 */
#ifndef POWER_IOREPORT_H
#define POWER_IOREPORT_H

#include "power/power.h"

#include <stddef.h>
#include <stdio.h>

/* CoreFoundation's objects are untyped. The caller releases "new" ones. */
struct ioreport_api {
	/* New and mutable; NULL: no such group. */
	void *(*IOReportCopyChannelsInGroup)(const void *group,
					     const void *subgroup, uint64_t,
					     uint64_t, uint64_t);
	/* New. This and the next may be missing. */
	void *(*IOReportCopyAllChannels)(uint64_t, uint64_t);
	int (*IOReportChannelGetFormat)(const void *channel);
	void (*IOReportMergeChannels)(void *into, const void *from,
				      const void *null);
	/* Both new. NULL: the channels cannot be subscribed to. */
	void *(*IOReportCreateSubscription)(void *null, void *wanted,
					    void **subscribed, uint64_t,
					    const void *null2);
	/* New; NULL: not now. */
	const void *(*IOReportCreateSamples)(void *subscription,
					     void *subscribed,
					     const void *null);
	const void *(*IOReportChannelGetGroup)(const void *channel);
	const void *(*IOReportChannelGetSubGroup)(const void *channel);
	const void *(*IOReportChannelGetChannelName)(const void *channel);
	const void *(*IOReportChannelGetUnitLabel)(const void *channel);
	/* INT64_MIN: no value. */
	int64_t (*IOReportSimpleGetIntegerValue)(const void *channel, int32_t);
	int32_t (*IOReportStateGetCount)(const void *channel);
	const void *(*IOReportStateGetNameForIndex)(const void *channel,
						    int32_t);
	/* In ticks of 24 MHz. */
	int64_t (*IOReportStateGetResidency)(const void *channel, int32_t);
	const void *(*CFStringCreateWithCString)(const void *, const char *,
						 uint32_t encoding);
	unsigned char (*CFStringGetCString)(const void *string, char *out,
					    long size, uint32_t encoding);
	const void *(*CFDictionaryGetValue)(const void *, const void *key);
	long (*CFArrayGetCount)(const void *);
	const void *(*CFArrayGetValueAtIndex)(const void *, long);
	void (*CFArrayRemoveValueAtIndex)(const void *, long);
	const unsigned char *(*CFDataGetBytePtr)(const void *);
	long (*CFDataGetLength)(const void *);
	void (*CFRelease)(const void *);
	/* A property of the device "pmgr": its length; -1: none. */
	long (*pmgr)(const char *key, unsigned char *out, long size);
	/* Thermal pressure, 0 (nominal) to 4; -1: unknown. May be NULL. */
	int (*pressure)(void);
	/* A mach tick is numer / denom ns. */
	uint32_t numer, denom;
};

struct ioreport_symbol {
	const char *name;
	size_t offset;
	bool foundation;
	bool optional;
};
extern const struct ioreport_symbol ioreport_symbols[];
extern const unsigned ioreport_nsymbols;

enum { IOREPORT_UTF8 = 0x08000100 }; /* kCFStringEncodingUTF8 */

/* False: a channel that ktop does not use. */
bool ioreport_rail(const char *group, const char *subgroup, const char *name,
		   struct power_rail *out);

/* J, bytes or seconds of one unit; 0: unknown. */
double ioreport_unit(const char *label);

/* Clock steps of a cluster in MHz; 0: unknown. */
unsigned ioreport_steps(const struct ioreport_api *api, char letter,
			unsigned nth, unsigned active, double mhz[32]);

/* api is borrowed. NULL and *e: nothing can be measured. */
struct power_source *ioreport_open(const struct ioreport_api *api,
				   struct err *e);

/* Prints a line for each group of energy, clocks and traffic. */
void ioreport_survey(const struct ioreport_api *api, FILE *out);

/* NULL and *e: not a Mac. */
const struct ioreport_api *ioreport_system(struct err *e);

#endif
