# INJECTED=1 is for static programs, which cannot load test/fault/inject.c before the C library. All of the library and of the
# tests is compiled with other names for the system's functions, and inject.c has the functions of these names. Such a build
# is for tests of faults, in a folder of its own.
INJECTED ?=
ifneq ($(INJECTED),)
INJECTED_CALLS := $(shell sed -nE 's/^EXPORT .*REPLACED\(([a-z0-9_]+)\).*/\1/p' test/fault/inject.c)
INJECTED_NAMES = $(foreach call,$(INJECTED_CALLS),-D$(call)=fault_$(call))
ROTA_CFLAGS += $(INJECTED_NAMES)
TEST_CFLAGS += -DFAULT_LINKED $(INJECTED_NAMES)
INJECTED_OBJECT = $(BUILD)/obj/test/fault/inject.o
$(INJECTED_OBJECT): override TEST_CFLAGS := $(filter-out $(INJECTED_NAMES),$(TEST_CFLAGS))
endif
