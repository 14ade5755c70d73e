/* The script of --completion SHELL calls `ktop --completion words -- ktop
 * WORD...`, which prints completions of the last word, one per line: word, tab,
 * meaning. Other lines instruct the shell: ":files", ":folders", and ":command
 * N": the words from index N on are another command. */
#include "commands/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/columns.h"
#include "options/argv.h"
#include "pmu/pmu.h"
#include "server/open.h"
#include "sim/machine.h"
#include "source/all/sources.h"
#include "ui/draw/choices.h"
#include "ui/theme/theme.h"

/* clang-format off */
static const char bash[] =
"# bash completion of ktop, printed by ktop --completion bash\n"
"# bash 3.2 of macOS has no compopt, which would quote names of files\n"
"_ktop_files()\n"
"{\n"
"	local file\n"
"	for file in $(compgen \"$1\" -- \"$2\"); do\n"
"		compopt -o filenames 2>/dev/null || file=$(printf %q \"$file\")\n"
"		COMPREPLY+=(\"$file\")\n"
"	done\n"
"}\n"
"_ktop()\n"
"{\n"
"	local IFS=$'\\n' rest=${COMP_LINE:0:COMP_POINT} word line i n=-1\n"
"	local -a words\n"
"	# bash breaks words at = and : too; put them together again\n"
"	for ((i = 0; i <= COMP_CWORD; i++)); do\n"
"		word=${COMP_WORDS[i]}\n"
"		if ((i == 0)) || [[ $rest == [[:blank:]]* ]]; then\n"
"			words[++n]=\n"
"		fi\n"
"		rest=${rest#\"${rest%%[![:blank:]]*}\"}\n"
"		((i < COMP_CWORD)) || word=$rest\n"
"		words[n]+=$word\n"
"		rest=${rest#\"$word\"}\n"
"	done\n"
"	case $word in = | :) word= ;; esac\n"
"	local before=${words[n]%\"$word\"}\n"
"	for line in $(command ktop --completion words -- \"${words[@]}\" 2>/dev/null); do\n"
"		case $line in\n"
"		:files) _ktop_files -f \"$word\" ;;\n"
"		:folders) _ktop_files -d \"$word\" ;;\n"
"		:command*)\n"
"			if ((${line#* } == n)) && [[ $word != */* ]]; then\n"
"				COMPREPLY+=($(compgen -c -- \"$word\"))\n"
"			else\n"
"				_ktop_files -f \"$word\"\n"
"			fi ;;\n"
"		*)\n"
"			line=${line%%$'\\t'*}\n"
"			COMPREPLY+=(\"${line#\"$before\"}\") ;;\n"
"		esac\n"
"	done\n"
"}\n"
"complete -F _ktop ktop\n";

static const char zsh[] =
"#compdef ktop\n"
"# zsh completion of ktop, printed by ktop --completion zsh\n"
"_ktop()\n"
"{\n"
"	local line n\n"
"	local -a found\n"
"	for line in ${(f)\"$(command ktop --completion words -- \"${(@Q)words[1,CURRENT-1]}\" \"${(Q)PREFIX}\" 2>/dev/null)\"}; do\n"
"		[[ $line == :* && $PREFIX == --*=* ]] && compset -P '*='\n"
"		case $line in\n"
"		:files) _files ;;\n"
"		:folders) _files -/ ;;\n"
"		:command*)\n"
"			n=${line#* }\n"
"			shift $n words\n"
"			((CURRENT -= n))\n"
"			_normal ;;\n"
"		*) found+=(\"${${line%%$'\\t'*}//:/\\\\:}:${line#*$'\\t'}\") ;;\n"
"		esac\n"
"	done\n"
"	(($#found)) && _describe 'ktop' found\n"
"}\n"
"if [[ $funcstack[1] == _ktop ]]; then\n"
"	_ktop \"$@\"\n"
"else\n"
"	compdef _ktop ktop\n"
"fi\n";

static const char fish[] =
"# fish completion of ktop, printed by ktop --completion fish\n"
"function __ktop_complete\n"
"	set -l words (commandline -opc) (commandline -ct)\n"
"	set -l option (string match -r -- '^--[^=]*=' $words[-1]; or echo '')\n"
"	set -l word (string replace -r -- '^--[^=]*=' '' $words[-1])\n"
"	for line in (command ktop --completion words -- $words 2>/dev/null)\n"
"		switch $line\n"
"			case :files\n"
"				printf '%s\\n' $option(__fish_complete_path $word)\n"
"			case :folders\n"
"				printf '%s\\n' $option(__fish_complete_directories $word)\n"
"			case ':command *'\n"
"				set -l n (math (string replace ':command ' '' -- $line) + 1)\n"
"				complete -C (string join ' ' -- (string escape -- $words[$n..-2]) $words[-1])\n"
"			case '*'\n"
"				echo $line\n"
"		end\n"
"	end\n"
"end\n"
"complete -c ktop -f -a '(__ktop_complete)'\n";

static const struct { const char *name, *script; } shells[] = {
	{ "bash", bash }, { "zsh", zsh }, { "fish", fish },
};
/* clang-format on */
enum { SHELLS = sizeof shells / sizeof *shells };

/* The last word: nbefore bytes that stay, and the part to complete. */
struct typed {
	const char *before;
	int nbefore;
	const char *part;
};

static void
offer(const struct typed *t, const char *name, const char *text)
{
	if (name != NULL && strncmp(name, t->part, strlen(t->part)) == 0)
		printf("%.*s%s\t%s\n", t->nbefore, t->before, name,
		       text != NULL ? text : "");
}

static void
offer_words(const struct typed *t, const char *const *word, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		offer(t, word[i], "");
}

static void
offer_events(const struct options *o, const struct typed *t)
{
	struct err e;
	struct source *s = server_open_source(o, &e);
	const struct catalog *c = s != NULL ? s->info.catalog : NULL;

	for (unsigned i = 0; c != NULL && i < c->len; i++)
		offer(t, c->event[i].name, c->event[i].text);
	(void)server_close_source(o, s, &e);
}

static void
offer_presets(const struct options *o, const struct typed *t)
{
	for (unsigned i = 0; i < user_preset_count(&o->user); i++)
		offer(t, user_preset(&o->user, (int)i)->name,
		      user_preset(&o->user, (int)i)->text);
}

static void
offer_themes(const struct typed *t)
{
	struct theme_list *l = malloc(sizeof *l);

	offer(t, THEME_AUTO, "by the terminal");
	if (l != NULL)
		theme_list_make(l);
	for (unsigned i = 0; l != NULL && i < l->n; i++)
		offer(t, l->name[i], "");
	free(l);
}

static void
offer_commands(const struct typed *t)
{
	for (unsigned i = 0; i < command_count; i++)
		offer(t, command_table[i].name, command_table[i].text);
}

static struct typed
last_of_list(struct typed t)
{
	const char *comma = strrchr(t.part, ',');

	if (comma != NULL)
		t.part = comma + 1;
	t.nbefore = (int)(t.part - t.before);
	return t;
}

static void
offer_value(const struct options *o, const struct option *opt, struct typed t)
{
	const char *name = opt->name, *sorts[OPTION_SORTS];
	struct typed item = last_of_list(t);

	if (opt->nwords > 0)
		offer_words(&t, opt->word, opt->nwords);
	else if (strcmp(name, "preset") == 0)
		offer_presets(o, &t);
	else if (strcmp(name, "rotate") == 0)
		offer_presets(o, &item);
	else if (strcmp(name, "events") == 0)
		offer_events(o, &item);
	else if (strcmp(name, "csv-rows") == 0)
		offer_words(&item, column_row_name, ROW_OF_MACHINE + 1);
	else if (strcmp(name, "view") == 0)
		offer_words(&t, layout_view_name, VIEW_COUNT);
	else if (strcmp(name, "theme") == 0)
		offer_themes(&t);
	else if (strcmp(name, "runs") == 0)
		offer(&t, "auto", "until the times are known to 1 %");
	else if (strcmp(name, "sort") == 0)
		offer_words(&t, sorts, option_sort_names(sorts));
	else if (strcmp(name, "sim") == 0)
		for (const struct sim_machine *m = sim_machines; m->name; m++)
			offer(&t, m->name, m->brand);
	else if (strcmp(name, "source") == 0)
		for (unsigned i = 0; source_table[i] != NULL; i++)
			offer(&t, source_table[i]->name, source_table[i]->text);
	else if (strcmp(name, "chip") == 0)
		for (unsigned i = 0; pmu_at(i) != NULL; i++)
			offer(&t, pmu_at(i)->db, pmu_at(i)->marketing);
	else if (strcmp(name, "completion") == 0)
		for (unsigned i = 0; i < SHELLS; i++)
			offer(&t, shells[i].name, "");
	else if (strcmp(opt->arg, "DIR") == 0)
		puts(":folders");
	else if (strcmp(opt->arg, "FILE") == 0 || strcmp(opt->arg, "PATH") == 0)
		puts(":files");
}

static void
offer_options(const struct argv_scan *s, const char *word)
{
	int used = s->named != NULL ? SHOWN_OF(s->named->id)
		   : s->replays     ? SHOWN_REPLAY
				    : SHOWN_OF(COMMAND_MEASURE);
	struct typed t = { word, 2, word + (word[1] == '-' ? 2 : 1) };
	struct typed no = { "--no-", 5, "" };

	t.before = "--";
	for (unsigned i = 0; i < option_count; i++) {
		const struct option *opt = &option_table[i];
		bool prints = s->named == NULL &&
			      (opt->shown == 0 || opt->type == OPTION_RUN);

		if ((opt->shown & used) == 0 && !prints &&
		    opt->command != COMMAND_HELP)
			continue;
		offer(&t, opt->name, opt->text);
		if (strncmp(word, "--no-", 5) != 0 || !option_is_setting(opt))
			continue;
		no.part = word + 5;
		offer(&no, opt->name, "As if it was not given");
	}
}

static void
offer_word(const struct argv_scan *s, const char *word)
{
	const struct command *c = s->named;

	if (c == NULL && !s->replays)
		offer_commands(&(struct typed){ word, 0, word });
	else if (c == NULL || c->id == COMMAND_SUMMARY ||
		 c->id == COMMAND_COMPARE)
		puts(":files");
}

/* Returns the index of the last command's first word; stat takes several. */
static int
command_at(const struct argv_scan *s)
{
	int at = (int)(s->rest - s->argv);

	for (int i = at; s->named != NULL && i < s->argc - 1; i++)
		if (strcmp(s->argv[i], "--vs") == 0 ||
		    strcmp(s->argv[i], "--and") == 0)
			at = i + 1;
	return at;
}

static void
complete(struct options *o, int n, char **words)
{
	struct argv_scan s = argv_scan(n, words, o->replay.n > 0);
	char *last = words[n - 1];
	struct err e;

	for (;;) {
		if (s.at == n - 1 && s.letter == NULL && last[0] == '-' &&
		    strchr(last, '=') == NULL && !s.plain &&
		    (last[1] == '-' || last[1] == '\0')) {
			offer_options(&s, last);
			return;
		}
		bool at_last = s.at >= n - 1;
		enum argv_kind kind = argv_next(&s, &e);

		if (kind == ARGV_OPTION && s.at >= n && s.word != NULL &&
		    s.word >= last && s.word <= last + strlen(last)) {
			offer_value(o, s.option,
				    (struct typed){ last, (int)(s.word - last),
						    s.word });
			return;
		}
		if (kind == ARGV_OPTION && s.option->type != OPTION_RUN)
			(void)option_apply(o, s.option, s.word, &e);
		if (kind == ARGV_REST && s.rest - s.argv < n) {
			printf(":command %d\n", command_at(&s));
			return;
		}
		if (kind == ARGV_WRONG && !at_last)
			return;
		if (kind == ARGV_END || kind == ARGV_REST || at_last)
			break;
	}
	offer_word(&s, last);
}

static int
complete_words(const struct options *o)
{
	struct options *copy = malloc(sizeof *copy);
	int n = 0;

	while (o->cmd.exec != NULL && o->cmd.exec[n] != NULL)
		n++;
	if (n >= 2 && copy != NULL) {
		*copy = *o;
		complete(copy, n, o->cmd.exec);
	}
	free(copy);
	return 0;
}

int
command_completion(const struct options *o)
{
	const char *names[SHELLS];
	struct err e;

	if (strcmp(o->cmd.help, "words") == 0)
		return complete_words(o);
	for (unsigned i = 0; i < SHELLS; i++) {
		names[i] = shells[i].name;
		if (strcmp(o->cmd.help, names[i]) == 0) {
			fputs(shells[i].script, stdout);
			return 0;
		}
	}
	(void)options_unknown(&e, "shell", o->cmd.help, names, SHELLS,
			      "--help all");
	return err_fail(&e);
}
