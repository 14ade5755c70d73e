/*
 * What the library in a command tells ktop: a file that both have, of a fixed
 * layout. ktop makes it, every process of the command adds to it.
 */
#ifndef INJECT_RECORD_H
#define INJECT_RECORD_H

#include <stdatomic.h>
#include <stdint.h>

/* In the environment: the file, and the library that has kperf's functions. */
#define INJECT_RECORD "KTOP_INJECT"
#define INJECT_KPERF "KTOP_INJECT_KPERF"

#define INJECT_MAGIC UINT64_C(0x316a6e69706f746b) /* "ktopinj1" */
enum { INJECT_COLUMNS = 32 };                     /* of a row, at most */

struct inject_record {
	uint64_t magic;
	uint32_t size, columns;   /* that the rows have */
	_Atomic uint64_t loaded;  /* programs that came with the library, and */
	_Atomic uint64_t forked;  /* processes that are copies of one */
	_Atomic uint64_t begun;   /* threads, */
	_Atomic uint64_t ended;   /* those that are in the sums, */
	_Atomic uint64_t refused; /* and those whose counters were not to be had
				   */
	_Atomic uint64_t error;   /* the errno of the last of these; 0: none */
	_Atomic uint64_t sum[INJECT_COLUMNS]; /* of threads that ended */
};

#endif
