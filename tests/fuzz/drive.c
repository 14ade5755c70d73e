/*
 * A driver for the fuzz targets where there is no libFuzzer:
 *	TARGET SECONDS FILE_OR_FOLDER...
 * Feeds every file as it is, then damaged ones (bytes changed, doubled, cut,
 * two files spliced) until the time is over. Sanitizers say what is wrong; the
 * input at fault is then in the file that FUZZ_CRASH names.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));

/* Targets without one get this. */
int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return 0;
}

enum { INPUTS_MAX = 1024, SIZE_MAX_IN = 65536, CHANGES_MAX = 8 };

static struct {
	uint8_t *at;
	size_t size;
} input[INPUTS_MAX];
static unsigned ninputs;
static uint8_t room[SIZE_MAX_IN];
static size_t room_size;
static uint64_t state = 1;

static uint64_t
draw(uint64_t n)
{
	uint64_t x = state += 0x9e3779b97f4a7c15u; /* splitmix64 */

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return (x ^ x >> 31) % n;
}

static void
keep_input(int number)
{
	const char *name = getenv("FUZZ_CRASH");
	int fd = open(name != NULL ? name : "crash",
		      O_WRONLY | O_CREAT | O_TRUNC, 0644);

	if (fd >= 0)
		(void)!write(fd, room, room_size);
	(void)signal(number, SIG_DFL);
	(void)raise(number);
}

static void
add_file(const char *path)
{
	FILE *f = fopen(path, "rb");

	if (f == NULL || ninputs == INPUTS_MAX)
		exit(2);
	uint8_t *at = malloc(SIZE_MAX_IN);

	if (at == NULL)
		exit(2);
	input[ninputs].at = at;
	input[ninputs++].size = fread(at, 1, SIZE_MAX_IN, f);
	(void)fclose(f);
}

static void
add(const char *path)
{
	DIR *d = opendir(path);
	struct dirent *entry;
	char name[4096];

	if (d == NULL) {
		add_file(path);
		return;
	}
	while ((entry = readdir(d)) != NULL)
		if (entry->d_name[0] != '.') {
			(void)snprintf(name, sizeof(name), "%s/%s", path,
				       entry->d_name);
			add_file(name);
		}
	(void)closedir(d);
}

static void
take(unsigned i)
{
	memcpy(room, input[i].at, input[i].size);
	room_size = input[i].size;
}

static void
change(void)
{
	static const uint8_t odd[] = { 0, 1, 127, 128, 255, '\n', '"', ',' };
	size_t at = room_size > 0 ? draw(room_size) : 0;
	size_t n = room_size - at;
	unsigned other = (unsigned)draw(ninputs);

	switch (draw(6)) {
	case 0: /* one bit */
		if (n > 0)
			room[at] ^= (uint8_t)(1u << draw(8));
		break;
	case 1:
		if (n > 0)
			room[at] = odd[draw(sizeof(odd))];
		break;
	case 2: /* cut out */
		n = n > 0 ? draw(n) : 0;
		memmove(room + at, room + at + n, room_size - at - n);
		room_size -= n;
		break;
	case 3: /* doubled */
		n = n > 0 ? draw(n) + 1 : 0;
		if (room_size + n > SIZE_MAX_IN)
			return;
		memmove(room + at + n, room + at, room_size - at);
		room_size += n;
		break;
	case 4: /* the end */
		room_size = at;
		break;
	default: /* another's end */
		n = input[other].size;
		n -= n > 0 ? draw(n) : 0;
		if (at + n > SIZE_MAX_IN)
			return;
		memcpy(room + at, input[other].at + input[other].size - n, n);
		room_size = at + n;
	}
}

int
main(int argc, char **argv)
{
	long seconds = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
	unsigned long done = 0;

	for (int i = 2; i < argc; i++)
		add(argv[i]);
	if (ninputs == 0)
		return 2;
	(void)signal(SIGABRT, keep_input);
	(void)signal(SIGSEGV, keep_input);
	(void)LLVMFuzzerInitialize(&argc, &argv);
	for (; done < ninputs; done++) {
		take((unsigned)done);
		(void)LLVMFuzzerTestOneInput(room, room_size);
	}
	for (time_t end = time(NULL) + seconds; time(NULL) < end; done++) {
		take((unsigned)draw(ninputs));
		for (uint64_t n = draw(CHANGES_MAX) + 1; n > 0; n--)
			change();
		(void)LLVMFuzzerTestOneInput(room, room_size);
	}
	(void)fprintf(stderr, "stat::number_of_executed_units: %lu\n", done);
	for (unsigned i = 0; i < ninputs; i++)
		free(input[i].at);
	return 0;
}
