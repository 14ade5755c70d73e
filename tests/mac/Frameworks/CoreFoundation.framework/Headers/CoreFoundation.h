/*
 * The part of CoreFoundation that ktop uses, declared for building macOS
 * programs where there is no SDK. A Mac uses Apple's header, never this one.
 */
#ifndef KTOP_MAC_COREFOUNDATION_H
#define KTOP_MAC_COREFOUNDATION_H

#include <stdint.h>

typedef const void *CFTypeRef;
typedef long CFIndex;
typedef unsigned long CFTypeID;
typedef unsigned char Boolean;
typedef unsigned char UInt8;
typedef uint32_t CFStringEncoding;
typedef CFIndex CFNumberType;
typedef const struct __CFAllocator *CFAllocatorRef;
typedef const struct __CFString *CFStringRef;
typedef const struct __CFData *CFDataRef;
typedef const struct __CFNumber *CFNumberRef;

enum {
	kCFNumberSInt32Type = 3,
	kCFNumberSInt64Type = 4,
	kCFNumberIntType = 9,
	kCFNumberLongLongType = 11,
};
enum { kCFStringEncodingUTF8 = 0x08000100 };

extern const CFAllocatorRef kCFAllocatorDefault;

void CFRelease(CFTypeRef cf);
CFTypeID CFGetTypeID(CFTypeRef cf);
CFTypeID CFDataGetTypeID(void);
const UInt8 *CFDataGetBytePtr(CFDataRef data);
CFIndex CFDataGetLength(CFDataRef data);
CFTypeID CFNumberGetTypeID(void);
Boolean CFNumberGetValue(CFNumberRef number, CFNumberType type, void *value);
CFTypeID CFStringGetTypeID(void);
Boolean CFStringGetCString(CFStringRef string, char *buffer, CFIndex size,
			   CFStringEncoding encoding);
CFStringRef CFStringCreateWithCString(CFAllocatorRef allocator,
				      const char *text,
				      CFStringEncoding encoding);

#define CFSTR(text) \
	((CFStringRef)__builtin___CFStringMakeConstantString("" text ""))

#endif
