#include "observe/name/windows/image.h"

#include <stdio.h>
#include <string.h>

#include <dbghelp.h>

#include "loop/base/text.h"
#include "loop/os/windows/convert.h"

/* The functions of dbghelp.dll; null until it is loaded. */
static struct {
  HANDLE session;
  BOOL(WINAPI *initialize)(HANDLE, PCWSTR, BOOL);
  DWORD64(WINAPI *load)(HANDLE, HANDLE, PCWSTR, PCWSTR, DWORD64, DWORD, PMODLOAD_DATA, DWORD);
  BOOL(WINAPI *unload)(HANDLE, DWORD64);
  BOOL(WINAPI *describe)(HANDLE, DWORD64, PIMAGEHLP_MODULEW64);
  BOOL(WINAPI *symbol)(HANDLE, DWORD64, PDWORD64, PSYMBOL_INFOW);
  BOOL(WINAPI *line)(HANDLE, DWORD64, PDWORD, PIMAGEHLP_LINEW64);
} reader;

static bool find_function(HMODULE library, const char *name, void *function) {
  FARPROC found = GetProcAddress(library, name);
  memcpy(function, &found, sizeof(found));
  return found != NULL;
}

/* A session is told from others by its handle: a copy of this process's is nobody else's. */
static bool open_session(void) {
  static bool tried;
  if (tried)
    return reader.session != NULL;
  tried = true;
  HANDLE self = GetCurrentProcess(), session;
  HMODULE library = LoadLibraryExW(L"dbghelp.dll", NULL, LOAD_LIBRARY_SEARCH_SYSTEM32);
  if (library == NULL || !find_function(library, "SymInitializeW", &reader.initialize) ||
      !find_function(library, "SymLoadModuleExW", &reader.load) ||
      !find_function(library, "SymUnloadModule64", &reader.unload) ||
      !find_function(library, "SymGetModuleInfoW64", &reader.describe) ||
      !find_function(library, "SymFromAddrW", &reader.symbol) ||
      !find_function(library, "SymGetLineFromAddrW64", &reader.line) ||
      !DuplicateHandle(self, self, self, &session, 0, FALSE, DUPLICATE_SAME_ACCESS))
    return false;
  if (reader.initialize(session, NULL, FALSE))
    reader.session = session;
  else
    CloseHandle(session);
  return reader.session != NULL;
}

/* Without a PDB, the reader would guess from exported names. */
bool rota__pdb_load(HMODULE module, const WCHAR *path) {
  IMAGEHLP_MODULEW64 about = {.SizeOfStruct = sizeof(about)};
  DWORD64 base = (DWORD64)(uintptr_t)module;
  if (!open_session() || reader.load(reader.session, NULL, path, NULL, base, 0, NULL, 0) == 0)
    return false;
  if (reader.describe(reader.session, base, &about) && (about.SymType == SymPdb || about.SymType == SymDia))
    return true;
  reader.unload(reader.session, base);
  return false;
}

bool rota__pdb_function(HMODULE module, const void *address, struct rota_image_function *function) {
  struct {
    SYMBOL_INFOW symbol;
    WCHAR rest[ROTA_IMAGE_NAME_MAX];
  } found = {.symbol = {.SizeOfStruct = sizeof(SYMBOL_INFOW), .MaxNameLen = ROTA_IMAGE_NAME_MAX}};
  size_t size = sizeof(function->name);
  DWORD64 offset;
  if (!reader.symbol(reader.session, (DWORD64)(uintptr_t)address, &offset, &found.symbol))
    return false;
  function->start = (uint32_t)((uintptr_t)address - (uintptr_t)module - offset);
  return rota__os_narrow_give(found.symbol.Name, -1, function->name, &size) == 0;
}

bool rota__pdb_line(const void *address, struct rota_line_place *found) {
  IMAGEHLP_LINEW64 line = {.SizeOfStruct = sizeof(line)};
  size_t size = sizeof(found->file);
  DWORD offset;
  if (!reader.line(reader.session, (DWORD64)(uintptr_t)address, &offset, &line) || line.FileName == NULL)
    return false;
  found->line = (int)line.LineNumber;
  return rota__os_narrow_give(line.FileName, -1, found->file, &size) == 0;
}
