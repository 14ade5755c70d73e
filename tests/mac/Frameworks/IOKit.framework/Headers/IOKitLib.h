/*
 * The part of IOKit that ktop uses, declared for building macOS programs where
 * there is no SDK. A Mac uses Apple's header, never this one.
 */
#ifndef KTOP_MAC_IOKITLIB_H
#define KTOP_MAC_IOKITLIB_H

#include <CoreFoundation/CoreFoundation.h>
#include <mach/mach.h>

typedef mach_port_t io_object_t;
typedef io_object_t io_registry_entry_t;
typedef io_object_t io_iterator_t;
typedef char io_name_t[128];
typedef char io_string_t[512];
typedef uint32_t IOOptionBits;

#define IO_OBJECT_NULL ((io_object_t)0)
#define kIODeviceTreePlane "IODeviceTree"

io_registry_entry_t IORegistryEntryFromPath(mach_port_t main_port,
					    const io_string_t path);
kern_return_t IORegistryEntryGetChildIterator(io_registry_entry_t entry,
					      const io_name_t plane,
					      io_iterator_t *iterator);
io_object_t IOIteratorNext(io_iterator_t iterator);
kern_return_t IORegistryEntryGetName(io_registry_entry_t entry, io_name_t name);
CFTypeRef IORegistryEntryCreateCFProperty(io_registry_entry_t entry,
					  CFStringRef key,
					  CFAllocatorRef allocator,
					  IOOptionBits options);
kern_return_t IOObjectRelease(io_object_t object);

#endif
