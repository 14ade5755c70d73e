/* Checks and cleans UTF-8 text from outside ktop. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#define UTF8_REPLACEMENT "\xef\xbf\xbd"

/* Length in bytes (1 to 4) of the first character of s[0..n). 0: n is 0, or the
 * bytes are invalid, cut, overlong, a surrogate or above U+10FFFF. */
size_t utf8_length(const char *s, size_t n);

/* The code point of the character of n bytes; n 0: the first byte */
uint32_t utf8_code(const char *s, size_t n);

/* Copies whole characters, at most size - 1 bytes, and adds a NUL. Drops
 * control characters (C0, DEL, C1); invalid bytes become U+FFFD. */
void utf8_clean(char *to, size_t size, const char *from, size_t n);

/* As utf8_clean, but also drops bidirectional controls. */
void utf8_plain(char *to, size_t size, const char *from, size_t n);

/* Copies text for a terminal: control characters, bidirectional controls and
 * invalid bytes become escapes (\n, \t, \r, \xNN). Cuts at size - 1 bytes,
 * between characters. */
void utf8_visible(char *to, size_t size, const char *from);

#endif
