/* UTF-8, as far as text from outside must be checked. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#define UTF8_REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/*
 * Bytes of the character that s[0..n) begins with: 1 to 4; 0 when it is none:
 * cut, overlong, a surrogate, beyond U+10FFFF, or n is 0.
 */
size_t utf8_length(const char *s, size_t n);

/* The code of a character of n bytes; of a byte that is none (0) the byte. */
uint32_t utf8_code(const char *s, size_t n);

/*
 * Copies at most size - 1 bytes of whole characters of `from` to `to` and ends
 * them with NUL. Control characters (C0, DEL, C1) are dropped, bytes that are
 * no UTF-8 become U+FFFD.
 */
void utf8_clean(char *to, size_t size, const char *from, size_t n);

/* As utf8_clean, and without signs that turn the direction of writing. */
void utf8_plain(char *to, size_t size, const char *from, size_t n);

/*
 * `from` as a terminal may be given it, cut at size - 1 bytes, never within a
 * character: control characters, signs that turn the direction of writing and
 * bytes that are no UTF-8 become \n, \t, \r and \x1b; other text stays.
 */
void utf8_visible(char *to, size_t size, const char *from);

#endif
