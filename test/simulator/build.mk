# Programs on a library whose system is a model (loop/os/model). It is a build of its own: $(BUILD)/simulator.
.PHONY: simulator simulate soak
SIMULATOR_OBJECTS = $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard test/simulator/*.c))
SIMULATOR_MAKE = $(MAKE) --no-print-directory -s BUILD=$(BUILD)/simulator SYSTEM=model

ifeq ($(SYSTEM),model)
$(SIMULATOR_OBJECTS): $(BUILD)/obj/%.o: %.c $(BUILD)/flags | $(SETTINGS_HEADER)
	@mkdir -p $(@D)
	$(SAY) '  compile $<'
	$(Q)$(CC) $(TEST_CFLAGS) -Iinclude -I. -I$(BUILD) $(CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/test/simulator: $(SIMULATOR_OBJECTS) $(BUILD)/lib/librota.a
	$(TEST_LINK)

# One changed source in the place of the library's (test/simulator/mutants).
.PHONY: simulator-mutant
simulator-mutant:
	@$(CC) $(ROTA_CFLAGS) $(CFLAGS) -Wno-error -w -c $(MUTANT) -o $(MUTANT_OBJECT)
	@$(CC) $(CFLAGS) $(LDFLAGS) $(MUTANT_OBJECT) $(SIMULATOR_OBJECTS) $(BUILD)/lib/librota.a $(LDLIBS) -o $(MUTANT_PROGRAM)

-include $(SIMULATOR_OBJECTS:.o=.d)
endif

# The program: $(BUILD)/simulator/test/simulator.
simulator:
	+@$(SIMULATOR_MAKE) $(BUILD)/simulator/test/simulator

# make simulate SEEDS=10000 FROM=1, or make simulate SEED=17, which says each step.
SEEDS ?= 10000
FROM ?= 1
SEED ?=
simulate: simulator
	@$(BUILD)/simulator/test/simulator $(if $(SEED),--seed=$(SEED),--from=$(FROM) --count=$(SEEDS) --jobs=$(shell nproc 2>/dev/null || echo 2))

# TIME is in seconds; without it until it is stopped, or a program fails. The seeds are new ones each time.
TIME ?= 0
soak: simulator
	@$(BUILD)/simulator/test/simulator --from=$(shell date +%s)00000 --count=100000000 --failures=1 --seconds=$(TIME) --jobs=$(shell nproc 2>/dev/null || echo 2)
