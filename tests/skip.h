/* A unit test that cannot be tried on this machine, and says why. */
#ifndef TESTS_SKIP_H
#define TESTS_SKIP_H

/* After cmocka.h. The summary lists the test with the sentence. */
#define skip_because(why)                          \
	do {                                       \
		print_message("# SKIP %s\n", why); \
		skip();                            \
	} while (0)

#endif
