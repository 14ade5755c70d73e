/* The library's header, taken as a system's: its macros trip the warnings that
 * are errors here wherever its folder was given by -I. */
#ifndef TESTS_CMOCKA_H
#define TESTS_CMOCKA_H
#pragma GCC system_header
#include_next <cmocka.h>
#endif
