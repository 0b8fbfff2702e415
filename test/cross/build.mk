# The tests that test/cross/run needs. With STATIC=1, those of faults are built by another make, with INJECTED=1 and a folder of its own.
.PHONY: cross-tests cross-injected
cross-tests: uv-tests unit-tests kernel-tests $(BUILD)/test/abi $(BUILD)/test/model $(if $(STATIC),$(BUILD)/test/uv-names,fault-tests)
cross-injected: fault-tests $(BUILD)/test/model

$(BUILD)/test/abi: TEST_CFLAGS += -DABI_STATIC
$(BUILD)/test/abi: $(BUILD)/obj/test/abi/abi.o $(BUILD)/lib/librota.a
	$(TEST_LINK)
