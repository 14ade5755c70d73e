#include "power/ioreport.h"

#include <CoreFoundation/CoreFoundation.h>
#include <IOKit/IOKitLib.h>
#include <dlfcn.h>
#include <mach/mach_time.h>
#include <string.h>

/* The library exists only in dyld's shared cache. */
#define LIBRARY "/usr/lib/libIOReport.dylib"

static long
system_pmgr(const char *key, unsigned char *out, long size)
{
	io_registry_entry_t pmgr = IORegistryEntryFromPath(
		MACH_PORT_NULL, "IODeviceTree:/arm-io/pmgr");
	long n = -1;

	if (pmgr == MACH_PORT_NULL)
		return -1;
	CFStringRef k = CFStringCreateWithCString(kCFAllocatorDefault, key,
						  kCFStringEncodingUTF8);
	CFTypeRef value = IORegistryEntryCreateCFProperty(
		pmgr, k, kCFAllocatorDefault, 0);

	if (value != NULL && CFGetTypeID(value) == CFDataGetTypeID()) {
		n = CFDataGetLength((CFDataRef)value);
		if (n > size)
			n = size;
		memcpy(out, CFDataGetBytePtr((CFDataRef)value), (size_t)n);
	}
	if (value != NULL)
		CFRelease(value);
	CFRelease(k);
	IOObjectRelease(pmgr);
	return n;
}

/* From <notify.h>, public but missing in some SDKs; 0: success. */
uint32_t notify_register_check(const char *name, int *token);
uint32_t notify_get_state(int token, uint64_t *state);

static int
system_pressure(void)
{
	static const uint64_t most = 4;
	static int token = -1;
	uint64_t level;

	if (token < 0 &&
	    notify_register_check("com.apple.system.thermalpressurelevel",
				  &token) != 0) {
		token = -1;
		return -1;
	}
	return notify_get_state(token, &level) == 0 && level <= most
		       ? (int)level
		       : -1;
}

#define SYMBOL(result, name, parameters, foundation, optional) \
	{ #name, offsetof(struct ioreport_api, name), foundation, optional },
static const struct {
	const char *name;
	size_t offset;
	bool foundation, optional;
} symbol_table[] = { IOREPORT_FUNCTIONS(SYMBOL) };

const struct ioreport_api *
ioreport_system(struct err *e)
{
	static struct ioreport_api api;
	mach_timebase_info_data_t base = { 1, 1 };
	void *library = dlopen(LIBRARY, RTLD_LAZY);

	if (library == NULL)
		return err_null(e, ERR_NO_PMU, "cannot load %s: %s", LIBRARY,
				dlerror());
	for (unsigned i = 0; i < sizeof symbol_table / sizeof *symbol_table;
	     i++) {
		void *address = dlsym(symbol_table[i].foundation ? RTLD_DEFAULT
								 : library,
				      symbol_table[i].name);

		if (address == NULL && !symbol_table[i].optional)
			return err_null(e, ERR_NO_PMU, "%s lacks %s", LIBRARY,
					symbol_table[i].name);
		memcpy((char *)&api + symbol_table[i].offset, &address,
		       sizeof address);
	}
	(void)mach_timebase_info(&base);
	api.numer = base.numer;
	api.denom = base.denom;
	api.pmgr = system_pmgr;
	api.pressure = system_pressure;
	return &api;
}
