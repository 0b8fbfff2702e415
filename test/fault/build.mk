# Faults of memory and of system calls: the library that is loaded first, and what runs under it.
.PHONY: fault-tests
FAULT_PROGRAMS = $(BUILD)/test/faults $(BUILD)/test/descriptors
fault-tests: $(FAULT_PROGRAMS) $(if $(STATIC),,$(BUILD)/test/inject.so)

$(BUILD)/test/faults: $(BUILD)/obj/test/fault/main.o $(BUILD)/obj/test/fault/scenarios.o $(INJECTED_OBJECT) $(TEST_LIBRARY)
	$(TEST_LINK)

$(BUILD)/test/descriptors: $(BUILD)/obj/test/fault/descriptors.o $(INJECTED_OBJECT) $(TEST_LIBRARY)
	$(TEST_LINK)

$(BUILD)/test/inject.so: test/fault/inject.c test/fault/fault.h $(BUILD)/flags
	@mkdir -p $(@D)
	$(SAY) '  link $@'
	$(Q)$(CC) $(TEST_CFLAGS) -Iinclude -O2 -g -fPIC -fvisibility=hidden -shared $< -ldl -lpthread -o $@

-include $(wildcard $(BUILD)/obj/test/fault/*.d)
