# The benchmark programs: built once against the public header, run on any libuv.so.1 (LD_LIBRARY_PATH decides).
BENCH_ALL = $(patsubst bench/%.c,%,$(wildcard bench/*.c))
# Without the library: the load generators, and the servers to compare with, which are left out where their library is
# missing (tools/setup bench installs them).
BENCH_PLAIN = $(filter load_%,$(BENCH_ALL))
BENCH_OTHERS = echo_ev echo_event echo_ring
BENCH_UV = $(filter-out $(BENCH_PLAIN) $(BENCH_OTHERS),$(BENCH_ALL))
BENCH_COMPILE = $(CC) -std=c11 -D_GNU_SOURCE $(WARNINGS) -Iinclude $(CFLAGS) $(LDFLAGS)

.PHONY: bench bench-js bench-setup bench-programs
# make bench ARGS='--against DIR --only echo --rounds 5 --growth --list'
bench: bench-programs $(BUILD)/lib/libuv.so.1
	@BUILD='$(BUILD)' bench/run $(ARGS)

# make bench-js ARGS='--graft': Node on librota and Node alone; ARGS='--bun PATH --deno PATH --only echo --rounds 5 --list': JavaScript, on rota and on other runtimes
bench-js: $(BUILD)/bench/load_echo $(BUILD)/bin/rota
	@BUILD='$(BUILD)' bench/js/run $(ARGS)

bench-setup:
	@tools/setup bench

bench-programs: $(addprefix $(BUILD)/bench/,$(BENCH_UV) $(BENCH_PLAIN) $(BENCH_OTHERS))

$(addprefix $(BUILD)/bench/,$(BENCH_UV)): $(BUILD)/bench/%: bench/%.c bench/bench.h $(BUILD)/flags \
  | $(BUILD)/lib/libuv.so.1
	@mkdir -p $(@D)
	$(SAY) '  link $@'
	$(Q)$(BENCH_COMPILE) $< -L$(BUILD)/lib -l:libuv.so.1 $(LDLIBS) -o $@

$(addprefix $(BUILD)/bench/,$(BENCH_PLAIN)): $(BUILD)/bench/%: bench/%.c bench/bench.h bench/server.h $(BUILD)/flags
	@mkdir -p $(@D)
	$(SAY) '  link $@'
	$(Q)$(BENCH_COMPILE) $< -o $@

$(BUILD)/bench/echo_ev: BENCH_LIBRARY = ev
$(BUILD)/bench/echo_event: BENCH_LIBRARY = event_core
$(BUILD)/bench/echo_ring: BENCH_LIBRARY = uring
$(addprefix $(BUILD)/bench/,$(BENCH_OTHERS)): $(BUILD)/bench/%: bench/%.c bench/bench.h bench/plain.h $(BUILD)/flags \
  | bench-setup
	@mkdir -p $(@D)
	$(SAY) '  link $@'
	$(Q)$(BENCH_COMPILE) $< -l$(BENCH_LIBRARY) -o $@ || echo 'bench: no $* here: it is left out'
