# libkperf-sampler: the kperf module as a library for other programs. Included
# by the Makefile, after its rules; `make sampler`, `make install-lib`.

sampler_names := counting database group counters load machine measure names \
	processes sampler status $(here)/system tables tally trace
sampler_obj := $(sampler_names:%=$(B)/kperf/%.o) $(B)/base/err.o $(B)/base/buf.o \
	$(B)/base/utf8.o $(B)/base/fd.o $(B)/base/place.o $(call module_obj,pmu)
sampler_headers := abi.h api.h sampler.h
sampler_soname := $(shell sed -n "s/^.define KPS_ABI //p" src/kperf/sampler.h)

sampler_so_linux  := $(B)/libkperf-sampler.so
sampler_so_darwin := $(B)/libkperf-sampler.dylib
sampler_so        := $(sampler_so_$(os))
sampler_map := $(B)/kperf-sampler.map
sampler_link_linux  := -shared -Wl,-z,defs -Wl,-soname,libkperf-sampler.so.$(sampler_soname) \
	-Wl,--version-script=$(sampler_map)
sampler_link_darwin = -dynamiclib -install_name \
	"$(prefix)/lib/libkperf-sampler.$(sampler_soname).dylib"
sampler_file_linux  := libkperf-sampler.so.$(sampler_soname)
sampler_file_darwin := libkperf-sampler.$(sampler_soname).dylib
sampler_libs_linux  := -ldl -lm -lpthread

.PHONY: sampler install-lib uninstall-lib
sampler: $(B)/libkperf-sampler.a $(sampler_so) ## libkperf-sampler, static and shared

# One object in which names without the prefix kps_ are local, so that they cannot
# collide with a program's. Apple's ld does this itself.
OBJCOPY ?= objcopy
localize_linux = $(OBJCOPY) --localize-hidden $@
localize_darwin = :
$(B)/kperf-sampler.o: $(sampler_obj)
	$(call say,LD,$@)
	$(Q)$(CC) -r -nostdlib -o $@ $^
	$(Q)$(localize_$(os))

$(B)/libkperf-sampler.a: $(B)/kperf-sampler.o
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(sampler_map): src/kperf/sampler.h
	$(Q)echo 'KPERF_SAMPLER_$(sampler_soname) { global: kps_*; local: *; };' >$@

# On macOS the library contains its install path.
$(sampler_so_darwin): $(B)/gen/named
$(sampler_so): $(sampler_obj) | $(sampler_map)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) $(SANFLAGS) $(sampler_link_$(os)) -o $@ $(sampler_obj) $(sampler_libs_$(os))

# Installed headers include each other without "kperf/". pkg-config needs spaces
# in paths escaped.
empty :=
install-lib: sampler ## libkperf-sampler, its headers, kperf-sampler.pc and kperf-sampler(3)
	install -d $(to)/include/kperf-sampler $(to)/lib/pkgconfig $(to)/share/man/man3
	for h in $(sampler_headers); do \
		sed -e '/"kperf\/symbols.h"/d' -e 's|"kperf/\(.*\)"|"\1"|' src/kperf/$$h \
			>$(to)/include/kperf-sampler/$$h || exit 1; \
		chmod 644 $(to)/include/kperf-sampler/$$h; \
	done
	install -m 644 $(B)/libkperf-sampler.a $(to)/lib
	$(call replace,755,$(sampler_so),$(to)/lib/$(sampler_file_$(os)))
	ln -sf $(sampler_file_$(os)) $(to)/lib/$(notdir $(sampler_so))
	printf '%s\n' 'prefix=$(subst $(empty) ,\ ,$(prefix))' 'includedir=$${prefix}/include' \
		'libdir=$${prefix}/lib' '' \
		'Name: kperf-sampler' 'Description: CPU performance counters of Apple silicon' \
		'Version: $(VERSION)' 'Cflags: -I$${includedir}' \
		'Libs: -L$${libdir} -lkperf-sampler' 'Libs.private: $(sampler_libs_$(os))' \
		>$(to)/lib/pkgconfig/kperf-sampler.pc
	$(call install_man,3)
uninstall-lib: ## remove exactly what install-lib copied
	$(call remove,include/kperf-sampler,$(sampler_headers))
	$(call remove,lib,libkperf-sampler.a $(sampler_file_$(os)) $(sampler_so))
	$(call remove,lib/pkgconfig,kperf-sampler.pc)
	$(call remove,share/man/man3,$(wildcard docs/*.3))
	-rmdir $(to)/include/kperf-sampler 2>/dev/null
