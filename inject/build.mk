# librota-graft.so: librota in the place of a libuv that a program brings with it. Included by the Makefile.
GRAFT_SOURCES = $(wildcard inject/*.c)
GRAFT_OBJECTS = $(GRAFT_SOURCES:%.c=$(BUILD)/obj/%.o)
GRAFT_LIBRARY = $(BUILD)/lib/librota-graft.so
CLOCK_OBJECTS = $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard inject/clock/*.c))
CLOCK_LIBRARY = $(BUILD)/lib/librota-clock.so

$(BUILD)/obj/inject/%.o: inject/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(SAY) '  compile $<'
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE -fPIC -fvisibility=hidden $(WARNINGS) -Iinclude -I. $(CFLAGS) -MMD -MP -c $< -o $@

# What is preloaded reaches children with another C library as well, whose loader ends them if it cannot load it. What is built for
# musl names no C library, then: the one that is there is taken. What is built for glibc names some that musl's loader takes for its own.
PRELOADED = $(if $(findstring musl,$(MACHINE)),-nodefaultlibs -lgcc,-Wl,-z,defs)

# It loads librota.so.0 itself, and only into a program that has a libuv.
$(GRAFT_LIBRARY): $(GRAFT_OBJECTS) inject/exports.map
	@mkdir -p $(@D)
	$(SAY) '  link $@'
	$(Q)$(CC) -shared -Wl,-soname,librota-graft.so -Wl,--version-script=inject/exports.map $(CFLAGS) $(LDFLAGS) \
	  $(GRAFT_OBJECTS) -ldl $(PRELOADED) -o $@

# What it shows are the C library's names, and the one by which librota finds it.
$(CLOCK_LIBRARY): $(CLOCK_OBJECTS)
	@mkdir -p $(@D)
	$(SAY) '  link $@'
	$(Q)$(CC) -shared -Wl,-soname,librota-clock.so $(CFLAGS) $(LDFLAGS) $(CLOCK_OBJECTS) -ldl $(PRELOADED) -o $@

# Node loads it before a program whose functions are to be named; napi_*, rota_* and V8's functions are there by then.
NAMES_OBJECTS = $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard inject/names/*.c))
NAMES_MODULE = $(BUILD)/lib/rota-names.node

# names.c includes the script, by the path that it is given: not every assembler looks for it in further folders.
NAMES_SCRIPTS = $(sort $(wildcard inject/names/script/*.js))
NAMES_SCRIPT = $(BUILD)/obj/inject/names/names_script.js
$(NAMES_SCRIPT): tools/bundle $(NAMES_SCRIPTS)
	@mkdir -p $(@D)
	$(Q)tools/bundle --entry=./main.js $(foreach file,$(NAMES_SCRIPTS),./$(notdir $(file))=$(file)) >$@.new
	@mv $@.new $@
$(BUILD)/obj/inject/names/names.o: $(NAMES_SCRIPT)
$(BUILD)/obj/inject/names/names.o: override CFLAGS += -DNAMES_SCRIPT='"$(NAMES_SCRIPT)"'

$(NAMES_MODULE): $(NAMES_OBJECTS)
	@mkdir -p $(@D)
	$(SAY) '  link $@'
	$(Q)$(CC) -shared $(CFLAGS) $(LDFLAGS) $(NAMES_OBJECTS) -ldl -o $@

# What rota attach loads into a Node that runs already. It stays in memory, and is bound when it is loaded. What it shares
# with others is linked in: it must not need librota.
AGENT_OBJECTS = $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard inject/agent/*.c)) \
  $(patsubst %,$(BUILD)/obj/%.o,inject/names/v8 inject/names/source_map observe/stats/histogram)
AGENT_MODULE = $(BUILD)/lib/rota-agent.node
$(AGENT_MODULE): $(AGENT_OBJECTS) inject/agent/exports.map
	@mkdir -p $(@D)
	$(SAY) '  link $@'
	$(Q)$(CC) -shared -Wl,-z,now -Wl,-z,nodelete -Wl,--version-script=inject/agent/exports.map $(CFLAGS) $(LDFLAGS) \
	  $(AGENT_OBJECTS) -ldl -o $@

-include $(CLOCK_OBJECTS:.o=.d) $(AGENT_OBJECTS:.o=.d) $(NAMES_OBJECTS:.o=.d) $(GRAFT_OBJECTS:.o=.d)
