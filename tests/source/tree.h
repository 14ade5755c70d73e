/* Recorded machines: a .tree file as a folder with sys/ and proc/ in it. */
#ifndef TESTS_SOURCE_TREE_H
#define TESTS_SOURCE_TREE_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* From below: most often the folder above it is there. */
static bool
make_parents(char *path)
{
	char *slash = strrchr(path, '/');
	bool ok;

	if (slash == NULL || slash == path)
		return false;
	*slash = '\0';
	ok = mkdir(path, 0755) == 0 || errno == EEXIST ||
	     (errno == ENOENT && make_parents(path) && mkdir(path, 0755) == 0);
	*slash = '/';
	return ok;
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

static inline void
tree_remove_in(int folder)
{
	DIR *d = fdopendir(folder);
	const struct dirent *e;

	if (d == NULL) {
		close(folder);
		return;
	}
	while ((e = readdir(d)) != NULL) {
		int in;

		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		if (unlinkat(dirfd(d), e->d_name, 0) == 0)
			continue;
		in = openat(dirfd(d), e->d_name,
			    O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
		if (in >= 0)
			tree_remove_in(in);
		(void)unlinkat(dirfd(d), e->d_name, AT_REMOVEDIR);
	}
	closedir(d);
}

/* Removes the folder: hundreds of times, so without a shell. */
static inline void
tree_remove(const char *root)
{
	int folder = open(root, O_RDONLY | O_DIRECTORY);

	if (folder >= 0)
		tree_remove_in(folder);
	if (rmdir(root) != 0)
		perror(root);
}

#endif
