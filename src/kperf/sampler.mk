# libkperf-sampler: the kperf room as a library for other programs. Included
# by the Makefile, after its rules; `make sampler`, `make install-sampler`.

sampler_names := counting database group hold load machine measure names \
	processes sampler status $(here)/system tally trace
sampler_obj := $(sampler_names:%=$(B)/kperf/%.o) $(B)/base/err.o $(B)/base/buf.o \
	$(B)/base/utf8.o $(B)/base/fd.o $(B)/base/place.o
sampler_headers := abi.h api.h sampler.h
sampler_soname := $(shell sed -n "s/^.define KPS_ABI //p" src/kperf/sampler.h)

sampler_so_linux  := $(B)/libkperf-sampler.so
sampler_so_darwin := $(B)/libkperf-sampler.dylib
sampler_so        := $(sampler_so_$(os))
sampler_map := $(B)/kperf-sampler.map
sampler_link_linux  := -shared -Wl,-z,defs -Wl,-soname,libkperf-sampler.so.$(sampler_soname) \
	-Wl,--version-script=$(sampler_map)
sampler_link_darwin := -dynamiclib -install_name \
	$(PREFIX)/lib/libkperf-sampler.$(sampler_soname).dylib
sampler_file_linux  := libkperf-sampler.so.$(sampler_soname)
sampler_file_darwin := libkperf-sampler.$(sampler_soname).dylib
sampler_libs_linux  := -ldl -lm -lpthread

.PHONY: sampler install-sampler uninstall-sampler
sampler: $(B)/libkperf-sampler.a $(sampler_so) ## libkperf-sampler, static and shared

# One object in which everything without the prefix kps_ is local: a program
# may have functions of the same names. Apple's ld does it by itself.
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

$(sampler_so): $(sampler_obj) | $(sampler_map)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) $(SANFLAGS) $(sampler_link_$(os)) -o $@ $^ $(sampler_libs_$(os))

# Headers include each other by their own folder when they are installed.
sampler_to = $(to)
install-sampler: sampler ## headers, libraries, kperf-sampler.pc and kperf-sampler(3)
	install -d $(sampler_to)/include/kperf-sampler $(sampler_to)/lib/pkgconfig \
		$(sampler_to)/share/man/man3
	for h in $(sampler_headers); do \
		sed -e '/"kperf\/symbols.h"/d' -e 's|"kperf/\(.*\)"|"\1"|' src/kperf/$$h \
			>$(sampler_to)/include/kperf-sampler/$$h || exit 1; \
		chmod 644 $(sampler_to)/include/kperf-sampler/$$h; \
	done
	install -m 644 $(B)/libkperf-sampler.a $(sampler_to)/lib
	$(call replace,755,$(sampler_so),$(sampler_to)/lib/$(sampler_file_$(os)))
	ln -sf $(sampler_file_$(os)) $(sampler_to)/lib/$(notdir $(sampler_so))
	printf '%s\n' 'prefix=$(PREFIX)' 'includedir=$${prefix}/include' 'libdir=$${prefix}/lib' '' \
		'Name: kperf-sampler' 'Description: CPU performance counters of Apple silicon' \
		'Version: $(VERSION)' 'Cflags: -I$${includedir}' \
		'Libs: -L$${libdir} -lkperf-sampler' 'Libs.private: $(sampler_libs_$(os))' \
		>$(sampler_to)/lib/pkgconfig/kperf-sampler.pc
	$(call install_man,3,$(sampler_to))
uninstall-sampler: ## what install-sampler put there
	rm -rf $(sampler_to)/include/kperf-sampler
	rm -f $(sampler_to)/lib/libkperf-sampler.a $(sampler_to)/lib/$(sampler_file_$(os)) \
		$(sampler_to)/lib/$(notdir $(sampler_so)) \
		$(sampler_to)/lib/pkgconfig/kperf-sampler.pc \
		$(sampler_to)/share/man/man3/kperf-sampler.3
