# What of loop/os and loop/poller is compiled: for each system its folders of loop/os and its pollers.
#
# STANDIN=kqueue or STANDIN=ports, on Linux, adds another system's poller and what of loop/os goes with it. The system's
# calls come from test/standin. Such a build is for tests.
MACHINE := $(shell $(CC) -dumpmachine)
SYSTEM := $(firstword $(foreach system,linux darwin macos freebsd netbsd openbsd,$(findstring $(system),$(MACHINE))) linux)
STANDIN ?=

OS_FOLDERS_linux = posix linux
POLLERS_linux = epoll uring uring_file

SYSTEM_SOURCES = $(wildcard $(OS_FOLDERS_$(SYSTEM):%=loop/os/%/*.c)) $(POLLERS_$(SYSTEM):%=loop/poller/%.c) \
  loop/poller/poller.c
SYSTEM_FLAGS = -DROTA_WITH_EPOLL

ifeq ($(STANDIN),kqueue)
SYSTEM_SOURCES := $(filter-out loop/os/linux/inotify.c,$(SYSTEM_SOURCES)) loop/poller/kqueue.c loop/os/bsd/kqueue.c \
  loop/os/bsd/vnode.c loop/os/bsd/files.c test/standin/kqueue.c
SYSTEM_FLAGS += -DROTA_WITH_KQUEUE -DROTA_WITHOUT_PIDFD -Itest/standin/kqueue
# What the library closes, the stand-in hears of.
SYSTEM_LDFLAGS = -Wl,--wrap=close
endif

ifeq ($(STANDIN),ports)
SYSTEM_SOURCES := $(filter-out loop/os/linux/inotify.c,$(SYSTEM_SOURCES)) loop/poller/event_ports.c \
  loop/os/sunos/ports.c loop/os/sunos/file_port.c loop/os/bsd/files.c test/standin/ports.c
SYSTEM_FLAGS += -DROTA_WITH_PORTS -DROTA_WITHOUT_PIDFD -Itest/standin/ports
SYSTEM_LDFLAGS = -Wl,--wrap=close
endif
