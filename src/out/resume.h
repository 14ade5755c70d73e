/* Where a compressed recording can be gone on with. */
#ifndef OUT_RESUME_H
#define OUT_RESUME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RESUME_FIRST = 4096 };

struct resume {
	int64_t keep; /* bytes of the file; what is behind them goes */
	bool ends;    /* pack_end has to follow them */
	bool fresh;   /* there is no text in them */
	int64_t cut;  /* bytes of text that go */
	char first[RESUME_FIRST]; /* of its text, ended by a 0 */
};

enum resume_status {
	RESUME_OK,
	RESUME_HEAD,  /* it does not begin with the head, but with `first` */
	RESUME_PLAIN, /* it is not compressed */
	RESUME_WHOLE, /* it would have to be cut where there is no block's end
		       */
	RESUME_ERROR  /* errno */
};

/* Changes nothing: whoever asked cuts the file. */
enum resume_status resume_find(struct resume *r, int fd, const char *head,
			       size_t len);

#endif
