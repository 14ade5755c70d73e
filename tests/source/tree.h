/* Recorded machines: a .tree file as a folder with sys/ and proc/ in it. */
#ifndef TESTS_SOURCE_TREE_H
#define TESTS_SOURCE_TREE_H

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
make_parents(char *path)
{
	for (char *p = strchr(path + 1, '/'); p != NULL;
	     p = strchr(p + 1, '/')) {
		*p = '\0';
		if (mkdir(path, 0755) != 0 && errno != EEXIST)
			return false;
		*p = '/';
	}
	return true;
}

/* \n, \t and \\ become what they stand for, in place; the new length. */
static size_t
unescape(char *s)
{
	char *to = s;

	for (const char *p = s; *p != '\0'; p++) {
		if (*p == '\\' && p[1] != '\0') {
			p++;
			*to++ = (char)(*p == 'n'   ? '\n'
				       : *p == 't' ? '\t'
						   : *p);
		} else {
			*to++ = *p;
		}
	}
	*to = '\0';
	return (size_t)(to - s);
}

static bool
put(const char *root, char type, const char *path, char *content)
{
	char full[4096];
	size_t len;
	FILE *fp;

	snprintf(full, sizeof(full), "%s/%s", root, path);
	if (type == 'L')
		return symlink(content, full) == 0 ||
		       (make_parents(full) && symlink(content, full) == 0);
	len = unescape(content);
	fp = fopen(full, "w"); /* most often its folder is there */
	if (fp == NULL && make_parents(full))
		fp = fopen(full, "w");
	if (fp == NULL)
		return false;
	len -= fwrite(content, 1, len, fp);
	return fclose(fp) == 0 && len == 0;
}

/*
 * Unpacks tests/data/sysfs/MACHINE.tree into a new temporary folder, whose
 * name goes to root; false (and a message) when that fails.
 */
static inline bool
tree_unpack(const char *machine, char *root, size_t size)
{
	char path[256], *line = NULL;
	size_t room = 0;
	ssize_t len;
	bool ok = true;
	FILE *fp;

	snprintf(path, sizeof(path), "tests/data/sysfs/%s.tree", machine);
	/* In memory where there is such a folder: many small files. */
	snprintf(root, size, "%s/ktop-tree.XXXXXX",
		 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	fp = fopen(path, "r");
	if (fp == NULL || mkdtemp(root) == NULL) {
		perror(path);
		return false;
	}
	while (ok && (len = getline(&line, &room, fp)) > 0) {
		char *name = line + 2, *content = strchr(name, '\t');

		line[len - 1] = '\0';
		if (content == NULL)
			continue;
		*content++ = '\0';
		ok = put(root, line[0], name, content);
	}
	free(line);
	fclose(fp);
	return ok;
}

/* Removes the folder. */
static inline void
tree_remove(const char *root)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	if (system(command) != 0)
		perror(root);
}

#endif
