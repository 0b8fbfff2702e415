# What is compiled for Windows (x86_64-windows-gnu). loop/system.mk includes this where the compiler makes programs of
# Windows; `make windows` on Linux calls the Makefile again with such a compiler.
#
# A room that talks to the system has two folders: `posix`, and `windows`, whose files replace those. What stands in the room itself
# is shared. The headers of POSIX that shared files include, and Windows lacks, are in loop/os/windows/include.
OS_FOLDERS = windows
POLLERS = iocp
SYSTEM_FLAGS = -std=gnu11 -DROTA_WITH_IOCP -Iloop/os/windows/include $(if $(filter mingw,$(SYSTEM)),-fno-pic)
TLS_MODEL =

OS_SHARED += loop/os/lacking.c

# Of the other rooms: what needs POSIX. loop/windows/abi.c stands in for loop/abi.c.
WITHOUT_FILES = loop/abi.c loop/core/signal_wakeup.c loop/fs/small_file_ring.c observe/name/symbol.c observe/name/demangle.c \
  observe/attach/attach.c observe/metrics/server.c observe/metrics/share.c observe/metrics/push.c simulate/libc_clock_start.c $(wildcard loop/*/posix/*.c)

# Threads of the shared rooms are pthreads: winpthreads, which the compiler brings along, linked into the library.
WINDOWS_LIBRARIES = -lws2_32 -lmswsock -liphlpapi -luserenv -lpsapi -ladvapi32 -ldbghelp -lole32 -lshell32 -lntdll -lbcrypt

WINDOWS_OUTPUT = $(BUILD)/lib/librota.dll $(BUILD)/lib/librota.a

# The commands for other programs, and what they load into Node.
COMMAND_EXE = $(BUILD)/bin/rota.exe
GRAFT_DLL = $(BUILD)/lib/rota-graft.dll
COMMAND_EXE_OBJECTS = $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard command/windows/*.c) command/command.c command/help.c command/option.c inject/windows/start.c)
GRAFT_DLL_OBJECTS = $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard inject/windows/*.c))
windows-commands: $(COMMAND_EXE) $(GRAFT_DLL) tools-for-node
$(COMMAND_EXE_OBJECTS) $(GRAFT_DLL_OBJECTS): override CFLAGS += $(SYSTEM_FLAGS) -Icommand/windows/include

$(COMMAND_EXE): $(COMMAND_EXE_OBJECTS) $(BUILD)/lib/librota.a
	@mkdir -p $(@D)
	$(SAY) '  link $@'
	$(Q)$(CC) -municode -static -o $@ $^ $(WINDOWS_LIBRARIES) -lpthread

# Nothing but the system's libraries: a shell gets it, too.
$(GRAFT_DLL): $(GRAFT_DLL_OBJECTS)
	@mkdir -p $(@D)
	$(SAY) '  link $@'
	$(Q)$(CC) -shared -static-libgcc -o $@ $^ -lntdll -lpsapi

windows-libraries: $(WINDOWS_OUTPUT)

# The library exports uv_* and rota_*, as loop/exports.map says for the other systems. tools/windows-missing lists them, and
# fails if a function is declared or called and defined nowhere.
$(BUILD)/lib/librota.dll: $(BUILD)/lib/librota.a include/uv.h include/rota.h tools/windows-missing
	@mkdir -p $(@D)
	$(SAY) '  link $@'
	$(Q)NM='$(if $(filter %gcc,$(CC)),$(CC:gcc=nm),nm)' tools/windows-missing $(BUILD)
	$(Q)$(CC) -shared -static-libgcc -o $@ $(BUILD)/librota.def -Wl,--whole-archive $(BUILD)/lib/librota.a -Wl,--no-whole-archive \
	  -Wl,--out-implib,$(BUILD)/lib/librota.dll.a $(WINDOWS_LIBRARIES) -Wl,-Bstatic -lpthread

install-windows-files: windows-libraries man
	@BUILD='$(BUILD)' PREFIX='$(PREFIX)' LIBDIR='$(LIBDIR)' INCLUDEDIR='$(INCLUDEDIR)' DESTDIR='$(DESTDIR)' VERSION='$(VERSION)' \
	  WINDOWS_LIBRARIES='$(WINDOWS_LIBRARIES) -Wl,-Bstatic -lpthread -Wl,-Bdynamic' packaging/install

-include $(COMMAND_EXE_OBJECTS:.o=.d) $(GRAFT_DLL_OBJECTS:.o=.d)
.PHONY: windows-libraries windows-commands install-windows-files
