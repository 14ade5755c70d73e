/* build/sim-state FILE: the simulated kernel of --sim MACHINE,state=FILE. */
#include "sim/state_print.h"

int
main(int argc, char **argv)
{
	if (argc == 2 && state_print(argv[1], stdout))
		return fflush(stdout) == 0 ? 0 : 1;
	fprintf(stderr, "sim-state: no state in %s\n",
		argc == 2 ? argv[1] : "that");
	return 1;
}
