# What of loop/os and loop/poller is compiled: for each system its folders of loop/os and its pollers.
#
# STANDIN=kqueue or STANDIN=ports, on Linux, adds another system's poller and what of loop/os goes with it. The system's
# calls come from test/standin. Such a build is for tests.
# Nothing is said of a compiler that `make run` is about to install.
# Of loop/os: what all systems share.
OS_SHARED = loop/os/clock.c loop/os/socket.c
ROOMS = loop observe settings simulate
MACHINE := $(shell $(CC) -dumpmachine 2>/dev/null)
SYSTEM := $(firstword $(foreach system,linux macos darwin freebsd netbsd openbsd mingw windows solaris illumos,$(findstring $(system),$(MACHINE))) linux)
STANDIN ?=
SONAME = $(if $(filter macos darwin,$(SYSTEM)),-Wl$(comma)-install_name$(comma)@rpath/,-Wl$(comma)-soname$(comma))
comma = ,

ifneq ($(filter solaris illumos,$(SYSTEM)),)
$(error librota cannot be built for $(SYSTEM): loop/os/sunos has the calls of event ports only, not processes, clocks, memory and interfaces (doc/PLATFORMS.md))
endif

ifeq ($(SYSTEM),linux)
OS_FOLDERS = posix linux
POLLERS = epoll uring uring_file uring_overdue
# Large files and late years, also where a long has 32 bits.
SYSTEM_FLAGS = -DROTA_WITH_EPOLL -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64
ifneq ($(filter i686% arm%,$(MACHINE)),)
SYSTEM_FLAGS += -Wno-psabi # what changed in an earlier gcc
endif
# On arm, functions in C have no tables for unwinding unless asked for. The tests look at their own functions, too.
UNWINDING := $(if $(filter arm%,$(MACHINE)),-funwind-tables)
SYSTEM_FLAGS += $(UNWINDING)
WITHOUT_FILES = loop/fs/small_file_plain.c
# Functions of the library call each other directly, also in a program that has functions of these names itself.
LIBRARY_LDFLAGS = -Wl,-z,defs -Wl,-Bsymbolic-functions -Wl,--version-script=loop/exports.map $(SYSTEM_LDFLAGS)
else ifeq ($(SYSTEM),model)
# Nothing of the machine but memory: for test/simulator. The rooms above the loop are left out.
ROOMS = loop settings
OS_SHARED =
OS_FOLDERS = model
POLLERS = epoll uring uring_file uring_overdue
SYSTEM_FLAGS = -DROTA_WITH_EPOLL -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64 -include loop/os/model/thread.h
WITHOUT_FILES = loop/fs/small_file_plain.c
else ifneq ($(filter mingw windows,$(SYSTEM)),)
include loop/windows.mk
else
OS_SHARED += loop/os/lacking.c
OS_FOLDERS = posix bsd $(if $(filter macos darwin,$(SYSTEM)),darwin)
POLLERS = kqueue
SYSTEM_FLAGS = -DROTA_WITH_KQUEUE
WITHOUT_FILES = loop/fs/small_file_ring.c
# On macOS, what may be missing at run time (the clock of grafted programs) is looked up then.
LIBRARY_LDFLAGS = $(if $(filter macos darwin,$(SYSTEM)),-Wl$(comma)-undefined$(comma)dynamic_lookup,\
  -Wl$(comma)-z$(comma)defs -Wl$(comma)--version-script=loop/exports.map)
endif

# Of other systems: what needs nothing of them, so the unit tests look at it, too.
UNIT_TESTED = $(filter-out $(SYSTEM_SOURCES),loop/os/darwin/tree.c)

# What stands in a folder `windows` of a room is for Windows only, in a folder `posix` for the others.
ifeq ($(filter mingw windows,$(SYSTEM)),)
WITHOUT_FILES += $(wildcard loop/windows/*.c loop/*/windows/*.c observe/*/windows/*.c)
endif
SYSTEM_SOURCES = $(wildcard $(OS_FOLDERS:%=loop/os/%/*.c)) $(OS_SHARED) $(POLLERS:%=loop/poller/%.c) loop/poller/poller.c

ifeq ($(STANDIN),kqueue)
SYSTEM_SOURCES := $(filter-out loop/os/linux/inotify.c,$(SYSTEM_SOURCES)) loop/poller/kqueue.c loop/os/bsd/kqueue.c \
  loop/os/bsd/files.c test/standin/kqueue.c test/standin/standin.c
SYSTEM_FLAGS += -DROTA_WITH_KQUEUE -DROTA_WITHOUT_PIDFD -Itest/standin/kqueue
# What the library closes, the stand-in hears of.
SYSTEM_LDFLAGS = -Wl,--wrap=close
endif

ifeq ($(STANDIN),ports)
SYSTEM_SOURCES := $(filter-out loop/os/linux/inotify.c,$(SYSTEM_SOURCES)) loop/poller/event_ports.c \
  loop/os/sunos/ports.c loop/os/bsd/files.c test/standin/ports.c test/standin/standin.c
SYSTEM_FLAGS += -DROTA_WITH_PORTS -DROTA_WITHOUT_PIDFD -Itest/standin/ports
SYSTEM_LDFLAGS = -Wl,--wrap=close
endif
