# Random programs, for our library, the system's, and Node's own.
.PHONY: model-tests
MODEL_SOURCES = $(filter-out %/addon.c %/program_main.c,$(wildcard test/model/*.c))
MODEL_OBJECTS = $(patsubst %.c,$(BUILD)/obj/%.o,$(MODEL_SOURCES) test/model/program_main.c)
MODEL_ORACLE_OBJECTS = $(MODEL_OBJECTS:$(BUILD)/obj/%=$(BUILD)/oracle/%)

model-tests: $(BUILD)/test/model $(BUILD)/test/model-oracle $(BUILD)/test/model.node
$(BUILD)/test/model: $(MODEL_OBJECTS) $(INJECTED_OBJECT) $(TEST_LIBRARY)
	$(TEST_LINK)

$(BUILD)/test/model-oracle: $(MODEL_ORACLE_OBJECTS)
	@mkdir -p $(@D)
	$(SAY) '  link $@'
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ -l:libuv.so.1 $(LDLIBS) -o $@

$(BUILD)/test/model.node: $(MODEL_SOURCES) test/model/addon.c $(wildcard test/model/*.h)
	@mkdir -p $(@D)
	$(SAY) '  link $@'
	$(Q)$(CC) $(TEST_CFLAGS) -Iinclude -O2 -g -fPIC -shared $(filter %.c,$^) -lpthread -o $@

-include $(MODEL_OBJECTS:.o=.d) $(MODEL_ORACLE_OBJECTS:.o=.d)
