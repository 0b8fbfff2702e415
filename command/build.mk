# The commands that run other programs. They are part of the program rota; rota-graft has them without the runtime.
COMMAND_OBJECTS = $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard command/*.c command/live/*.c))
# What they need of the library without its loop.
COMMAND_SETTINGS = $(patsubst %,$(BUILD)/obj/settings/%.o,endpoint nearest setting virtual_time) $(BUILD)/obj/loop/os/posix/own_file.o
# The same commands without the runtime: a program that needs the C library alone. It loads librota, which the other has linked in.
COMMAND_ALONE_OBJECTS = $(filter-out %/command/library.o,$(COMMAND_OBJECTS)) $(COMMAND_SETTINGS) $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard command/alone/*.c))
COMMAND_ALONE = $(BUILD)/bin/rota-graft
COMMAND_LINKING ?= -pie

$(BUILD)/obj/command/%.o: command/%.c $(BUILD)/flags | $(SETTINGS_HEADER)
	@mkdir -p $(@D)
	$(SAY) '  compile $<'
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE -fPIC -fvisibility=hidden $(WARNINGS) -Iinclude -I. -I$(BUILD) $(CFLAGS) -MMD -MP -c $< -o $@

$(COMMAND_ALONE): $(COMMAND_ALONE_OBJECTS)
	@mkdir -p $(@D)
	$(SAY) '  link $@'
	$(Q)$(CC) $(COMMAND_LINKING) $(CFLAGS) $(LDFLAGS) $(COMMAND_ALONE_OBJECTS) -ldl -o $@

# The page's files as one module of texts: the timeline, whose scripts are one, and what packs a trace into it.
PAGE_SCRIPTS = $(sort $(wildcard observe/page/script/*.js))
PAGE_SCRIPT = $(BUILD)/obj/observe/page/page.js
$(PAGE_SCRIPT): tools/bundle $(PAGE_SCRIPTS) observe/page/insight.js observe/page/pool.js
	@mkdir -p $(@D)
	$(Q)tools/bundle --entry=./main.js ./insight.js=observe/page/insight.js ./pool.js=observe/page/pool.js \
	  $(foreach file,$(PAGE_SCRIPTS),./$(notdir $(file))=$(file)) >$@.new
	@mv $@.new $@

PAGE_FILES = observe/page/page.html observe/page/page.css $(PAGE_SCRIPT) command/node/record.js
PAGE_TEXTS = $(BUILD)/obj/command/page_texts.js
$(PAGE_TEXTS): $(PAGE_FILES)
	@mkdir -p $(@D)
	@for file in $(PAGE_FILES); do \
	  printf "exports['%s'] = \`" "$${file##*/}"; \
	  sed -e 's/\\/\\\\/g' -e 's/`/\\`/g' -e 's/\$${/\\$${/g' "$$file"; \
	  echo '`;'; \
	done >$@

# The tools that are JavaScript: command/tools/ID.js is internal/cli/ID, in the runtime and in what Node runs (command/alone/main.c).
TOOLS_FILES = $(sort $(wildcard command/tools/*.js command/tools/*/*.js))
TOOLS_MODULES = $(foreach file,$(TOOLS_FILES),$(file:command/tools/%.js=internal/cli/%)=$(file)) internal/cli/settings=$(SETTINGS_MODULE) internal/cli/page=$(PAGE_TEXTS) \
  $(foreach file,$(wildcard observe/page/*.js),$(file:observe/page/%.js=internal/cli/%)=$(file))
TOOLS_SOURCES = $(TOOLS_FILES) $(SETTINGS_MODULE) $(wildcard observe/page/*.js) $(PAGE_TEXTS)
.PHONY: tools-for-node
tools-for-node: $(patsubst command/node/%,$(BUILD)/lib/rota-tools/%,$(wildcard command/node/*.js)) $(BUILD)/lib/rota-tools/modules.js
$(BUILD)/lib/rota-tools/modules.js: tools/bundle command/build.mk $(TOOLS_SOURCES)
	@mkdir -p $(@D)
	$(SAY) '  bundle $@'
	$(Q)tools/bundle $(TOOLS_MODULES) >$@.new
	@mv $@.new $@
$(BUILD)/lib/rota-tools/%.js: command/node/%.js
	@mkdir -p $(@D)
	@cp $< $@

-include $(COMMAND_OBJECTS:.o=.d) $(COMMAND_ALONE_OBJECTS:.o=.d)
