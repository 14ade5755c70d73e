/*
 * Threads for inject_test.py: THREADS MS [HOW]. Prints for how long they were
 * at work at least, all together, in ns. HOW: fork, kill, _exit, or wait for
 * the other threads not at all (leave).
 */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 24 };

static int64_t ms;

static int64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void *
work(void *ns)
{
	const struct timespec little = { 0, 200000 };
	int64_t from = now();

	while (now() - from < ms * 1000000)
		nanosleep(&little, NULL);
	if (ns != NULL)
		*(int64_t *)ns = now() - from;
	return NULL;
}

static void *
hang(void *at)
{
	*(volatile int *)at = 1;
	for (;;)
		pause();
}

static int64_t
forked(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		work(NULL);
		exit(0);
	}
	waitpid(pid, NULL, 0);
	return ms * 1000000;
}

int
main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[1]) : 0;
	const char *how = argc > 3 ? argv[3] : "";
	volatile int there = 0;
	pthread_t thread[MOST];
	int64_t ns[MOST] = { 0 }, from = now(), all = 0;

	ms = argc > 2 ? atoi(argv[2]) : 0;
	for (int i = 0; i < n && i < MOST; i++)
		pthread_create(&thread[i], NULL, work, &ns[i]);
	for (int i = 0; i < n && i < MOST; i++) {
		pthread_join(thread[i], NULL);
		all += ns[i];
	}
	if (n == 0)
		work(NULL);
	if (strcmp(how, "fork") == 0)
		all += forked();
	if (strcmp(how, "leave") == 0) {
		pthread_create(&thread[0], NULL, hang, (void *)&there);
		while (!there)
			usleep(100);
	}
	all += now() - from;
	printf("%lld\n", (long long)all);
	fflush(stdout);
	if (strcmp(how, "kill") == 0)
		raise(SIGKILL);
	if (strcmp(how, "_exit") == 0)
		_exit(0);
	return 0;
}
