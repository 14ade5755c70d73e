#!/bin/sh
# The rules of the project that a machine can check; ARCHITECTURE.md says why.
# Prints "ok" or "not ok" for each rule, and its breaches, or "ok ... # SKIP"
# and what is missing here; under 5 seconds.
#
#	B		the build folder whose objects are looked at (build)
#	CC		the compiler for the headers (cc)
#	LINT_CFLAGS	where it finds the libraries, as the Makefile says
set -u

cd "$(dirname "$0")/../.." || exit 1
build=${B:-build}
file_lines=800
function_lines=80
features='-D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE
	-D_XOPEN_SOURCE_EXTENDED -D_DARWIN_C_SOURCE'
clang_format=14 # other versions disagree about a few lines

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A tool that fails finds nothing: the rule that used it is broken. 1 is grep's
# word for no match.
used()
{
	command "$@"
	status=$?
	[ $status = 0 ] || [ "$1 $status" = 'grep 1' ] ||
	    echo "$1 ended with status $status" >>"$work/failed"
	return $status
}
for tool in awk comm find git grep nm objdump sed sort xargs; do
	eval "$tool() { used $tool \"\$@\"; }"
done
is_here() # in spite of a function of that name
{
	(unset -f "$1"; command -v "$1" >/dev/null 2>&1)
}

sources=$(find src -name '*.[ch]' | sort)
headers=$(find src -name '*.h' | sort)
c_files=$(find src tests -name '*.[ch]' ! -path 'tests/data/*' | sort)
# recorded machines and screens are others' words
texts=$(find src tests docs themes Makefile README.md .ci .github -type f \
    ! -path 'tests/data/*' ! -name '*.png' \
    ! -name '*.o' ! -name '*.pyc' 2>/dev/null | sort)

# skip WHY: for a rule that cannot be checked on this machine
skip()
{
	echo "$*" >"$work/skipped"
}

# Which module may include which stands in the Makefile, as uses_MODULE, from the
# ground up: so no modules are in a circle.
corridors()
{
	# shellcheck disable=SC2086
	awk '
	# a/b/linux/file.h belongs to the module a/b
	function module_of(path) {
		sub(/^src\//, "", path)
		if (!sub(/\/[^\/]*$/, "", path)) return ""
		sub(/\/(linux|mac)$/, "", path)
		return path
	}
	FILENAME == "Makefile" {
		if (match($0, /^uses_[a-z\/]+[ \t]*:=/)) {
			module = substr($0, 6, RLENGTH - 7)
			sub(/[ \t:]*$/, "", module)
			n = split(substr($0, RLENGTH + 1), use, " ")
			may[module, module] = known[module] = 1
			for (i = 1; i <= n; i++) {
				may[module, use[i]] = 1
				if (!(use[i] in known))
					print "Makefile:" FNR ": " module " uses " \
					    use[i] ", which no line above has"
			}
		}
		next
	}
	FNR == 1 {
		module = module_of(FILENAME)
		if (module != "" && !(module in known))
			print FILENAME ":1: " module " has no uses_" module \
			    " line in the Makefile"
	}
	/^[ \t]*#[ \t]*include[ \t]*"/ {
		split($0, part, "\"")
		to = module_of(part[2])
		if (to == "" && !((getline line < ("src/" module "/" part[2])) > 0))
			next # made by the build
		if (to == "")
			print FILENAME ":" FNR ": \"" part[2] \
			    "\" is not written as module/file.h"
		else if (module != "" && !((module, to) in may)) # main.c: all
			print FILENAME ":" FNR ": " module " may not include " \
			    part[2]
	}
	/^[ \t]*#[ \t]*include[ \t]*<n?curses/ && \
	    FILENAME !~ /^src\/ui\/term\/tty_write\.c$/ {
		print FILENAME ":" FNR ": curses belongs in ui/term/tty_write.c"
	}' Makefile $sources
}

# Every module has a row in the table of ARCHITECTURE.md, and no other has.
modules_are_drawn()
{
	[ -e docs/ARCHITECTURE.md ] || return 0
	awk '
	FILENAME == "Makefile" {
		if (match($0, /^uses_[a-z\/]+/))
			there[substr($0, 6, RLENGTH - 5)] = 1
		next
	}
	match($0, /^\| `[a-z\/]+` \|/) {
		module = substr($0, 4, RLENGTH - 6)
		drawn[module] = 1
		if (!(module in there))
			print FILENAME ":" FNR ": the Makefile has no uses_" module
	}
	END {
		for (module in there)
			if (!(module in drawn))
				print "docs/ARCHITECTURE.md:1: its table of" \
				    " modules has no row `" module "`"
	}' Makefile docs/ARCHITECTURE.md
}

# The Makefile picks the folders linux/ or mac/ as a whole.
no_os_ifdefs()
{
	# shellcheck disable=SC2086
	grep -nE '^[[:space:]]*#[[:space:]]*(el)?if.*(__APPLE__|__MACH__|__linux|__gnu_linux__|__FreeBSD__|_WIN32|TARGET_OS_)' \
	    $sources | sed 's/$/ (the Makefile picks whole folders, linux or mac)/'
}

short_files()
{
	# shellcheck disable=SC2086
	awk -v limit=$file_lines '
	function judge() {
		if (lines > limit && !table)
			print file ":1: " lines " lines; " limit \
			    " are enough, or its first line says table"
	}
	FNR == 1 { judge(); file = FILENAME; table = 0; comment = 0 }
	!comment && /[A-Za-z]/ {
		comment = 1
		table = /^(\/\*| \*)/ && tolower($0) ~ /table/
	}
	{ lines = FNR }
	END { judge() }' $c_files
}

# A function begins with its name in the first column, as the format wants it.
short_functions()
{
	# shellcheck disable=SC2086
	awk -v limit=$function_lines '
	FNR == 1 { name = ""; inside = 0 }
	!inside && /^[A-Za-z_][A-Za-z_0-9]*\(/ {
		line = FNR
		name = $0
		sub(/\(.*/, "", name)
	}
	/^{/ { inside = name != "" }
	/^}/ {
		if (inside && FNR - line + 1 > limit)
			print FILENAME ":" line ": " name " has " \
			    FNR - line + 1 " lines; " limit " are enough"
		name = ""
		inside = 0
	}' $c_files
}

# The modules' objects: the build folder has other machines' as well.
objects_of_modules()
{
	for module in src/*/; do
		built=$build/$(basename "$module")
		[ ! -d "$built" ] || find "$built" -name '*.o'
	done | while read -r object; do
		file=src/${object#"$build"/}
		[ ! -e "${file%o}c" ] || echo "$object"
	done
}

# Inside a module too, what calls stands above what is called. An object that is
# left when all without a caller or without a call are taken away, again and
# again, is in a circle.
no_circles()
{
	objects=$(objects_of_modules)
	[ -n "$objects" ] || {
		skip "nothing is built in $build"
		return
	}
	is_here nm || {
		skip 'no nm here'
		return
	}
	# shellcheck disable=SC2086
	nm -A -g $objects 2>/dev/null | awk -v build="$build/" '
	function module_of(object) {
		sub(/\/[^\/]*$/, "", object)
		sub(/\/(linux|mac)$/, "", object)
		return object
	}
	FILENAME != "-" {
		if (/^[^#]/ && NF < 2)
			print FILENAME ":" FNR ": gives no reason"
		if (/^[^#]/) excepted[$1] = FILENAME ":" FNR
		next
	}
	{
		object = $1
		sub(/:.*/, "", object)
		object = substr(object, length(build) + 1)
		there[object] = left[object] = 1
		if ($(NF - 1) == "U")
			wants[object, $NF] = 1
		else
			home[module_of(object), $NF] = object
	}
	function take_away(   key, part, calls, called, o, more) {
		do {
			more = 0
			split("", calls)
			split("", called)
			for (key in edge) {
				split(key, part, SUBSEP)
				if (!(part[1] in left) || !(part[2] in left))
					continue
				calls[part[1]] = called[part[2]] = 1
			}
			for (o in left)
				if (!(o in calls) || !(o in called)) {
					delete left[o]
					more = 1
				}
		} while (more)
	}
	END {
		for (key in wants) {
			split(key, part, SUBSEP)
			if (!((module_of(part[1]), part[2]) in home))
				continue
			to = home[module_of(part[1]), part[2]]
			if (to != part[1])
				edge[part[1], to] = 1
		}
		take_away()
		for (o in excepted)
			if (o in there && !(o in left))
				print excepted[o] ": " o \
				    " is in no circle any more"
		for (o in left) {
			source = o
			sub(/o$/, "c", source)
			if (!(o in excepted))
				print "src/" source ":1: is in a circle of" \
				    " objects of its module"
		}
	}' tests/lint/circles.txt - | sort
}

# Constants with addresses in them lie in .data.rel.ro, which is read-only when
# the program runs; nm would call them data.
no_globals()
{
	objects=$(objects_of_modules)
	[ -n "$objects" ] || {
		skip "nothing is built in $build"
		return
	}
	is_here objdump && version=$(objdump --version) || version=
	case $version in
	*GNU*) ;;
	*) skip 'no GNU objdump here'; return ;;
	esac
	# shellcheck disable=SC2086
	objdump -t $objects | awk -v build="$build/" '
	FILENAME != "-" {
		if (/^[^#]/ && NF < 3)
			print FILENAME ":" FNR ": gives no reason"
		if (/^[^#]/) allowed[$1, $2] = FILENAME ":" FNR
		next
	}
	/file format/ {
		object = $1
		sub(/:$/, "", object)
		object = substr(object, length(build) + 1)
		there[object] = 1
	}
	$1 !~ /^[0-9a-f]+$/ { next }
	{ # value, flags in fixed places, section, size, name
		split(substr($0, length($1) + 10), field, /[ \t]+/)
		section = field[1]
		name = $NF
		sub(/\.[0-9]+$/, "", name) # gcc: name.1234
		sub(/^.*\./, "", name) # clang: function.name
	}
	section !~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ { next }
	section ~ /^\.data\.rel\.ro/ || $NF ~ /^\./ { next }
	name ~ /^__(odr_)?asan/ { next }
	(object, name) in allowed { used[object, name] = 1; next }
	{
		source = object
		sub(/o$/, "c", source)
		print "src/" source ":1: " name " is a mutable global (" \
		    section "); tests/lint/globals.txt has the exceptions"
	}
	END {
		for (key in allowed) {
			split(key, part, SUBSEP)
			if (part[1] in there && !(key in used))
				print allowed[key] ": there is no " part[2] \
				    " in " part[1] " any more"
		}
	}' tests/lint/globals.txt -
}

no_bad_calls()
{
	# shellcheck disable=SC2086
	grep -nE '(^|[^A-Za-z0-9_.>])(strcpy|strcat|sprintf|vsprintf|atoi|atol|atof|alloca|gets|strtok)[[:space:]]*\(' \
	    $sources | sed 's/$/ (its result cannot be checked)/'
}

# Brackets behind sizeof are a type's; (void) says that a result is of interest
# to others, not that printing has one.
one_dialect()
{
	# shellcheck disable=SC2086
	grep -nE 'sizeof\(\*?[A-Za-z_][A-Za-z0-9_]*((->|\.)[A-Za-z0-9_]+|\[[^][]*\])*\)' \
	    $sources | grep -vE '\\$|:[[:space:]]*#|sizeof\((const )?(unsigned|int|long|short|char|bool|float|double|void|[a-z0-9_]+_t|Dl_info)\)' |
	    sed 's/$/ (sizeof x, without brackets)/'
	# shellcheck disable=SC2086
	grep -nE '^[[:space:]]*\(void\)(v?snprintf|v?fprintf|printf|fputs|fputc|putc|puts|err_set|buf_cstr|close|fclose)\(' \
	    $sources | sed 's/$/ (no (void) before this)/'
}

# The brackets keep this file from finding itself.
no_bad_words()
{
	# shellcheck disable=SC2086
	grep -nIiwE 'TOD[O]|FIXM[E]|XX[X]|HAC[K]|not implemente[d]|place[h]older|stubbe[d]|stu[b]' \
	    $texts | sed 's/$/ (finish it, or say what it is)/'
	# shellcheck disable=SC2086
	grep -nIE "(^|[[:space:]\"'=(<\`:])/(wor[k]|roo[t]|hom[e])(/|\$|[[:space:]\"'\`])" \
	    $texts | sed 's/$/ (a path of one machine)/'
}

# tests/lint/words.txt has the words that are never right, what to write instead
# and the files that may have them.
plain_words()
{
	# shellcheck disable=SC2086
	prose=$(printf '%s\n' $texts | grep -E '^(src|docs|themes|README.md)(/|$)')
	while IFS='	' read -r word instead but; do
		case $word in ''|'#'*) continue ;; esac
		# shellcheck disable=SC2086
		grep -nIiwE "$word" /dev/null $prose |
		    awk -F : -v instead="$instead" -v but="$but" -v word="$word" '
		BEGIN {
			for (n = split(but, file, " "); n > 0; n--)
				may[file[n]] = 1
		}
		$1 in may { has[$1] = 1; next }
		{ print $1 ":" $2 ": write " instead " for " word }
		END {
			for (f in may)
				if (!(f in has))
					print "tests/lint/words.txt:1: " f \
					    " does not have " word
		}'
	done <tests/lint/words.txt
}

# A name that stands for one function is found by grep: none is defined static in
# two files, nor static here and public there. Members of a table of operations
# (struct NAME_ops) are excepted; names.txt has what is left to rename.
one_name()
{
	# shellcheck disable=SC2086
	awk '
	FILENAME == "tests/lint/names.txt" {
		if (/^[^#]/) left[$1] = FNR
		next
	}
	FNR == 1 { name = ""; is_static = in_ops = 0 }
	/^(static )?(const )?struct [a-z_]+_ops [a-z_]+ = {/ { in_ops = 1 }
	in_ops {
		n = split($0, part, /[ \t,{}=&]+/)
		for (i = 1; i <= n; i++) member[FILENAME, part[i]] = 1
		if (/};/) in_ops = 0
		next
	}
	/^[A-Za-z_][A-Za-z_0-9]*\(/ {
		name = $0
		sub(/\(.*/, "", name)
		line = FNR
		next
	}
	/^[A-Za-z_]/ { is_static = /^static/ && !/[=;]/; name = "" }
	/^{/ && name != "" {
		at[++defined] = FILENAME ":" line
		file[defined] = FILENAME
		sub(/\/linux\//, "/mac/", file[defined]) # one is compiled
		called[defined] = name
		private[defined] = is_static
		name = ""
	}
	END {
		for (i = 1; i <= defined; i++) {
			name = called[i]
			if ((file[i], name) in member)
				continue
			if (name in first && file[first[name]] != file[i] && \
			    (private[i] || private[first[name]]))
				if (name in left)
					twice[name] = 1
				else
					print at[i] ": " name " is also in " \
					    at[first[name]]
			if (!(name in first) || private[i])
				first[name] = i
		}
		for (name in left)
			if (!(name in twice))
				print "tests/lint/names.txt:" left[name] ": " \
				    name " is one function: remove the line"
	}' tests/lint/names.txt $sources
}

headers_stand_alone()
{
	# included, as a function that one file does not use is no error there
	# shellcheck disable=SC2086,SC2016
	printf '%s\n' $headers | xargs -P 2 -n 4 sh -c '
	for h; do
		echo "#include \"${h#src/}\"" | $0 -fsyntax-only -std=c11 -Wall \
		    -Wextra -Werror -Isrc -I"$gen" $LINT_CFLAGS -x c - \
		    >"$work/$$" 2>&1 || {
			echo "$h:1: does not compile alone"
			grep -m 3 error "$work/$$" | sed "s/^/    /"
		}
	done' "${CC:-cc}"
	# shellcheck disable=SC2086
	awk '
	function judge() {
		if (file != "" && (guard == "" || guard != define || \
		    last !~ /^#endif/))
			print file ":1: has no include guard (" want ")"
	}
	FNR == 1 {
		judge()
		file = FILENAME
		guard = define = ""
		want = toupper(file)
		sub(/^SRC\//, "", want)
		gsub(/[^A-Z0-9]/, "_", want)
		if (!/^\/\*/)
			print file ":1: does not open by saying what it is"
	}
	guard == "" && /^#ifndef/ { guard = $2; next }
	guard != "" && define == "" && /^#define/ {
		define = $2
		if (define != want)
			print file ":" FNR ": the guard is not called " want
	}
	NF { last = $0 }
	END { judge() }' $headers
}

# Our own files, where a text names them, are there, but for those that
# docs/ADDING.md has somebody make.
references_exist()
{
	# shellcheck disable=SC2086
	grep -noIE '(^|[^A-Za-z0-9_./$}%*-])(src|tests|docs|themes)/[A-Za-z0-9_./-]+\.(c|h|sh|md|theme|png|txt|tsv|[1-8])($|[^A-Za-z0-9_])' \
	    $texts | awk -F : '
	BEGIN {
		while ((getline line < "docs/ADDING.md") > 0)
			if (split(line, part, "`") > 2 && part[1] == "A new file ")
				made[part[2]] = 1
	}
	{
		where = $1 ":" $2
		name = $0
		sub(/^[^:]*:[^:]*:/, "", name)
		match(name, /(src|tests|docs|themes)\/[A-Za-z0-9_.\/-]+/)
		name = substr(name, RSTART, RLENGTH)
		sub(/\.$/, "", name)
		if (name ~ /NAME|MODULE/ || name in made)
			next
		if ((getline line < name) < 0)
			print where ": there is no " name
		close(name)
	}'
}

# All with KTOP_LONG=1 or where there is no git, else what differs from the last
# commit: the whole tree takes longer than all other rules together.
to_format()
{
	# shellcheck disable=SC2086
	printf '%s\n' $c_files | sort >"$work/all"
	if [ -n "${KTOP_LONG:-}" ] || ! command git rev-parse HEAD >/dev/null 2>&1; then
		cat "$work/all"
	else
		{
			git diff --name-only --relative HEAD
			git ls-files --others --exclude-standard
		} | sort | comm -12 - "$work/all"
	fi
}

formatted()
{
	case $(clang-format --version 2>/dev/null) in
	*"version $clang_format."*) ;;
	*) skip "no clang-format $clang_format here"; return ;;
	esac
	to_format >"$work/format"
	command xargs -P 2 -n 16 clang-format --dry-run -Werror <"$work/format" \
	    >"$work/formatted" 2>&1 ||
	    grep -q : "$work/formatted" || echo 'clang-format failed'
	grep -oE '^[^ :]+:[0-9]+:' "$work/formatted" |
	    awk -F : '{ n[$1]++; if (!($1 in first)) first[$1] = $2 }
		END { for (f in n) print f ":" first[f] ": clang-format", \
		    "would change", n[f], "places" }' | sort
}

# What GitHub runs is a target or a script of ours, so that it was run here; only
# a bare container is first given the two things that the README asks for.
workflow_steps()
{
	awk '
	FILENAME ~ /Makefile$|\.mk$/ {
		if (match($0, /^[a-zA-Z0-9_.-]+:/))
			target[substr($0, 1, RLENGTH - 1)] = 1
		next
	}
	!/^[ \t]*(- )?run:/ { next }
	{
		line = $0
		sub(/^[ \t]*(- )?run:[ \t]*/, "", line)
		n = split(line, word, " ")
		where = FILENAME ":" FNR ": "
		if (word[1] == "apt-get" && line ~ / git make ca-certificates$/)
			next
		if (word[1] == "sh" && n == 2) {
			if ((getline text < word[2]) < 0)
				print where "there is no " word[2]
		} else if (word[1] != "make" || n != 2)
			print where "neither make TARGET nor sh SCRIPT: " line
		else if (!(word[2] in target))
			print where "the Makefile has no target " word[2]
	}' Makefile src/kperf/sampler.mk $(find .github -name '*.yml')
}

# Each error and notice stands in tests/data/messages.tsv with a test that has its words.
messages_have_rows()
{
	is_here python3 || { skip 'no python3'; return; }
	command python3 tests/messages.py ||
	    echo 'update the table: python3 tests/messages.py --write'
}

echo control | grep -q control || echo 'grep finds nothing' >>"$work/failed"
[ ! -e "$work/failed" ] || { echo 'not ok lint: files'; cat "$work/failed"; exit 1; }
export work gen="$build/gen" LINT_CFLAGS="$features ${LINT_CFLAGS:-}"
broken=0
for rule in corridors modules_are_drawn no_os_ifdefs short_files short_functions no_circles no_globals \
    no_bad_calls one_dialect no_bad_words plain_words one_name headers_stand_alone references_exist workflow_steps messages_have_rows formatted
do
	rm -f "$work/skipped" "$work/failed"
	$rule >"$work/found"
	if [ -e "$work/failed" ]; then
		echo "not ok lint: $rule"
		sort -u "$work/failed"
		broken=$((broken + 1))
	elif [ -s "$work/skipped" ]; then
		echo "ok lint: $rule # SKIP $(cat "$work/skipped")"
	elif [ -s "$work/found" ]; then
		echo "not ok lint: $rule"
		cat "$work/found"
		broken=$((broken + 1))
	else
		echo "ok lint: $rule"
	fi
done
[ "$broken" = 0 ]
