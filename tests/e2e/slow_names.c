/* For LD_PRELOAD: a list of users that takes its time, SLOW_MS, to answer. */
#include <dlfcn.h>
#include <pwd.h>
#include <stdlib.h>
#include <time.h>

struct passwd *
getpwuid(uid_t uid)
{
	struct passwd *(*next)(uid_t);
	const char *ms = getenv("SLOW_MS");
	long n = ms != NULL ? strtol(ms, NULL, 10) : 0;
	struct timespec t = { n / 1000, n % 1000 * 1000000 };

	*(void **)&next = dlsym(RTLD_NEXT, "getpwuid");
	(void)nanosleep(&t, NULL);
	return next(uid);
}
