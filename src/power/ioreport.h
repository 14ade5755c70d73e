/*
 * Apple's libIOReport, private and without a header: what it is called with,
 * and a power source on top of it. Prototypes and channel names are from
 * programs that use it (macmon, mactop, SiliconScope, all-smi). No rights are
 * needed.
 */
#ifndef POWER_IOREPORT_H
#define POWER_IOREPORT_H

#include "power/power.h"

#include <stddef.h>
#include <stdio.h>

/* Objects of CoreFoundation are untyped here; "new" is the caller's to release.
 */
struct ioreport_api {
	/* libIOReport. NULL: no such group. A new, mutable dictionary. */
	void *(*IOReportCopyChannelsInGroup)(const void *group,
					     const void *subgroup, uint64_t,
					     uint64_t, uint64_t);
	/* A new one; this and the next may be missing. */
	void *(*IOReportCopyAllChannels)(uint64_t, uint64_t);
	int (*IOReportChannelGetFormat)(const void *channel);
	void (*IOReportMergeChannels)(void *into, const void *from,
				      const void *null);
	/* NULL: the channels exist, and cannot be subscribed to. Both new. */
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
	/* CoreFoundation */
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
	/* The system. A property of the device "pmgr": its length; -1: none. */
	long (*pmgr)(const char *key, unsigned char *out, long size);
	/* Thermal pressure from 0, nominal, to 4; -1: not known. NULL: none. */
	int (*pressure)(void);
	/* A mach tick is numer / denom ns. */
	uint32_t numer, denom;
};

/* One name each of the functions above, and its place. */
struct ioreport_symbol {
	const char *name;
	size_t offset;
	bool foundation; /* of CoreFoundation */
	bool optional;
};
extern const struct ioreport_symbol ioreport_symbols[];
extern const unsigned ioreport_nsymbols;

enum { IOREPORT_UTF8 = 0x08000100 }; /* kCFStringEncodingUTF8 */

/* What a channel of a group measures; false: nothing that ktop shows. */
bool ioreport_rail(const char *group, const char *subgroup, const char *name,
		   struct power_rail *out);

/* J, bytes or seconds that a value of this unit is; 0: not known. */
double ioreport_unit(const char *label);

/* The machine's clock steps in MHz, of the table that a cluster has; 0: none.
 */
unsigned ioreport_steps(const struct ioreport_api *api, char letter,
			unsigned nth, unsigned active, double mhz[32]);

/* NULL and *e: nothing can be measured. api is borrowed. */
struct power_source *ioreport_open(const struct ioreport_api *api,
				   struct err *e);

/* A line for each group of energy, clocks and traffic: what is in it. */
void ioreport_survey(const struct ioreport_api *api, FILE *out);

/* The system's own (mac/system.c); NULL and *e elsewhere. */
const struct ioreport_api *ioreport_system(struct err *e);

#endif
