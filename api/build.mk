# rota-api.node, by which the package rota-loop reaches the librota in a process. Included by the Makefile.
API_OBJECT = $(BUILD)/obj/api/addon.o
API_MODULE = $(BUILD)/lib/rota-api.node

$(API_OBJECT): api/addon.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(SAY) '  compile $<'
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE -fPIC -fvisibility=hidden $(WARNINGS) -Iinclude -I. $(CFLAGS) -MMD -MP -c $< -o $@

$(API_MODULE): $(API_OBJECT)
	@mkdir -p $(@D)
	$(SAY) '  link $@'
	$(Q)$(CC) -shared $(CFLAGS) $(LDFLAGS) $(API_OBJECT) -ldl -o $@

-include $(API_OBJECT:.o=.d)
