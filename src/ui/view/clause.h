/* Words of a filter: "kv", "4-7", "ipc<1". */
#ifndef UI_VIEW_CLAUSE_H
#define UI_VIEW_CLAUSE_H

#include <stdbool.h>
#include <stddef.h>

enum { CLAUSE_SIZE = 48 };

struct clause { /* "name op number" */
	char name[CLAUSE_SIZE];
	char op; /* < > =; 0: the word compares nothing */
	bool equal;
	double number;
	bool whole; /* the number is there */
};

/*
 * The next word behind text[*at], 0 at first; false behind the last. Blanks
 * mean and, commas or: `either` tells that this word or the one before will do.
 */
bool clause_next(const char *text, size_t *at, char word[CLAUSE_SIZE],
		 bool *either);

struct clause clause_of(const char *word);

/* Is it so of the value? Of an unknown one nothing is. */
bool clause_holds(const struct clause *c, double value);

/* Whatever the case of its letters. */
bool clause_contains(const char *text, const char *part);

/* As on the screen or in the recording, without the sign at its end. */
bool clause_called(const char *label, const char *name);

/* "4" or "4-7"; false if the word is neither. */
bool clause_range(const char *word, long *from, long *to);

#endif
