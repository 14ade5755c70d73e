#include "process/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <termios.h>
#include <unistd.h>

static bool
terminal_write_all(int out, const char *text, size_t n)
{
	ssize_t done;

	do
		done = write(out, text, n);
	while (done < 0 && errno == EINTR);
	return done == (ssize_t)n;
}

void
terminal_force(int out, const char *text, size_t n)
{
	int flags = fcntl(out, F_GETFL);

	if (flags < 0)
		return;
	(void)fcntl(out, F_SETFL, flags | O_NONBLOCK);
	if (!terminal_write_all(out, text, n)) {
		(void)tcflush(out, TCOFLUSH);
		(void)tcflow(out, TCOON);
		(void)terminal_write_all(out, text, n);
	}
	(void)fcntl(out, F_SETFL, flags);
}
