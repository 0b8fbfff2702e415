# System calls denied, and io_uring as in older kernels.
.PHONY: kernel-tests
# Nothing can be loaded before a static program.
kernel-tests: $(BUILD)/test/deny $(if $(STATIC),,$(BUILD)/test/older.so)
$(BUILD)/test/deny: $(BUILD)/obj/test/kernel/deny.o
	$(TEST_LINK)

$(BUILD)/test/older.so: test/kernel/older.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(SAY) '  link $@'
	$(Q)$(CC) $(TEST_CFLAGS) -O2 -g -fPIC -fvisibility=hidden -shared $< -ldl -lpthread -o $@
