/* ktop export --sql FILE: the schema of recordings for databases. */
#include "commands/command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "process/caller.h"
#include "base/fd.h"
#include "model/columns.h"
#include "model/event.h"
#include "recording/recording.h"

/*
 * Types that sqlite and DuckDB take alike. In DuckDB INTEGER has 32 bits and
 * REAL four bytes; sqlite's affinities go by parts of the names.
 */
static const char *
sql_type(enum column_type t)
{
	switch (t) {
	case COLUMN_TEXT:
		return "TEXT";
	case COLUMN_TIME:
		return "TIMESTAMP";
	case COLUMN_INTEGER:
		return "BIGINT";
	case COLUMN_REAL:
		break;
	}
	return "DOUBLE";
}

/* Never cut at a quote; a path may have one. */
static void
print_quoted(FILE *fp, const char *s)
{
	putc('\'', fp);
	for (; *s != '\0'; s++) {
		if (*s == '\'')
			putc('\'', fp);
		putc(*s, fp);
	}
	putc('\'', fp);
}

static void
print_sqlite_import(FILE *fp, const char *file)
{
	fputs("--   .import --skip 1 ", fp);
	print_quoted(fp, file);
	fputs(" ktop_import\n", fp);
}

/* One that is not there yet, or that is damaged, says nothing. */
static bool
file_has_processes(const char *path)
{
	struct stat st;

	/* A pipe would be waited for, and what it gives be lost. */
	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	struct recording *r = recording_open(&path, 1, NULL);
	bool has = r != NULL && recording_has_processes(r);

	recording_close(r);
	return has;
}

static bool
has_processes(const struct options *o)
{
	bool has = o->processes > 0;

	for (unsigned i = 0; i < o->nargs && !has; i++)
		has = file_has_processes(o->arg[i]);
	return has;
}

static void
print_table(FILE *fp, const char *name, bool typed, unsigned n)
{
	fprintf(fp, "CREATE TABLE %s (\n", name);
	for (unsigned i = 0; i < n; i++) {
		struct column c = column_at(i);
		const char *comma = i + 1 < n ? "," : "";

		fprintf(fp, "  \"%s\" %s%s", c.name,
			typed ? sql_type(c.type) : "TEXT", comma);
		if (typed)
			fprintf(fp, " -- %s%s%s", c.text,
				c.unit[0] != '\0' ? "; " : "", c.unit);
		putc('\n', fp);
	}
	fputs(");\n\n", fp);
}

/* An empty field is not measured: NULL, never 0. */
static void
print_typed(FILE *fp, unsigned n)
{
	fputs("CREATE VIEW ktop_typed AS SELECT\n", fp);
	for (unsigned i = 0; i < n; i++) {
		struct column c = column_at(i);
		const char *comma = i + 1 < n ? "," : "";

		if (c.type == COLUMN_INTEGER || c.type == COLUMN_REAL)
			fprintf(fp,
				"  CAST(NULLIF(\"%s\", '') AS %s) AS \"%s\"%s\n",
				c.name, sql_type(c.type), c.name, comma);
		else
			fprintf(fp, "  NULLIF(\"%s\", '') AS \"%s\"%s\n",
				c.name, c.name, comma);
	}
	fputs("FROM ktop_import;\n\n", fp);
}

static void
print_clusters(FILE *fp)
{
	fputs("-- A mean of ratios would weigh an idle second like a busy one: sums are divided.\n"
	      "CREATE VIEW ktop_clusters AS SELECT\n"
	      "  \"run\", \"cluster\", \"kind\",\n"
	      "  COUNT(\"cycles\") AS rows_measured,\n"
	      "  SUM(\"interval_s\") AS cpu_seconds,\n"
	      "  SUM(\"cycles\") AS cycles,\n"
	      "  SUM(\"instructions\") AS instructions,\n"
	      "  1.0 * SUM(\"instructions\") / NULLIF(SUM(\"cycles\"), 0) AS ipc,\n"
	      "  SUM(\"busy_pct\" * \"interval_s\") / NULLIF(SUM(CASE WHEN \"busy_pct\" IS NOT NULL THEN \"interval_s\" END), 0) AS busy_pct\n"
	      "FROM ktop WHERE \"row\" = 'core'\n"
	      "GROUP BY \"run\", \"cluster\", \"kind\";\n\n",
	      fp);
}

static void
print_events(FILE *fp)
{
	fputs("-- A row for each event; per 1000 instructions it is 1000.0 * SUM(count) / SUM(ev_instructions).\n"
	      "CREATE VIEW ktop_events AS\n",
	      fp);
	for (unsigned i = 1; i <= EVENTSET_MAX; i++)
		fprintf(fp,
			"SELECT \"run\", \"frame\", \"elapsed_s\", \"cluster\", \"kind\", \"cpu\", \"preset\",\n"
			"  \"domain\", \"quality\", \"event_s\", \"ev_cycles\", \"ev_instructions\",\n"
			"  \"e%u\" AS event, \"c%u\" AS count\n"
			"FROM ktop WHERE \"row\" = 'core' AND \"c%u\" IS NOT NULL%s\n",
			i, i, i, i < EVENTSET_MAX ? " UNION ALL" : ";\n");
}

/* One of a pid that came back is another: start tells them apart. */
static void
print_processes(FILE *fp)
{
	fputs("-- A process over the frames that have a row of it; elsewhere it is one of the others.\n"
	      "CREATE VIEW ktop_processes AS SELECT\n"
	      "  \"run\", \"row\", \"pid\", \"start\",\n"
	      "  MAX(\"process\") AS process, MAX(\"user\") AS \"user\",\n"
	      "  COUNT(*) AS frames,\n"
	      "  SUM(\"user_ns\" + \"system_ns\") / 1e9 AS cpu_seconds,\n"
	      "  SUM(\"cycles\") AS cycles,\n"
	      "  SUM(\"instructions\") AS instructions,\n"
	      "  1.0 * SUM(\"instructions\") / NULLIF(SUM(\"cycles\"), 0) AS ipc,\n"
	      "  100.0 * SUM(\"ptime_ns\") / NULLIF(SUM(\"ptime_ns\" + \"other_ns\"), 0) AS p_share_pct,\n"
	      "  SUM(\"energy_nj\") / 1e9 AS energy_j\n"
	      "FROM ktop WHERE \"row\" IN ('process', 'others', 'rest')\n"
	      "GROUP BY \"run\", \"row\", \"pid\", \"start\";\n\n",
	      fp);
}

static void
print_imports(FILE *fp, const struct options *o)
{
	static const char *const example[] = { "run.csv" };
	const char *const *file = o->nargs > 0 ? o->arg : example;
	unsigned n = o->nargs > 0 ? o->nargs : 1;

	fputs("-- The tables of ktop-csv(5), schema ktop/1, for sqlite and DuckDB. After this file,\n-- in the sqlite3 shell:\n"
	      "--   .mode csv\n",
	      fp);
	for (unsigned i = 0; i < n; i++)
		print_sqlite_import(fp, file[i]);
	fputs("--   INSERT INTO ktop SELECT * FROM ktop_typed;\n"
	      "--   DELETE FROM ktop_import;\n"
	      "-- in DuckDB:\n",
	      fp);
	for (unsigned i = 0; i < n; i++) {
		fputs("--   COPY ktop FROM ", fp);
		print_quoted(fp, file[i]);
		fputs(" (HEADER, NULLSTR '');\n", fp);
	}
	putc('\n', fp);
}

/* Columns of processes are in recordings made with them. */
static void
print_schema(FILE *fp, const struct options *o)
{
	bool processes = has_processes(o);
	unsigned n = processes ? column_count_all() : column_count();

	print_imports(fp, o);
	print_table(fp, "ktop", true, n);
	print_table(fp, "ktop_import", false, n);
	print_typed(fp, n);
	print_clusters(fp);
	print_events(fp);
	if (processes)
		print_processes(fp);
}

static FILE *
open_output(const struct options *o, struct err *e)
{
	if (strcmp(o->sql, "-") == 0)
		return stdout;
	int fd = open(o->sql,
		      O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY |
			      (o->force ? O_TRUNC : O_EXCL),
		      0666);

	if (fd >= 0 && fd_is_endless(fd)) {
		close(fd);
		return err_null(e, ERR_FAIL, "%s takes no bytes", o->sql);
	}
	FILE *fp = fd >= 0 ? fdopen(fd, "w") : NULL;

	if (fp == NULL && fd < 0 && errno == EEXIST)
		err_set(e, ERR_FAIL,
			"%s exists; choose another name, or replace it with --force",
			o->sql);
	else if (fp == NULL)
		err_set(e,
			errno == EACCES || errno == EPERM ? ERR_PERM : ERR_FAIL,
			"cannot create %s: %s", o->sql, strerror(errno));
	if (fp == NULL && fd >= 0)
		close(fd);
	return fp;
}

int
command_export(const struct options *o)
{
	struct err e = { ERR_NONE, "" };

	if (o->sql == NULL) {
		err_set(&e, ERR_USAGE,
			"export needs what to write: ktop export --sql FILE, or - for standard output");
		return err_fail(&e);
	}
	if (!drop_root(&e))
		return err_fail(&e);
	FILE *fp = open_output(o, &e);

	if (fp == NULL)
		return err_fail(&e);
	print_schema(fp, o);
	if (fp == stdout)
		return 0;
	bool bad = fflush(fp) != 0 || ferror(fp) != 0;

	bad = fclose(fp) != 0 || bad;
	if (!bad)
		return 0;
	err_set(&e, ERR_FAIL, "cannot write %s: %s", o->sql, strerror(errno));
	return err_fail(&e);
}
