# libktop-inject: what ktop stat --inject loads into a command. Included by the
# Makefile, after its rules. It is no room that others are linked with, and never
# has a sanitizer in it: it is loaded into programs that have none.

inject_file_linux  := libktop-inject.so
inject_file_darwin := libktop-inject.dylib
inject_lib := $(B)/$(inject_file_$(os))
inject_src := $(wildcard src/inject/*.c src/inject/$(here)/*.c)
inject_link_linux  := -shared -Wl,-z,defs -D_GNU_SOURCE
inject_link_darwin := -dynamiclib -install_name @rpath/$(inject_file_darwin)
inject_libs_linux  := -ldl -lpthread

$(inject_lib): $(inject_src) $(wildcard src/inject/*.h)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(inject_link_$(os)) -o $@ $(inject_src) $(inject_libs_$(os))

all: $(inject_lib)
programs: $(inject_lib)

inject_to := $(DESTDIR)$(PREFIX)/lib/ktop
.PHONY: install-inject uninstall-inject
install: install-inject
install-inject: $(inject_lib)
	install -d $(inject_to)
	$(call replace,755,$<,$(inject_to)/$(inject_file_$(os)))
uninstall: uninstall-inject
uninstall-inject:
	rm -rf $(inject_to)
