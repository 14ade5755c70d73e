#!/bin/sh
# The lint on a small tree of its own: it finds what it is for, with each
# compiler, and what it cannot check it does not call ok without a word.
here=$(cd "$(dirname "$0")/../.." && pwd)
of=lint
logs=lint.log
. "$here/tests/e2e/check.sh"
lint() # [VARIABLE=VALUE...]
{
	env "$@" sh tree/tests/lint/lint.sh >lint.log 2>&1 </dev/null
}
says()
{
	grep -q -e "$1" lint.log
}

mkdir -p tree/src/base/mac tree/src/base/linux tree/src/kperf tree/tests/lint tree/docs tree/themes \
    tree/.ci tree/.github
: >tree/src/kperf/sampler.mk
cp "$here/.clang-format" tree/
cp "$here/tests/lint/lint.sh" tree/tests/lint/
mkdir -p tree/tests/data
cp "$here/tests/messages.py" tree/tests/
: >tree/tests/data/messages.tsv
: >tree/tests/lint/globals.txt
: >tree/tests/lint/circles.txt
: >tree/tests/lint/words.txt
: >tree/tests/lint/names.txt
: >tree/README.md
: >tree/docs/ADDING.md
echo 'uses_base :=' >tree/Makefile
# shellcheck disable=SC2016
echo '| `base` | |' >tree/docs/ARCHITECTURE.md
cat >tree/src/base/one.h <<'END'
/* One. */
#ifndef BASE_ONE_H
#define BASE_ONE_H
static inline int
one(void)
{
	return 1;
}
#endif
END
body() # LINES
{
	echo '/* Long. */'
	echo 'static const int few[] = {'
	echo '	1,'
	echo '};'
	printf 'int\nlong_one(void)\n{\n'
	awk -v n="$1" 'BEGIN { for (i = 3; i < n - 1; i++) print "\t(void)few[0];" }'
	printf '\treturn few[0];\n}\n'
}

in_order()
{
	lint "$@" && ! says '^not ok'
}
body 80 >tree/src/base/long.c
check 'a tree in order passes' in_order
for cc in gcc clang; do
	command -v $cc >/dev/null 2>&1 || continue
	check "with $cc a header may have a function that nobody uses" \
	    in_order CC=$cc
done

# A tool that fails has checked nothing.
mkdir -p tree/build/base
function_of() # NAME CALLS
{
	printf 'int %s(void);\nint %s(void);\nint %s(void) { return %s(); }\n' \
	    "$1" "$2" "$1" "$2" >"tree/src/base/$1.c"
	"${CC:-cc}" -c -o "tree/build/base/$1.o" "tree/src/base/$1.c"
}
mkdir bin
fails() # TOOL RULE
{
	printf '#!/bin/sh\nexit 1\n' >"bin/$1"
	chmod 755 "bin/$1"
	lint PATH="$PWD/bin:$PATH"
	status=$?
	rm "bin/$1"
	[ $status != 0 ] && says "^not ok lint: $2"
}
function_of long_one getpid
body 80 >tree/src/base/long.c
mv tree/build/base/long_one.o tree/build/base/long.o
rm tree/src/base/long_one.c
check 'with an object it still passes' in_order
check 'a compiler that fails is a breach' \
    eval '! lint CC=false && says "^not ok lint: headers_stand_alone"'
while read -r tool rule; do
	! command -v "$tool" >/dev/null 2>&1 ||
	    check "where $tool fails, the lint fails ($rule)" fails "$tool" "$rule"
done <<END
awk corridors
awk no_circles
awk short_files
find files
grep files
nm no_circles
objdump no_globals
sed no_bad_calls
sort files
xargs headers_stand_alone
END
rm -r tree/build

too_long()
{
	! lint && says '^not ok lint: short_functions' &&
	    says '/base/long.c:6: long_one has 81 lines'
}
body 81 >tree/src/base/long.c
check 'a function of 81 lines is too long' too_long
body 80 >tree/src/base/long.c

two_dialects()
{
	! lint && says '^not ok lint: one_dialect' &&
	    ! says '/base/said.c:[236]:' && says '/base/said.c:4:.*without brackets' &&
	    says '/base/said.c:5:.*no (void) before this'
}
cat >tree/src/base/said.c <<'END'
/* Said. */
static const char text[sizeof(struct one *)];
#define SIZE(x) (sizeof(x))
static const unsigned long n = sizeof(text);
	(void)fputs(text, stdout);
	(void)unlink(text);
END
check 'a second dialect is found' two_dialects
rm tree/src/base/said.c

# $said, $old and $gone: no file of ours has these names
said=src/base/said old=docs/old gone=docs/gone
not_plain()
{
	! lint && says '^not ok lint: plain_words' &&
	    says "^$said.c:1: write none for computes" && ! says "^$old.md" &&
	    says "^tests/lint/words.txt:1: $gone.md does not have computes"
}
printf 'computes\tnone\t%s.md %s.md\n' "$old" "$gone" >tree/tests/lint/words.txt
echo '/* It Computes. */' >"tree/$said.c"
echo 'It computes; recomputes is another word.' >"tree/$old.md"
check 'a word that is never right is found' not_plain
: >tree/tests/lint/words.txt
rm "tree/$said.c" "tree/$old.md"

# Static in two files, static here and public there; what is excepted: members of
# tables, what linux/ and mac/ both define, names that are left.
one_name()
{
	! lint && says '^not ok lint: one_name' &&
	    [ "$(sed -n 's/^.*: \(.*\) is [ao][ln][se].*/\1/p' lint.log |
		sort | tr '\n' ' ')" = 'also fill gone ' ] &&
	    says '^tests/lint/names.txt:2: gone is one function'
}
defines() # FILE STATIC NAME...
{
	echo '/* Names. */' >"tree/src/base/$1.c"
	is=$2 of_file=$1
	shift 2
	for name; do
		printf '%sint\n%s(\n    void)\n{\n}\n' "$is" "$name"
	done >>"tree/src/base/$of_file.c"
	printf 'static const struct name_ops table = {\n\t.read = read_it,\n};\n' \
	    >>"tree/src/base/$of_file.c"
}
defines first 'static ' fill left read_it also
defines second 'static ' fill left read_it
defines third '' also open
defines fourth '' open
defines linux/one 'static ' now
defines mac/one 'static ' now
printf 'left\ngone\n' >tree/tests/lint/names.txt
check 'a name that stands for two functions is found' one_name
: >tree/tests/lint/names.txt
rm tree/src/base/first.c tree/src/base/second.c tree/src/base/third.c \
    tree/src/base/fourth.c tree/src/base/linux/one.c tree/src/base/mac/one.c

alone()
{
	! lint && says '^not ok lint: headers_stand_alone' &&
	    says '/base/one.h:1: does not compile alone'
}
echo 'size_t two(void);' >>tree/src/base/one.h
check 'a header that needs another is found' alone

upside_down()
{
	! lint CC=true && says '^not ok lint: corridors' &&
	    says 'Makefile:1: base uses loft, which no line above has'
}
printf 'uses_base := loft\nuses_loft := base\n' >tree/Makefile
check 'modules in a circle are found' upside_down

not_drawn()
{
	! lint CC=true && says '^not ok lint: modules_are_drawn' &&
	    says 'its table of modules has no row `loft`'
}
check 'a module that ARCHITECTURE.md does not have is found' not_drawn
echo 'uses_base :=' >tree/Makefile

mkdir -p tree/build/base
# Of two that call each other and a third that calls one, two are in a circle.
circle() # OBJECT...
{
	! lint CC=true && says '^not ok lint: no_circles' &&
	    [ "$(sed -n 's/^src\(.*\):1: is in a circle.*/\1/p' lint.log |
		tr '\n' ' ')" = "$1 $2 " ]
}
there_no_more()
{
	! lint CC=true &&
	    says '^tests/lint/circles.txt:1: base/hen.o is in no circle'
}
function_of hen egg
function_of egg hen
function_of cook egg
check 'objects that call each other are a circle' \
    circle /base/egg.c /base/hen.c
function_of egg getpid
echo 'base/hen.o a hen has her reasons' >tree/tests/lint/circles.txt
check 'an exception that is none any more is told' there_no_more
: >tree/tests/lint/circles.txt
rm -f tree/src/base/egg.c tree/src/base/hen.c tree/src/base/cook.c

# A message has a row, a row a message, and its test words of it.
message_row() # ROW, what lint prints
{
	printf '%b' "$1" >tree/tests/data/messages.tsv
	! lint CC=true && says '^not ok lint: messages_have_rows' && says "$2"
}
echo 'the house has no windows here' >tree/tests/rooms.txt
echo 'the house has many rooms' >tree/tests/few.txt
printf 'int f(void) { return err_set(0, 1, "%%s: the house has "\n"no doors"); }\n' \
    >tree/src/base/message.c
row='%s: the house has no doors'
check 'a message without a row is found' message_row '' "message.c: no row in .*: $row"
check 'a row without a message is found' message_row "$row\t- why\nno such house\t- why\n" \
    'no such message in src: no such house'
check 'a test without words of the message is found' message_row "$row\ttests/README\n" \
    "tests/README has no words of: $row"
check 'a test with three of its words is not enough' message_row "$row\ttests/few.txt\n" \
    "few.txt has no words of: $row"
printf '%s\ttests/rooms.txt\n' "$row" >tree/tests/data/messages.tsv
no_message()
{
	lint CC=true
	says '^ok lint: messages_have_rows$'
}
check 'a test with words of the message will do' no_message
rm tree/src/base/message.c
: >tree/tests/data/messages.tsv

skipped()
{
	lint PATH="$PWD/bin:$PATH" CC=true
	says '^ok lint: no_globals # SKIP no GNU objdump' &&
	    says '^ok lint: formatted # SKIP no clang-format'
}
cp tree/build/base/hen.o tree/build/base/long.o
printf '#!/bin/sh\necho LLVM\n' >bin/objdump
cp bin/objdump bin/clang-format
chmod 755 bin/*
check 'what cannot be checked here is skipped, not ok' skipped
echo "1..$n"
exit $bad
