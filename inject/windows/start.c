#include "inject/windows/start.h"

#include <psapi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <tlhelp32.h>
#include <wchar.h>
#include <winternl.h>

enum { NAME_MAX_SIZE = 64, LOAD_LIMIT_MS = 60000, PEB_IMAGE_BASE = 0x10, TRIES = 20 };

static enum graft_start refuse(char reason[GRAFT_START_REASON_SIZE], const char *what) {
  snprintf(reason, GRAFT_START_REASON_SIZE, "%s (error %lu)", what, GetLastError());
  return GRAFT_START_REFUSED;
}

/* ---- what the program is: its image is mapped before it runs ---- */

struct remote {
  HANDLE process;
  uintptr_t base;
  IMAGE_NT_HEADERS64 headers;
};

static bool read_at(const struct remote *remote, uintptr_t offset, void *to, size_t size) {
  SIZE_T read;
  return ReadProcessMemory(remote->process, (void *)(remote->base + offset), to, size, &read) && read == size;
}

static bool read_headers(struct remote *remote) {
  PROCESS_BASIC_INFORMATION basic;
  IMAGE_DOS_HEADER dos;
  if (NtQueryInformationProcess(remote->process, ProcessBasicInformation, &basic, sizeof basic, NULL) != 0)
    return false;
  remote->base = (uintptr_t)basic.PebBaseAddress;
  if (!read_at(remote, PEB_IMAGE_BASE, &remote->base, sizeof remote->base))
    return false;
  return read_at(remote, 0, &dos, sizeof dos) &&
         read_at(remote, (uintptr_t)dos.e_lfanew, &remote->headers, sizeof remote->headers) &&
         remote->headers.Signature == IMAGE_NT_SIGNATURE;
}

/* The names are sorted. */
static bool exports(const struct remote *remote, const char *name) {
  const IMAGE_DATA_DIRECTORY *directory = &remote->headers.OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_EXPORT];
  IMAGE_EXPORT_DIRECTORY table;
  char found[NAME_MAX_SIZE];
  if (directory->Size == 0 || !read_at(remote, directory->VirtualAddress, &table, sizeof table))
    return false;
  uint32_t low = 0, high = table.NumberOfNames;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2, at;
    if (!read_at(remote, table.AddressOfNames + middle * sizeof at, &at, sizeof at) ||
        !read_at(remote, at, found, sizeof found))
      return false;
    found[sizeof found - 1] = 0;
    int order = strcmp(found, name);
    if (order == 0)
      return true;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return false;
}

/* The shell starts the programs that npm and others hand to it. */
static bool is_shell(HANDLE process) {
  WCHAR path[MAX_PATH];
  DWORD length = MAX_PATH;
  if (!QueryFullProcessImageNameW(process, 0, path, &length))
    return false;
  const WCHAR *slash = wcsrchr(path, L'\\');
  return _wcsicmp(slash != NULL ? slash + 1 : path, L"cmd.exe") == 0;
}

/* ---- calls there ---- */

/* Runs a function of the process in a thread of its own. False: it did not come back. */
static bool call(HANDLE process, uintptr_t function, void *argument, DWORD limit_ms, DWORD *result) {
  LPTHREAD_START_ROUTINE start = (LPTHREAD_START_ROUTINE)function;
  HANDLE thread = CreateRemoteThread(process, NULL, 0, start, argument, 0, NULL);
  if (thread == NULL)
    return false;
  const HANDLE either[] = {thread, process};
  bool ended = WaitForMultipleObjects(2, either, FALSE, limit_ms) == WAIT_OBJECT_0 && GetExitCodeThread(thread, result);
  CloseHandle(thread);
  return ended;
}

/* The system's libraries have the same addresses in all processes. */
static bool load(HANDLE process, const WCHAR *library) {
  size_t size = (wcslen(library) + 1) * sizeof *library;
  uintptr_t function = (uintptr_t)GetProcAddress(GetModuleHandleW(L"kernel32.dll"), "LoadLibraryW");
  void *path = VirtualAllocEx(process, NULL, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
  DWORD handle = 0;
  bool done = path != NULL && WriteProcessMemory(process, path, library, size, NULL) &&
              call(process, function, path, LOAD_LIMIT_MS, &handle);
  DWORD err = GetLastError();
  if (done)
    VirtualFreeEx(process, path, 0, MEM_RELEASE);
  SetLastError(err);
  return done && handle != 0;
}

/* Where the library is there. 0: it is not. */
static uintptr_t find(HANDLE process, const WCHAR *library) {
  HANDLE list = INVALID_HANDLE_VALUE;
  MODULEENTRY32W module = {.dwSize = sizeof module};
  uintptr_t found = 0;
  for (int i = 0; i < TRIES && list == INVALID_HANDLE_VALUE; i++) { /* the list may change while it is read */
    list = CreateToolhelp32Snapshot(TH32CS_SNAPMODULE, GetProcessId(process));
    if (list == INVALID_HANDLE_VALUE && GetLastError() != ERROR_BAD_LENGTH)
      return 0;
  }
  for (BOOL more = Module32FirstW(list, &module); more && found == 0; more = Module32NextW(list, &module))
    if (_wcsicmp(module.szModule, wcsrchr(library, L'\\') + 1) == 0)
      found = (uintptr_t)module.modBaseAddr;
  CloseHandle(list);
  return found;
}

/* Where its function is that begins: as far behind its base as in the file, which is mapped for that. 0: not known. */
static uintptr_t offset_of_begin(const WCHAR *library) {
  static uintptr_t offset;
  if (offset != 0)
    return offset;
  HMODULE own = LoadLibraryExW(library, NULL, DONT_RESOLVE_DLL_REFERENCES);
  uintptr_t address = own != NULL ? (uintptr_t)GetProcAddress(own, "graft_begin") : 0;
  if (address != 0)
    offset = address - (uintptr_t)own;
  if (own != NULL)
    FreeLibrary(own);
  return offset;
}

enum graft_start graft_start(HANDLE process, const WCHAR *library, char reason[GRAFT_START_REASON_SIZE]) {
  struct remote remote = {.process = process};
  uintptr_t offset, base;
  DWORD result;
  if (!read_headers(&remote))
    return refuse(reason, "its image cannot be read");
  if (remote.headers.FileHeader.Machine != IMAGE_FILE_MACHINE_AMD64) {
    snprintf(reason, GRAFT_START_REASON_SIZE, "it is a program for %s, and this rota is for x86-64",
             remote.headers.FileHeader.Machine == IMAGE_FILE_MACHINE_I386    ? "32 bit"
             : remote.headers.FileHeader.Machine == IMAGE_FILE_MACHINE_ARM64 ? "arm64"
                                                                             : "another processor");
    return GRAFT_START_REFUSED;
  }
  if (!exports(&remote, "uv_run") && !is_shell(process))
    return GRAFT_START_NOTHING;
  if ((offset = offset_of_begin(library)) == 0)
    return refuse(reason, "rota-graft.dll cannot be read");
  if (!load(process, library))
    return refuse(reason, "rota-graft.dll cannot be loaded into it");
  if ((base = find(process, library)) == 0)
    return refuse(reason, "rota-graft.dll cannot be found in it");
  return call(process, base + offset, NULL, INFINITE, &result) ? GRAFT_START_DONE
                                                               : refuse(reason, "rota-graft.dll did not begin in it");
}
