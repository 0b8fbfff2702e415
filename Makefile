# rota: build, test and run. `make help` lists the targets.
BUILD ?= build
CC ?= gcc
CFLAGS ?= -O2 -g
ROTA_CFLAGS = -std=c11 -D_GNU_SOURCE -fPIC -fvisibility=hidden -Wall -Wextra -Wshadow -Werror -Iinclude -Isrc
LDLIBS = -lpthread -ldl -lm

SOURCES = $(wildcard src/*.c src/*/*.c)
OBJECTS = $(SOURCES:%.c=$(BUILD)/obj/%.o)

.PHONY: all clean
all: $(BUILD)/lib/libuv.so.1 $(BUILD)/lib/librota.so $(BUILD)/lib/librota.a

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ROTA_CFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/lib/libuv.so.1: $(OBJECTS)
	@mkdir -p $(@D)
	$(CC) -shared -Wl,-soname,libuv.so.1 -Wl,-z,defs $(LDFLAGS) $^ $(LDLIBS) -o $@

$(BUILD)/lib/librota.so: $(OBJECTS)
	@mkdir -p $(@D)
	$(CC) -shared -Wl,-soname,librota.so -Wl,-z,defs $(LDFLAGS) $^ $(LDLIBS) -o $@

$(BUILD)/lib/librota.a: $(OBJECTS)
	@mkdir -p $(@D)
	rm -f $@
	ar rcs $@ $^

clean:
	rm -rf $(BUILD)

-include $(OBJECTS:.o=.d)
