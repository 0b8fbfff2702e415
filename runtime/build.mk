# The runtime: build/bin/rota. Included by the Makefile; `make runtime` builds it.
RUNTIME_SOURCES = $(wildcard runtime/*.c $(foreach room,order order/* options permission modules engine engine/* observe bind bind/* napi,runtime/$(room)/*.c) $(foreach extra,$(filter-out $(WITHOUT),$(notdir $(wildcard runtime/extras/*))),runtime/extras/$(extra)/*.c))
# The HTTP parser: a shared library where the system has it (Debian 13 and later). Debian 12 has its C sources, in node-llhttp.
LLHTTP = /usr/share/llhttp
LLHTTP_LIBS := $(shell pkg-config --libs libllhttp 2>/dev/null)
LLHTTP_CFLAGS := $(if $(LLHTTP_LIBS),$(shell pkg-config --cflags libllhttp),-I/usr/share/include/llhttp)
# Node-API's types and declarations.
NAPI_INCLUDE = node_modules/node-api-headers/include
LLHTTP_OBJECTS = $(if $(LLHTTP_LIBS),,$(patsubst %,$(BUILD)/obj/llhttp/%.o,api http llhttp))
RUNTIME_OBJECTS = $(RUNTIME_SOURCES:%.c=$(BUILD)/obj/%.o) $(COMMAND_OBJECTS) $(LLHTTP_OBJECTS) $(BUILD)/obj/runtime/embedded.o
# A module's id is its path: lib/node/ID.js is node:ID, lib/ID.js is internal/ID; so it is in each of the extras.
RUNTIME_LIB = $(sort $(shell find runtime/lib runtime/extras/*/lib -name '*.js'))
RUNTIME_LIB_FILES = $(shell printf '%s\n' $(filter-out $(RUNTIME_ALIASES),$(RUNTIME_LIB)) | sed -E \
  -e 's,^(runtime/lib|runtime/extras/[^/]+/lib)/node/(.*)[.]js$$,\2=&,;t' \
  -e 's,^(runtime/lib|runtime/extras/[^/]+/lib)/(.*)[.]js$$,internal/\2=&,') $(RUNTIME_ALIAS_FILES)
# Other names of modules: these files are embedded once for each `case` in them.
RUNTIME_ALIASES = runtime/lib/aliases.js runtime/lib/deps/readable-stream.js
RUNTIME_ALIAS_FILES := $(shell for file in $(RUNTIME_ALIASES); do sed -n "s,^  case '\(.*\)':.*,\1=$$file,p" $$file; done)
# make WITHOUT="sqlite wasi" leaves these folders of runtime/extras/ out: their modules say so when a program asks for them.
WITHOUT ?=
EXTRAS = $(notdir $(patsubst %/lib,%,$(wildcard runtime/extras/*/lib)))
ifneq ($(filter-out $(EXTRAS),$(WITHOUT)),)
$(error WITHOUT can leave out: $(EXTRAS); not: $(filter-out $(EXTRAS),$(WITHOUT)))
endif
RUNTIME_LIB_IDS = $(foreach pair,$(RUNTIME_LIB_FILES),$(if $(filter $(WITHOUT:%=runtime/extras/%/lib/%),$(lastword $(subst =, ,$(pair)))), \
  $(firstword $(subst =, ,$(pair)))=runtime/extras/left_out.js,$(pair)))
# What C and JavaScript share, from one table.
RUNTIME_SHARED = $(BUILD)/generated/runtime/shared.h
RUNTIME_SHARED_MODULE = $(BUILD)/generated/runtime/shared.js
RUNTIME_NPM = internal/deps/acorn=node_modules/acorn/dist/acorn.js \
  internal/deps/cjs-module-lexer=node_modules/cjs-module-lexer/lexer.js \
  internal/deps/web-streams=$(RUNTIME_WEB_STREAMS) \
  internal/deps/punycode=node_modules/punycode/punycode.js \
  internal/deps/temporal=node_modules/temporal-polyfill/full/global.js
RUNTIME_NPM_FILES = $(foreach pair,$(RUNTIME_NPM),$(lastword $(subst =, ,$(pair))))
# Packages of many files: a directory stands for all of its .js and .json files. runtime/lib/deps/readable-stream.js takes
# the place of some files; runtime/lib/modules/embedded_package.js finds what such a file requires.
RUNTIME_PACKAGES = internal/deps/readable-stream/lib=node_modules/readable-stream/lib \
  internal/deps/undici/lib=node_modules/undici/lib
RUNTIME_NPM += internal/deps/undici/index-fetch=node_modules/undici/index-fetch.js \
  internal/deps/undici/package.json=node_modules/undici/package.json
# The files that ours stand in front of.
RUNTIME_NPM += $(foreach name,end-of-stream compose, \
  internal/deps/readable-stream/lib/internal/streams/package-$(name)=node_modules/readable-stream/lib/internal/streams/$(name).js)
# Web streams, with the order of jobs that Node has.
RUNTIME_WEB_STREAMS = $(BUILD)/obj/runtime/web_streams.js
RUNTIME_WEB_STREAMS_FILE = node_modules/web-streams-polyfill/dist/ponyfill.js
# What strips types is WebAssembly, in base64: two thirds smaller when packed. JavaScript's own text stays as it is.
RUNTIME_AMARO = $(BUILD)/obj/runtime/amaro.js
RUNTIME_AMARO_FILE = node_modules/amaro/dist/index.js
RUNTIME_EMBED = $(RUNTIME_LIB_IDS) internal/shared=$(RUNTIME_SHARED_MODULE) $(RUNTIME_NPM) $(RUNTIME_PACKAGES) \
  $(TOOLS_MODULES) internal/deps/amaro=$(RUNTIME_AMARO) \
  internal/deps/versions=$(RUNTIME_NOTICE)/packages.js
# The licences, the bill of materials and the versions of what is embedded.
RUNTIME_NOTICE = $(BUILD)/generated/notice
JSC_CFLAGS = $(shell pkg-config --cflags javascriptcoregtk-4.1)
JSC_LIBS = $(shell pkg-config --libs javascriptcoregtk-4.1)
# The engine, compression, cryptography, names (c-ares), HTTP/2's frames and SQLite are the system's shared libraries, so that its updates reach
# the program. They are loaded when one of their functions is first called (runtime/tools/lazy): most programs use none but the engine, and loading
# them would cost each of them 2 ms of its start. Where that is not known how to do, they are linked as any library.
LAZY_NAMES = glib-2.0 z zstd brotlienc brotlidec cares ssl crypto $(if $(filter http2,$(WITHOUT)),,nghttp2) $(if $(filter sqlite,$(WITHOUT)),,sqlite3)
LAZY_FILES = $(foreach name,$(LAZY_NAMES),$(shell $(CC) -print-file-name=lib$(name).so))
# Libraries that the engine, or one that it needs, names and most programs never call: they wait for their first call, too.
ENGINE_DEFERRED = libgio-2.0 libgobject-2.0 libsystemd libicui18n libpcre2-8 libz
# From 2.54 on, the engine asks GIO and the system's bus to tell it of each change of /etc/localtime, with three threads, when its first
# context is made. Node does not look at that file again, and a script that computes should not talk to the system's bus.
ENGINE_REFUSED = g_file_new_for_path g_file_monitor_file g_file_monitor_set_rate_limit g_dbus_proxy_new_for_bus
ifeq ($(shell $(CC) -dumpmachine 2>/dev/null | cut -d- -f1),x86_64)
LAZY_OBJECT = $(BUILD)/obj/runtime/lazy_functions.o
LAZY_ENGINE = $(shell $(CC) -print-file-name=libjavascriptcoregtk-4.1.so)
RUNTIME_LIBRARIES = $(LAZY_OBJECT) -Wl,--dynamic-list=$(LAZY_OBJECT:.o=.list)
else
LAZY_OBJECT =
RUNTIME_LIBRARIES = $(JSC_LIBS) $(LAZY_NAMES:%=-l%)
endif

.PHONY: runtime
runtime: $(BUILD)/bin/rota

# WITHOUT is part of what is made: another list makes it anew.
ifneq (without $(WITHOUT),$(file <$(BUILD)/without))
$(shell mkdir -p $(BUILD))
$(file >$(BUILD)/without,without $(WITHOUT))
endif
$(BUILD)/generated/runtime/made: runtime/shared.table runtime/tools/share $(BUILD)/without
	@mkdir -p $(@D)
	runtime/tools/share runtime/shared.table $(@D) $(WITHOUT)
	@touch $@
$(RUNTIME_SHARED) $(RUNTIME_SHARED_MODULE) $(addprefix $(BUILD)/generated/runtime/,bindings.h binding_rows.h): $(BUILD)/generated/runtime/made ;
$(BUILD)/obj/runtime/bind/binding.o: $(BUILD)/generated/runtime/binding_rows.h

$(RUNTIME_SOURCES:%.c=$(BUILD)/obj/%.o): $(BUILD)/obj/%.o: %.c | $(RUNTIME_SHARED) $(SETTINGS_HEADER)
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wshadow -Werror -Iinclude -I. -I$(BUILD) -I$(BUILD)/generated $(LLHTTP_CFLAGS) -isystem $(NAPI_INCLUDE) $(JSC_CFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/obj/llhttp/%.o: $(LLHTTP)/%.c runtime/build.mk
	@mkdir -p $(@D)
	$(CC) -std=c11 -O2 -DLLHTTP_STRICT_MODE=1 $(LLHTTP_CFLAGS) $(CFLAGS) -c $< -o $@

$(BUILD)/bin/embed: runtime/tools/embed.c
	@mkdir -p $(@D)
	$(CC) -std=c11 -O1 -Wall -Wextra -Werror $< -o $@

# Where the packages of the tests were installed before (tools/setup test), they are kept.
NPM_WHOLE := $(wildcard node_modules/.whole)
node_modules/.package-lock.json: package.json package-lock.json
	npm ci $(if $(NPM_WHOLE),,--omit=dev) --ignore-scripts --no-audit --no-fund --loglevel=error
	@$(if $(NPM_WHOLE),touch $(NPM_WHOLE))
	@touch $@

$(filter-out $(BUILD)/%,$(RUNTIME_NPM_FILES)) $(RUNTIME_WEB_STREAMS_FILE) $(RUNTIME_AMARO_FILE): node_modules/.package-lock.json

$(RUNTIME_NOTICE)/notice.txt: runtime/tools/notice node_modules/.package-lock.json
	runtime/tools/notice $(@D) $(VERSION)
$(RUNTIME_NOTICE)/packages.js: $(RUNTIME_NOTICE)/notice.txt ;
$(BUILD)/obj/runtime/main.o: $(RUNTIME_NOTICE)/notice.txt
$(BUILD)/obj/runtime/main.o: override CFLAGS += -DJS_NOTICE='"$(RUNTIME_NOTICE)/notice.txt"'
$(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard runtime/napi/*.c)): | node_modules/.package-lock.json

$(RUNTIME_WEB_STREAMS): $(RUNTIME_WEB_STREAMS_FILE) runtime/tools/web-streams
	@mkdir -p $(@D)
	@runtime/tools/web-streams $< $@

$(RUNTIME_AMARO): $(RUNTIME_AMARO_FILE) runtime/build.mk
	@mkdir -p $(@D)
	@sed -n 's/.*Buffer2\.from("\([A-Za-z0-9+/=]*\)", "base64").*/\1/p' $< | base64 -d | gzip -9n | base64 >$@.packed
	@test -s $@.packed
	@sed 's/Buffer2\.from("[^"]*", "base64")/require("zlib").gunzipSync(Buffer2.from(`\n@PACKED@\n`, "base64"))/' $< | \
	  sed -e '/^@PACKED@$$/{' -e 'r $@.packed' -e 'd' -e '}' >$@

$(BUILD)/obj/runtime/embedded.c: $(BUILD)/bin/embed $(RUNTIME_NOTICE)/packages.js $(RUNTIME_LIB) $(RUNTIME_SHARED_MODULE) runtime/extras/left_out.js $(BUILD)/without $(RUNTIME_NPM_FILES) $(RUNTIME_AMARO) $(TOOLS_SOURCES) runtime/build.mk
	@mkdir -p $(@D)
	$(BUILD)/bin/embed $@ $(@:.c=.bin) $(RUNTIME_EMBED) $(RUNTIME_EXTRA)

$(BUILD)/obj/runtime/embedded.o: $(BUILD)/obj/runtime/embedded.c
	$(CC) -c $< -o $@

# An addon is bound to its own libraries first (runtime/napi/module.c), so to the C library's `environ`: the program must not
# have a copy of it, which is what code that is not position-independent makes the linker do.
$(BUILD)/obj/runtime/observe/trace.o: CFLAGS += -fPIC

# Addons look for Node-API and the whole of the loop's library in the program.
RUNTIME_EXPORTS = runtime/napi/exports.list
RUNTIME_LOOP = -Wl,--whole-archive $(BUILD)/lib/librota.a -Wl,--no-whole-archive

# The engine's private side is checked each time the program is linked.
$(LAZY_OBJECT): $(RUNTIME_OBJECTS) runtime/tools/lazy
	runtime/tools/lazy $(@:.o=) --engine $(LAZY_ENGINE) $(ENGINE_DEFERRED:%=--defer %) $(ENGINE_REFUSED:%=--refuse %) $(LAZY_FILES) -- $(RUNTIME_OBJECTS)
	$(CC) -c $(@:.o=.S) -o $@

RUNTIME_LINK = $(CC) $(LDFLAGS) -Wl,--dynamic-list=$(RUNTIME_EXPORTS) $(RUNTIME_OBJECTS) $(RUNTIME_LOOP) $(RUNTIME_LIBRARIES) $(LLHTTP_LIBS) -lpthread -ldl -lm

# The engine's bytecode of the embedded modules (runtime/order/builtin_bytecode.c): a program without it makes it, then it is linked
# again with it. The same build gives the same bytes: the engine orders some of its tables by address, and copies bytes that it has not
# set. Where addresses cannot be fixed (containers may forbid it), the bytes differ and the meaning does not.
FIXED_ADDRESSES := $(shell setarch -R true 2>/dev/null && echo setarch -R)
FIXED_MEMORY = env -i PATH=/usr/bin:/bin ASAN_OPTIONS=$(ASAN_OPTIONS) Malloc=1 MALLOC_PERTURB_=255 JSC_useConcurrentGC=0 JSC_useConcurrentJIT=0 $(FIXED_ADDRESSES)
RUNTIME_BYTECODE = $(BUILD)/obj/runtime/bytecode
$(RUNTIME_BYTECODE)-none.bin: runtime/build.mk
	@mkdir -p $(@D)
	@head -c 4096 /dev/zero >$@
$(RUNTIME_BYTECODE)-called.bin: $(RUNTIME_OBJECTS) $(LAZY_OBJECT) $(RUNTIME_BYTECODE)-none.o $(BUILD)/lib/librota.a $(RUNTIME_EXPORTS)
	$(RUNTIME_LINK) $(RUNTIME_BYTECODE)-none.o -o $(RUNTIME_BYTECODE)-maker
	$(FIXED_MEMORY) $(RUNTIME_BYTECODE)-maker --engine-bytecode $@.new
	@rm $(RUNTIME_BYTECODE)-maker
	@mv $@.new $@
# The engine makes none for `new`. So a program with that bytecode uses the constructors, and adds theirs.
$(RUNTIME_BYTECODE).bin: $(RUNTIME_BYTECODE)-called.o runtime/order/constructors.cjs
	$(RUNTIME_LINK) $< -o $(RUNTIME_BYTECODE)-maker
	cp $(<:.o=.bin) $@.new
	$(FIXED_MEMORY) $(RUNTIME_BYTECODE)-maker --engine-constructors $@.new runtime/order/constructors.cjs
	@rm $(RUNTIME_BYTECODE)-maker
	@mv $@.new $@
$(RUNTIME_BYTECODE).o $(RUNTIME_BYTECODE)-called.o $(RUNTIME_BYTECODE)-none.o: %.o: %.bin
	@printf '%s\n' '.section .rodata' '.balign 4096' '.globl js_bytecode_file' '.hidden js_bytecode_file' 'js_bytecode_file:' \
	  '.incbin "$<"' '.section .note.GNU-stack,"",@progbits' >$*.S
	$(CC) -c $*.S -o $@

# The check is tried twice: the engine collects and compiles on threads of its own, and a probe has failed by chance on a busy machine
# (once in some 500 checks). With another engine than the list was made for, it fails always.
$(BUILD)/bin/rota: $(RUNTIME_BYTECODE).o
	@mkdir -p $(@D)
	$(RUNTIME_LINK) $< -o $@.new
	$@.new --engine-check || $@.new --engine-check
	mv $@.new $@

-include $(RUNTIME_OBJECTS:.o=.d)

# The pass that rewrites modules, alone: for comparisons with the parser and for its speed.
MODULES_SOURCES = $(wildcard runtime/modules/*.c) runtime/test/modules/rewrite.c
$(BUILD)/test/rewrite: $(MODULES_SOURCES) $(wildcard runtime/modules/*.h)
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wshadow -Werror -O2 -I. $(CFLAGS) $(MODULES_SOURCES) -o $@

# Programs whose output the real Node has given, and (with NODE=, the path of a Node 26) random ones on both.
.PHONY: test-js test-js-random
test-js: $(BUILD)/bin/rota
	runtime/test/js/run.sh $(abspath $<)

test-js-random: $(BUILD)/bin/rota
	runtime/test/js/fuzz.sh $(abspath $<) $(NODE) $(or $(SEED),1) $(or $(COUNT),50)
