# `make help` lists the targets. All output except ./ktop goes to $(B). A module is
# a folder of src/ and becomes one archive; its folders linux/ and mac/ are compiled
# on that system only. uses_MODULE: the modules it may use (docs/ARCHITECTURE.md).

B      ?= build
CC     ?= cc
AR     ?= ar
PREFIX ?= /usr/local
VERSION := 1.0.0

OS     ?= $(shell uname -s)
os     := $(if $(filter Darwin,$(OS)),darwin,linux)
other  := $(if $(filter darwin,$(os)),linux,darwin)
folder_linux  := linux
folder_darwin := mac
here      := $(folder_$(os))

# A module uses only modules above it in this list.
uses_base  :=
uses_process := base
uses_model := base
uses_pmu   :=
uses_pmu/perf := pmu
uses_power := model base
uses_monitor := power model base
uses_kperf := pmu base
uses_sim   := kperf pmu power model base
uses_source := power model base
uses_source/kperf := source sim kperf pmu power process model base
uses_source/perf := source pmu/perf pmu power model base
uses_recording := source pmu model base
uses_source/all := source/kperf source/perf recording source
uses_out   := process monitor model base
uses_ui/draw := base
uses_ui/theme := ui/draw process base
uses_ui/term := ui/theme ui/draw process base
uses_ui/view := ui/draw monitor model base
uses_ui/panels := ui/theme ui/view ui/draw monitor model base
uses_ui    := ui/panels ui/view ui/theme ui/term ui/draw monitor model base
uses_options := out ui/draw source process model base
uses_server := options process source/all source/kperf source power base
uses_stat  := options source/perf source/kperf source sim kperf process model base
uses_analysis := options recording source power process monitor model base
uses_app   := options ui ui/view ui/theme server out recording source monitor power process pmu/perf pmu model base
uses_commands := source/all source analysis app stat options ui/theme ui/draw server out sim recording pmu power process model base
# Other modules that the tests of a module use: to open a source, feed a monitor or
# draw a whole screen.
tests_with_source/kperf := source/all monitor
tests_with_source/perf  := source/all monitor
tests_with_recording    := monitor
tests_with_ui/panels    := ui
tests_with_options      := source/all pmu/perf
MODULES := base process model pmu pmu/perf power monitor kperf sim source \
	source/kperf $(if $(filter linux,$(os)),source/perf) recording source/all out \
	ui/draw ui/theme ui/term ui/view ui/panels ui options server stat analysis app \
	commands

PKG_CONFIG ?= pkg-config
curses_linux  := -lncursesw
curses_darwin := -lncurses
CURSES_CFLAGS ?= $(shell $(PKG_CONFIG) --cflags ncursesw 2>/dev/null)
CURSES_LIBS ?= $(shell $(PKG_CONFIG) --libs ncursesw 2>/dev/null || echo $(curses_$(os)))

# Finds a library that is not in the compiler's own path in the folders of Homebrew
# or MacPorts, once, when it is first needed.
found   = $(shell $(CC) $(CPPFLAGS) $(CFLAGS) -E -include $(1) -x c /dev/null >/dev/null 2>&1 && echo yes)
inside  = $(firstword $(foreach d,$(2),$(if $(wildcard $(d)/include/$(1)),$(d))))
brew    = $(shell brew --prefix 2>/dev/null)
outside = $(or $(call inside,$(1),$(HOMEBREW_PREFIX) /opt/homebrew /usr/local /opt/local),$(call inside,$(1),$(brew)))
define library
look_$(1) = $$(if $$(looked_$(1)),,$$(eval looked_$(1) := yes)$$(eval $(1)_in := $$(if $$(call found,$(2)),,$$(call outside,$(2)))))
$(1)_CFLAGS ?= $$(look_$(1))$$($(1)_in:%=-isystem %/include)
$(1)_LIBS ?= $$(look_$(1))$$($(1)_in:%=-L%/lib) $(3)
endef
$(eval $(call library,CSV,csv.h,-lcsv))
$(eval $(call library,CMOCKA,cmocka.h,-lcmocka))
$(eval $(call library,VTERM,vterm.h,-lvterm))
FRAMEWORKS ?= -framework IOKit -framework CoreFoundation

features_linux  := -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -D_XOPEN_SOURCE_EXTENDED
features_darwin := -D_DARWIN_C_SOURCE -D_XOPEN_SOURCE_EXTENDED
libs_linux      := -ldl -lm
libs_darwin     := $(FRAMEWORKS)

WARN := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes \
	-Wmissing-prototypes -Wpointer-arith -Wcast-qual -Wwrite-strings \
	-Wformat=2 -Wundef -Wvla -Wimplicit-fallthrough
# -g1: line numbers for backtraces; -g compiles a tenth longer.
CFLAGS  ?= -O2 -g1
HARDEN  ?= -D_FORTIFY_SOURCE=2 -fstack-protector-strong
ALL_CFLAGS = -std=c11 -pedantic $(features_$(os)) -DKTOP_VERSION='"$(VERSION)"' \
	-DKTOP_THEMES='"$(PREFIX)/share/ktop/themes"' $(WARN) $(WERROR) $(HARDEN) \
	'-ffile-prefix-map=$(CURDIR)=.' -fPIC -fvisibility=hidden -Isrc -I$(B)/gen $(CPPFLAGS) $(CFLAGS)

V ?= 0
Q := $(if $(filter 1,$(V)),,@)
say = $(if $(filter 1,$(V)),,@printf '  %-5s %s\n' $(1) $(2))

# $(call replace,MODE,FILE,TO): replaces a file that may be running. Writing to it
# fails on Linux (text file busy); macOS kills a program whose signature changed.
replace = install -m $(1) $(2) $(3).new && mv -f $(3).new $(3)

module_src = $(wildcard src/$(1)/*.c src/$(1)/$(here)/*.c)
module_obj = $(patsubst src/%.c,$(B)/%.o,$(call module_src,$(1)))
module_lib = $(B)/lib$(subst /,-,$(1)).a
# A module and all that it uses, in the order that the linker needs.
$(foreach r,$(MODULES),$(eval below_$(r) := $(sort $(r) $(foreach u,$(uses_$(r)),$(below_$(u))))))
turn      = $(if $(1),$(call turn,$(wordlist 2,99,$(1))) $(firstword $(1)))
top_down := $(call turn,$(MODULES))
all_libs  = $(foreach r,$(top_down),$(call module_lib,$(r)))
module_libs = $(foreach r,$(filter $(foreach b,$(1),$(below_$(b))),$(top_down)),$(call module_lib,$(r)))

.PHONY: all
all: ktop $(B)/libkperf-sim.so ## build ktop and the simulated frameworks as a library

ktop: $(B)/ktop
	$(Q)$(call replace,755,$<,$@)

comma    := ,
SANFLAGS := $(if $(SAN),-fsanitize=address$(comma)undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
LINK_LIBS = $(CURSES_LIBS) $(CSV_LIBS) $(libs_$(os)) -lpthread
cflags_ui/term := $(CURSES_CFLAGS)
cflags_out = $(CSV_CFLAGS)
cflags_recording = $(CSV_CFLAGS)

.PHONY: flags
flags: # for scripts that run the compiler
	@echo '$(features_$(os)) $(CPPFLAGS) $(LDFLAGS) $(LINK_LIBS)'

# Packed relocations, if the linker and the C library support them: 300 kB less
# resident memory.
packed     := -Wl,-z,pack-relative-relocs
try_linux  = d=$$(mktemp -d) && echo 'int a; int *p = &a; int main(void) { return *p; }' | \
	$(CC) $(LDFLAGS) $(packed) -Wl,--fatal-warnings -x c - -o $$d/a 2>/dev/null && $$d/a && \
	echo $(packed); rm -rf $$d
ldflags_linux = $(shell $(try_linux))
$(B)/ktop: $(B)/main.o $(all_libs)
	$(call say,LD,$@)
	$(Q)$(CC) $(ldflags_$(os)) $(LDFLAGS) $(SANFLAGS) -o $@ $(B)/main.o $(all_libs) $(LINK_LIBS)

# Tests are compiled without optimisation and linked with the program's objects.
# tests/main.c is the main function of tests that have none.
TESTFLAGS ?= -O0 -g1 -U_FORTIFY_SOURCE
test_cc = $(CC) -Itests $(ALL_CFLAGS) -Wno-unused-parameter $(TESTFLAGS) $(CMOCKA_CFLAGS) $(SANFLAGS)
$(B)/tests/main.a: tests/main.c tests/cmocka.h
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(test_cc) -c -o $(@:.a=.o) $<
	$(Q)rm -f $@ && $(AR) rcs $@ $(@:.a=.o)
SIM_SO ?= $(CURDIR)/$(B)/libkperf-sim.so
define module_rules
$(call module_lib,$(1)): $(call module_obj,$(1)) $(B)/gen/files
	$$(call say,AR,$$@)
	$$(Q)rm -f $$@ && $$(AR) rcs $$@ $$(filter %.o,$$^)
$(call module_obj,$(1)): $(B)/%.o: src/%.c
	@mkdir -p $$(@D)
	$$(call say,CC,$$<)
	$$(Q)$$(CC) $$(ALL_CFLAGS) $$(cflags_$(1)) $$(SANFLAGS) -MMD -MP -c -o $$@ $$<
tests_of_$(1) := $(patsubst tests/%.c,$(B)/tests/%,$(wildcard tests/$(1)/*_test.c tests/$(1)/$(here)/*_test.c))
tests-$(1): $$(tests_of_$(1):%=%.ok)
.PHONY: tests-$(1)
$$(tests_of_$(1):%=%.o): $(B)/%.o: %.c
	@mkdir -p $$(@D)
	$$(call say,CC,$$<)
	$$(Q)$$(test_cc) $$(cflags_$(1)) -MMD -MP -c -o $$@ $$<
$$(tests_of_$(1)): %: %.o $(call module_libs,$(1) $(tests_with_$(1))) $(B)/tests/main.a
	$$(Q)$$(CC) $$(SANFLAGS) -o $$@ $$< $(B)/tests/main.a $(call module_libs,$(1) $(tests_with_$(1))) $$(LDFLAGS) $$(LINK_LIBS) $$(CMOCKA_LIBS)
$$(tests_of_$(1):%=%.ok): %.ok: % $(B)/gen/read_by_tests
	$$(call say,TEST,$$<)
	@rm -f $$@
	$$(Q)unset SUDO_UID SUDO_GID; KTOP_SIM_SO='$$(SIM_SO)' $$< >$$<.log 2>&1 || { cat $$<.log; exit 1; }
	@touch $$@
endef
$(foreach r,$(MODULES),$(eval $(call module_rules,$(r))))

# The default theme as a C string, so that ktop runs without installed files.
$(B)/gen/default_theme.h: themes/default.theme
	@mkdir -p $(@D)
	@{ echo '/* themes/default.theme */'; sed 's/\\/&&/g; s/"/\\"/g; s/.*/"&\\n"/' $<; } >$@
$(B)/ui/theme/theme.o: $(B)/gen/default_theme.h

# Changes with the version or the prefix, which are compiled into some objects.
$(B)/gen/named: always
	@mkdir -p $(@D)
	@echo '$(VERSION) $(PREFIX)' | cmp -s - $@ || echo '$(VERSION) $(PREFIX)' >$@
# Changes with the list of sources, so that archives lose objects of removed files.
$(B)/gen/files: always
	@mkdir -p $(@D)
	@echo '$(foreach r,$(MODULES),$(call module_src,$(r)))' | cmp -s - $@ || \
		echo '$(foreach r,$(MODULES),$(call module_src,$(r)))' >$@
# Changes with the data that unit tests read and with KTOP_LONG: tests run again.
$(B)/gen/read_by_tests: always
	@mkdir -p $(@D)
	@{ echo "$${KTOP_LONG:+long}"; find tests/data tests/fuzz/recording \
		themes docs/SIMULATION.md -type f -exec cksum {} + | sort; } >$@.new; \
		cmp -s $@.new $@ || cp $@.new $@; rm -f $@.new
.PHONY: always
names_it := $(shell grep -lE 'KTOP_(VERSION|THEMES)' $(foreach r,$(MODULES),$(call module_src,$(r))))
$(names_it:src/%.c=$(B)/%.o): $(B)/gen/named

# These tests load the library at run time.
$(B)/tests/sim/export_test.ok $(B)/tests/sim/pet_client_test.ok \
$(B)/tests/source/all/contract_test.ok: $(B)/libkperf-sim.so

# Before the first file is compiled, since one without csv.h comes late.
$(B)/gen/needed:
	@mkdir -p $(@D)
	@printf '#include <csv.h>\n#include <curses.h>\n' | $(CC) $(ALL_CFLAGS) $(CSV_CFLAGS) $(CURSES_CFLAGS) \
		-E -x c - >/dev/null 2>$@.log || { sed -n '/rror/p;/not found/p' $@.log >&2; \
		echo 'make: a C compiler, ncurses or libcsv is missing: make run installs them (asks first)' >&2; exit 1; }
	@touch $@
$(B)/main.o: src/main.c | $(B)/gen/needed
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) $(SANFLAGS) -MMD -MP -c -o $@ $<

# The simulated frameworks as a library for other programs, with Apple's names.
soflags_linux  := -shared -Wl,-z,defs
soflags_darwin := -dynamiclib
sim_libs := $(call module_libs,sim)
$(B)/libkperf-sim.so: $(B)/sim/export.o $(sim_libs)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) $(SANFLAGS) $(soflags_$(os)) -o $@ $(filter %.o,$^) $(call module_libs,sim) $(libs_$(os)) -lpthread

# The kperf module as a library for other programs: kperf-sampler(3).
include src/kperf/sampler.mk

# --- run and test ------------------------------------------------------------
.PHONY: run test test-all check unit e2e lint
JOBS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
run: ## install what is missing, build, start (live counters, else a simulated M1)
	@sh tests/install.sh run
	@$(MAKE) --no-print-directory -j$(JOBS) ktop
	@sh tests/start.sh ./ktop

test: ## install what is missing, build and run every fast test (2 minutes)
	@sh tests/install.sh test
	@$(MAKE) --no-print-directory check

test-all: ## test, sanitizers, long runs, fuzzing, killed runs, macOS, a real kernel (half an hour)
	@sh tests/install.sh all
	@MAKE='$(MAKE)' JOBS=$(JOBS) B=$(B) sh tests/all.sh

# Logs of the tests; tests/summary.sh counts their results.
L := $(B)/logs
# Programs that the end-to-end tests start besides ktop, and their paths.
e2e_tools := $(B)/vtrun $(B)/sim-state $(B)/tables $(B)/libkperf-sim.so
e2e_env = VTRUN='$(CURDIR)/$(B)/vtrun' SIM_STATE='$(CURDIR)/$(B)/sim-state' \
	TABLES='$(CURDIR)/$(B)/tables' 	KTOP_SIM_SO='$(SIM_SO)'
# End-to-end tests mostly wait, so they run beside the compiler, and unit tests run
# with three jobs more than there are processors.
check: ## as test, without looking for packages
	@rm -rf $(L) && mkdir -p $(L)
	@$(MAKE) -s --no-print-directory elsewhere >$(L)/unit.log
	@$(MAKE) --no-print-directory -j$(JOBS) all $(e2e_tools)
	@$(MAKE) --no-print-directory e2e >/dev/null & e2e=$$!; \
		$(MAKE) --no-print-directory lint >/dev/null & lint=$$!; \
		$(MAKE) --no-print-directory -j$$(($(JOBS) + 3)) -k unit; \
		echo $$? >$(L)/unit.status; \
		wait $$lint; cat $(L)/lint.log; wait $$e2e; cat $(L)/e2e.log
	@sh tests/summary.sh $(B)/tests $(B)/unit $(B)/lint $(B)/e2e

unit: $(B)/tests/list $(foreach r,$(MODULES),tests-$(r))
$(B)/tests/list: always # the unit tests that the summary expects
	@mkdir -p $(@D)
	@printf '%s\n' $(foreach r,$(MODULES),$(tests_of_$(r):$(B)/tests/%=%)) >$@
.PHONY: elsewhere
tests_linux := $(wildcard tests/*/linux/*_test.c tests/*/*/linux/*_test.c tests/source/perf/*_test.c)
tests_darwin := $(wildcard tests/*/mac/*_test.c tests/*/*/mac/*_test.c)
tests_elsewhere := $(tests_$(other))
name_linux  := Linux
name_darwin := macOS
elsewhere: # the unit tests of the other system, for the summary
	@for t in $(patsubst tests/%.c,%,$(tests_elsewhere)); do \
		echo "ok $$t # SKIP $(name_$(other)) only"; done
# For cross builds (tests/mac) and scripts.
.PHONY: programs archives modules
modules: $(all_libs)
archives: # for scripts that link modules
	@echo '$(all_libs)'
programs: $(B)/ktop $(e2e_tools) $(B)/soak-year sampler \
	$(foreach r,$(MODULES),$(tests_of_$(r)))
e2e: ktop $(e2e_tools) ## the whole program: recordings, screens, exits
	@mkdir -p $(L)
	@$(e2e_env) sh tests/e2e/run.sh ./ktop >$(L)/e2e.log 2>&1; \
		s=$$?; echo $$s >$(L)/e2e.status; cat $(L)/e2e.log; exit $$s
lint: ## dependencies, sizes, globals, words, format
	@mkdir -p $(L)
	@B=$(B) CC='$(CC)' LINT_CFLAGS='$(CPPFLAGS) $(CSV_CFLAGS)' \
		sh tests/lint/lint.sh >$(L)/lint.log 2>&1; \
		s=$$?; echo $$s >$(L)/lint.status; cat $(L)/lint.log; exit $$s

pty_src := $(wildcard tests/pty/*.c)
pty_libs_linux := -lutil
$(B)/vtrun: $(pty_src) $(wildcard tests/pty/*.h)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) -std=c11 $(features_$(os)) -O1 -g $(WARN) -Itests/pty $(CPPFLAGS) $(VTERM_CFLAGS) \
		-o $@ $(pty_src) $(LDFLAGS) $(VTERM_LIBS) $(pty_libs_$(os))

# Prints the file of a simulated kernel's state as text.
$(B)/sim-state: tests/sim/state.c tests/sim/state_print.h $(call module_libs,sim)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(TESTFLAGS) $(SANFLAGS) -Itests -o $@ $< \
		$(call module_libs,sim) $(LDFLAGS) $(libs_$(os)) -lpthread

# Prints ktop's tables for the manual and the tests.
$(B)/tables: tests/tables.c $(all_libs)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(TESTFLAGS) $(SANFLAGS) -o $@ $< $(all_libs) \
		$(LDFLAGS) $(LINK_LIBS)

.PHONY: bench cpus-bench recipes-check mac-check qemu-check qemu-cost qemu-known fresh-check
bench: ktop ## cost per tick next to other monitors, and recording speed
	B=$(B) sh tests/bench/run.sh ./ktop
$(B)/tickcost: tests/bench/tickcost.c tests/pty/child.c tests/pty/child.h
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) -std=c11 $(features_$(os)) -O2 $(WARN) -Itests/pty $(CPPFLAGS) \
		-o $@ $(filter %.c,$^) $(LDFLAGS) -lm

.PHONY: bench-all bench-ticks bench-instructions instructions-check
bench-all: ## all measurements of docs/PERFORMANCE.md
	@for t in bench bench-instructions bench-ticks cpus-bench qemu-cost; do \
		$(MAKE) --no-print-directory $$t || exit 1; done
bench-ticks: ktop $(B)/tickcost ## CPU time of ticks of 2000 processes and 1024 CPUs
	@python3 tests/bench/ticks.py ./ktop $(B)/tickcost
bench-instructions: ktop $(B)/vtrun ## instructions of a frame, part by part (valgrind)
	@python3 tests/bench/instructions.py ./ktop $(B)/vtrun
instructions-check: ktop $(B)/vtrun ## the same against docs/PERFORMANCE.md's table
	@python3 tests/bench/instructions.py ./ktop $(B)/vtrun --check docs/PERFORMANCE.md
cpus-bench: $(B)/tests/source/perf/scale_test ## ns a CPU for 8 to 1024 CPUs (Linux)
	$(B)/tests/source/perf/scale_test 2>&1 | grep ' CPUs: '
recipes-check: ## apply each recipe of docs/ADDING.md and test the result
	@MAKE='$(MAKE)' JOBS=$(JOBS) sh tests/recipes/check.sh
mac-check: ## build for arm64 and x86_64 macOS, test the macOS files with fakes
	sh tests/mac/check.sh
qemu-check: ## a real kernel with hybrid PMUs in QEMU
	sh tests/qemu/check.sh
qemu-cost: ## the cost of a reading in QEMU, compared with perf stat
	@sh tests/qemu/check.sh cost
qemu-known: ## the same kernel in a QEMU that is patched to known counts
	sh tests/qemu/known.sh
fresh-check: ## the README's first commands on a Debian with nothing but git and make (root)
	sh tests/fresh/check.sh

.PHONY: fuzz soak soak-year soak-hour
fuzz: ## fuzz every parser, FUZZ_SECONDS each (20)
	B=$(B) sh tests/fuzz/run.sh
.PHONY: die-check caller-check proc-check docker-check
die-check: ktop ## kill ktop at every stage and check the kernel's state
	@d=$$(mktemp -d) && cd $$d && DIE=all python3 '$(CURDIR)/tests/e2e/die_test.py' '$(CURDIR)/ktop'; \
		s=$$?; rm -rf $$d; exit $$s
caller-check: ktop $(e2e_tools) ## the end-to-end tests as root, for a caller of sudo
	@$(e2e_env) sh tests/e2e/as_caller.sh ./ktop
proc-check docker-check: %-check: ktop $(e2e_tools)
	@B=$(B) $(e2e_env) sh tests/sandbox/check.sh $* ./ktop
proc-check: ## the end-to-end tests without the processes in /proc (root)
docker-check: ## the end-to-end tests with the rights of a container (root)
SOAK_SECONDS ?= 60
SOAK_SEED ?= $(shell date +%Y%m%d)
SOAK_MACHINES ?= m1 m2max m4max m5max m3ultra m1,rows=copied,lib=errno \
	m5max,os=26.6 m6,pm=0 m5ultra m2max,os=26.6,rows=copied,lib=errno
soak_src := $(filter-out %_$(other).c tests/soak/heap_shim.c,$(wildcard tests/soak/*.c))
$(B)/soak-year: $(soak_src) $(wildcard tests/soak/*.h tests/sim/neighbour.h) $(call module_libs,source/all monitor)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(SANFLAGS) -Itests -o $@ $(soak_src) \
		$(call module_libs,source/all monitor) $(LDFLAGS) $(LINK_LIBS)
# The source of this system on a simulated kernel.
soak_here := $(patsubst tests/%.c,$(B)/tests/%,$(if $(filter linux,$(os)),tests/source/perf/soak_test.c))
soak: ktop $(B)/soak-year $(soak_here) ## simulated machines with faults on stepped clocks, SOAK_SECONDS each (60)
	for m in $(SOAK_MACHINES); do $(B)/soak-year -s $(SOAK_SECONDS) -r $(SOAK_SEED) $$m || exit 1; done
	for t in $(soak_here); do KTOP_SOAK_TICKS=200000 KTOP_SOAK_SEED=$(SOAK_SEED) $$t || exit 1; done
	SOAK_SECONDS=$(SOAK_SECONDS) python3 tests/soak/program.py ./ktop
soak-year: $(B)/soak-year $(soak_here) ## a whole simulated year of each: 5 to 20 minutes a machine
	for m in $(SOAK_MACHINES); do $(B)/soak-year -r $(SOAK_SEED) $$m || exit 1; done
	for t in $(soak_here); do KTOP_SOAK_TICKS=3000000 KTOP_SOAK_SEED=$(SOAK_SEED) $$t || exit 1; done
soak-hour: ktop $(B)/vtrun ## ktop on a terminal, SOAK_HOUR_SECONDS (3600): the heap stays flat
	python3 tests/soak/hour.py ./ktop $(B)/vtrun

.PHONY: size prometheus-check record-bench kill-check
size: ## lines and files of each group of modules; one over its limit fails
	@sh tests/size.sh
prometheus-check: ktop ## the OpenMetrics page in a real Prometheus
	B=$(B) sh tests/prometheus/check.sh ./ktop
record-bench: ktop ## frames a second written, 8 to 1024 cores
	B=$(B) sh tests/bench/record.sh ./ktop
kill-check: ktop $(B)/vtrun ## a recording killed a thousand times
	d=$$(mktemp -d) && cd $$d && KTOP_KILLS=1000 XDG_STATE_HOME=$$d/state \
		VTRUN='$(CURDIR)/$(B)/vtrun' python3 '$(CURDIR)/tests/e2e/durable_test.py' '$(CURDIR)/ktop'; \
		s=$$?; rm -rf $$d; exit $$s

# --- a release, a report -------------------------------------------------------
.PHONY: version dist dist-check release-check packages doctor-report
version: ## print the version
	@echo $(VERSION)
dist: ## the sources as $(B)/ktop-VERSION.tar.gz, the same bytes each time
	@python3 tests/dist/dist.py $(VERSION) $(B)/ktop-$(VERSION).tar.gz
packages: dist ## formula and PKGBUILD for a tarball at URL= of the project HOMEPAGE=, in $(B)/packages
	@sh docs/packaging/fill.sh $(VERSION) $(B)/ktop-$(VERSION).tar.gz '$(URL)' '$(HOMEPAGE)' $(B)/packages
dist-check: ## make the tarball twice, compare, build and run it without git
	@MAKE='$(MAKE)' sh tests/dist/check.sh
release-check: ktop ## the checks before a release: two compilers, musl, Debian 12 and 13 (half an hour)
	@MAKE='$(MAKE)' sh tests/dist/release.sh
doctor-report: ktop ## ktop doctor's report of this machine, in $(B)/doctor.txt
	@sh tests/doctor.sh ./ktop $(B)/doctor.txt

.PHONY: manual
manual: ktop $(B)/tables ## add missing options, keys and columns to the manual pages
	@python3 tests/manual.py ./ktop $(B)/tables

.PHONY: screenshots
screenshots: ktop $(B)/vtrun ## draw the pictures and the film of the README
	sh tests/shot/pictures.sh $(B)/vtrun ./ktop docs/images
	/usr/bin/python3 tests/shot/film.py $(B)/vtrun ./ktop docs/images/ktop.gif

# Adds the version to the .Os line of a manual page.
install_man = for page in docs/*.$(1); do \
	to=$(to)/share/man/man$(1)/$$(basename $$page); \
	sed 's/^\.Os$$/.Os ktop $(VERSION)/' $$page >"$$to" && chmod 644 "$$to" || exit 1; done
# $(call remove,FOLDER,FILES): removes what install copied there.
remove = for file in $(notdir $(2)); do rm -f $(to)/$(1)/$$file || exit 1; done

# Quoted for paths with spaces; quotes stop the shell's ~, so it is expanded here.
prefix = $(PREFIX:~/%=$(HOME)/%)
to = "$(DESTDIR)$(prefix)"
completion_bash := share/bash-completion/completions/ktop
completion_zsh  := share/zsh/site-functions/_ktop
completion_fish := share/fish/vendor_completions.d/ktop.fish
.PHONY: install uninstall
install: ktop ## the program, themes, manual pages and completions, into $(DESTDIR)$(PREFIX)
	install -d $(to)/bin $(to)/share/ktop/themes \
		$(to)/share/man/man1 $(to)/share/man/man5 || { \
		echo 'make install: cannot write $(prefix): run sudo make install, or make install PREFIX=~/.local' >&2; exit 1; }
	for s in bash/$(completion_bash) zsh/$(completion_zsh) fish/$(completion_fish); do \
		file=$(to)/$${s#*/} && install -d "$${file%/*}" && \
		./ktop --completion "$${s%%/*}" >"$$file" && chmod 644 "$$file" || exit 1; done
	$(call replace,755,ktop,$(to)/bin/ktop)
	install -m 644 themes/*.theme $(to)/share/ktop/themes
	$(call install_man,1)
	$(call install_man,5)
uninstall: ## remove exactly what install copied
	rm -f $(to)/bin/ktop $(to)/$(completion_bash) $(to)/$(completion_zsh) $(to)/$(completion_fish)
	$(call remove,share/ktop/themes,$(wildcard themes/*.theme))
	$(call remove,share/man/man1,$(wildcard docs/*.1))
	$(call remove,share/man/man5,$(wildcard docs/*.5))
	-rmdir $(to)/share/ktop/themes $(to)/share/ktop 2>/dev/null

.SECONDARY:
-include $(shell find $(B) -type f -name '*.d' 2>/dev/null)

.PHONY: help clean
help: ## list the targets
	@awk -F ':.*## ' '/^[a-zA-Z0-9_.-]+:.*## /{printf "  %-14s %s\n", $$1, $$2}' Makefile src/kperf/sampler.mk
	@echo '  tests-MODULE     build and run the unit tests of one module (SAN=1: under ASan and UBSan)'
clean: ## remove what was built
	rm -rf $(B) ktop
