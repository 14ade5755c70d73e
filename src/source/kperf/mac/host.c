#include "source/kperf/host.h"

#include <IOKit/IOKitLib.h>
#include <mach/mach.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysctl.h>

#include "kperf/trace.h"
#include "source/kperf/mac/processes.h"

static int
system_sysctl(const char *name, void *old, size_t *old_size, const void *fresh,
	      size_t fresh_size)
{
	return sysctlbyname(name, old, old_size, (void *)(uintptr_t)fresh,
			    fresh_size);
}

static void
mac_now(void *self, struct stamp *out)
{
	(void)self;
	clock_now(clock_system(), out);
}

/* -1: the node lacks the property, or it is not a number. */
static int32_t
property_number(io_registry_entry_t node, CFStringRef key)
{
	CFTypeRef value = IORegistryEntryCreateCFProperty(
		node, key, kCFAllocatorDefault, 0);
	int32_t out = -1;

	if (value == NULL)
		return -1;
	if (CFGetTypeID(value) == CFNumberGetTypeID())
		CFNumberGetValue((CFNumberRef)value, kCFNumberSInt32Type, &out);
	else if (CFGetTypeID(value) == CFDataGetTypeID() &&
		 CFDataGetLength((CFDataRef)value) >= (CFIndex)sizeof out)
		memcpy(&out, CFDataGetBytePtr((CFDataRef)value), sizeof out);
	CFRelease(value);
	return out;
}

/* cluster-type is data whose first byte is the letter. */
static void
property_letters(io_registry_entry_t node, CFStringRef key, char *out,
		 size_t size)
{
	CFTypeRef value = IORegistryEntryCreateCFProperty(
		node, key, kCFAllocatorDefault, 0);

	memset(out, 0, size);
	if (value == NULL)
		return;
	if (CFGetTypeID(value) == CFDataGetTypeID()) {
		CFIndex len = CFDataGetLength((CFDataRef)value);

		if (len > (CFIndex)size - 1)
			len = (CFIndex)size - 1;
		memcpy(out, CFDataGetBytePtr((CFDataRef)value), (size_t)len);
	} else if (CFGetTypeID(value) == CFStringGetTypeID()) {
		CFStringGetCString((CFStringRef)value, out, (CFIndex)size,
				   kCFStringEncodingUTF8);
	}
	CFRelease(value);
}

static void
fill_cpu_node(io_registry_entry_t node, struct host_cpu_node *out)
{
	/* XNU sets these two properties only for CPUs that it uses. */
	out->logical_cpu_id = property_number(node, CFSTR("logical-cpu-id"));
	out->logical_cluster_id =
		property_number(node, CFSTR("logical-cluster-id"));
	out->die_id = property_number(node, CFSTR("die-id"));
	out->die_cluster_id = property_number(node, CFSTR("die-cluster-id"));
	out->cluster_core_id = property_number(node, CFSTR("cluster-core-id"));
	property_letters(node, CFSTR("cluster-type"), out->cluster_type,
			 sizeof out->cluster_type);
}

static int
system_cpu_nodes(struct host_cpu_node *out, int max)
{
	io_registry_entry_t cpus =
		IORegistryEntryFromPath(MACH_PORT_NULL, "IODeviceTree:/cpus");
	io_iterator_t children = MACH_PORT_NULL;
	io_object_t node;
	int n = 0;

	if (cpus == MACH_PORT_NULL)
		return -1;
	if (IORegistryEntryGetChildIterator(cpus, "IODeviceTree", &children) !=
	    KERN_SUCCESS) {
		IOObjectRelease(cpus);
		return -1;
	}
	while ((node = IOIteratorNext(children)) != MACH_PORT_NULL) {
		if (n < max)
			fill_cpu_node(node, &out[n]);
		n++;
		IOObjectRelease(node);
	}
	IOObjectRelease(children);
	IOObjectRelease(cpus);
	return n;
}

static int
system_cpu_load(struct host_cpu_load *out, int max)
{
	mach_port_t host = mach_host_self();
	processor_info_array_t info = NULL;
	mach_msg_type_number_t len = 0;
	natural_t n = 0;
	kern_return_t rc = host_processor_info(host, PROCESSOR_CPU_LOAD_INFO,
					       &n, &info, &len);

	/* Each mach_host_self() adds a port right. */
	mach_port_deallocate(mach_task_self(), host);
	if (rc != KERN_SUCCESS)
		return -1;
	for (natural_t i = 0; i < n && (int)i < max; i++) {
		const integer_t *tick = &info[i * CPU_STATE_MAX];

		/* The counts of 10 ms ticks have 32 bits and wrap after 497
		 * days. */
		out[i].user = (uint32_t)tick[CPU_STATE_USER];
		out[i].system = (uint32_t)tick[CPU_STATE_SYSTEM];
		out[i].idle = (uint32_t)tick[CPU_STATE_IDLE];
		out[i].nice = (uint32_t)tick[CPU_STATE_NICE];
	}
	vm_deallocate(mach_task_self(), (vm_address_t)info,
		      (vm_size_t)len * sizeof *info);
	return (int)n;
}

const struct host_api *
host_system(void)
{
	static const struct host_api host = {
		.version = HOST_VERSION,
		.text = "",
		.clock = { .now = mac_now },
		.sysctl = system_sysctl,
		.cpu_nodes = system_cpu_nodes,
		.cpu_load = system_cpu_load,
		.proc_list = mac_proc_list,
		.proc_usage = mac_proc_usage,
		.proc_short = mac_proc_short,
		.proc_path = mac_proc_path,
		.proc_args = mac_proc_args,
		.thread_list = mac_thread_list,
		.thread_counts = mac_thread_counts,
		.timebase = mac_timebase,
		.user_name = mac_user_name,
		.system = &kperf_system_mac,
	};

	return &host;
}
