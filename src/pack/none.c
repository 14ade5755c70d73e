/* Without the library: nothing is compressed, and that is said by name. */
#include "pack/pack.h"

const bool pack_available = false;

static void *
missing(struct err *e)
{
	return err_null(
		e, ERR_FAIL,
		"this ktop was built without zstd, so it neither writes nor reads compressed recordings");
}

struct packer *
packer_new(struct err *e)
{
	return missing(e);
}

void
packer_free(struct packer *p)
{
	(void)p;
}

size_t
packer_bound(size_t n)
{
	return n;
}

size_t
packer_add(struct packer *p, const char *text, size_t n, char *out, size_t size)
{
	(void)p, (void)text, (void)n, (void)out, (void)size;
	return 0;
}

size_t
packer_end(struct packer *p, char *out, size_t size)
{
	(void)p, (void)out, (void)size;
	return 0;
}

void
packer_reset(struct packer *p)
{
	(void)p;
}

struct unpacker *
unpacker_new(struct err *e)
{
	return missing(e);
}

void
unpacker_free(struct unpacker *u)
{
	(void)u;
}

void
unpacker_reset(struct unpacker *u)
{
	(void)u;
}

bool
unpack(struct unpacker *u, const char *in, size_t *from, char *out, size_t *to,
       const char **why)
{
	(void)u, (void)in, (void)out;
	*from = *to = 0;
	*why = "no zstd";
	return false;
}

bool
unpacker_between(const struct unpacker *u)
{
	(void)u;
	return true;
}

bool
unpacker_in_block(const struct unpacker *u)
{
	(void)u;
	return false;
}
