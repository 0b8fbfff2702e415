# The benchmark programs: built once against the public header, run on any libuv.so.1 (LD_LIBRARY_PATH decides).
BENCH_UV = $(patsubst bench/%.c,%,$(wildcard bench/*.c))
BENCH_SERVERS = $(patsubst bench/servers/%.c,%,$(wildcard bench/servers/*_uv.c))
# Without the library: the load generators, and the servers to compare with, which are left out where their library is
# missing (tools/setup bench installs them).
BENCH_PLAIN = $(patsubst bench/servers/%.c,%,$(wildcard bench/servers/load_*.c))
BENCH_OTHERS = echo_ev echo_event echo_ring
BENCH_COMPILE = $(CC) -std=c11 -D_GNU_SOURCE $(WARNINGS) -Iinclude -Ibench $(CFLAGS) $(LDFLAGS)

.PHONY: bench bench-check bench-js bench-setup bench-programs
# make bench ARGS='--against DIR --only echo --rounds 5 --growth --list'
bench: bench-programs $(BUILD)/lib/libuv.so.1
	@BUILD='$(BUILD)' bench/run $(ARGS)

# Instructions and system calls of the hot paths against the table: no times. ARGS='--update'; ARGS=DIR: beside those of DIR/libuv.so.1
bench-check: $(BUILD)/lib/libuv.so.1
	@BUILD='$(BUILD)' test/instructions/run $(ARGS)

# make bench-js ARGS='--graft': Node on librota and Node alone; ARGS='--bun PATH --deno PATH --only echo --rounds 5 --list': JavaScript, on rota and on other runtimes
bench-js: $(BUILD)/bench/load_echo $(BUILD)/bin/rota
	@BUILD='$(BUILD)' runtime/bench/run $(ARGS)

bench-setup:
	@tools/setup bench

bench-programs: $(addprefix $(BUILD)/bench/,$(BENCH_UV) $(BENCH_SERVERS) $(BENCH_PLAIN) $(BENCH_OTHERS))

define BENCH_LINK_UV
	@mkdir -p $(@D)
	$(SAY) '  link $@'
	$(Q)$(BENCH_COMPILE) $< -L$(BUILD)/lib -l:libuv.so.1 $(LDLIBS) -o $@
endef
$(addprefix $(BUILD)/bench/,$(BENCH_UV)): $(BUILD)/bench/%: bench/%.c bench/bench.h $(BUILD)/flags | $(BUILD)/lib/libuv.so.1
	$(BENCH_LINK_UV)

$(addprefix $(BUILD)/bench/,$(BENCH_SERVERS)): $(BUILD)/bench/%: bench/servers/%.c bench/bench.h $(BUILD)/flags \
  | $(BUILD)/lib/libuv.so.1
	$(BENCH_LINK_UV)

$(addprefix $(BUILD)/bench/,$(BENCH_PLAIN)): $(BUILD)/bench/%: bench/servers/%.c bench/bench.h bench/servers/server.h $(BUILD)/flags
	@mkdir -p $(@D)
	$(SAY) '  link $@'
	$(Q)$(BENCH_COMPILE) $< -o $@

$(BUILD)/bench/echo_ev: BENCH_LIBRARY = ev
$(BUILD)/bench/echo_event: BENCH_LIBRARY = event_core
$(BUILD)/bench/echo_ring: BENCH_LIBRARY = uring
$(addprefix $(BUILD)/bench/,$(BENCH_OTHERS)): $(BUILD)/bench/%: bench/servers/%.c bench/bench.h bench/servers/plain.h \
  $(BUILD)/flags | bench-setup
	@mkdir -p $(@D)
	$(SAY) '  link $@'
	$(Q)$(BENCH_COMPILE) $< -l$(BENCH_LIBRARY) -o $@ || echo 'bench: no $* here: it is left out'
