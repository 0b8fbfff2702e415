#include "runtime/options/help.h"

#include "runtime/options/table.h"

#include <stdio.h>

/* In the format of V8's list of options, which programs parse. */
static const char engine_help_text[] =
    "Options of V8 that may be given. The engine is another one: those with an effect say which.\n"
    "\n"
    "Options:\n"
    "  --expose-gc (a global function gc)\n"
    "  --allow-natives-syntax (no effect)\n"
    "  --disallow-code-generation-from-strings (eval and new Function throw)\n"
    "  --interpreted-frames-native-stack (no effect)\n"
    "  --jitless (interpret; no executable memory is made)\n"
    "  --max-old-space-size (the most that the heap may hold, in MB)\n"
    "  --max-semi-space-size (no effect)\n"
    "  --single-threaded (no effect)\n"
    "  --stack-size (no effect)\n"
    "  --stack-trace-limit (frames in an error's stack)\n";

void js_help_print_engine(void) {
  fputs(engine_help_text, stdout);
}

/* What a shell completes: the names of all options that are accepted, and of files. */
void js_help_print_completion(void) {
  fputs("_rota_complete() {\n  local cur_word options\n  cur_word=\"${COMP_WORDS[COMP_CWORD]}\"\n"
        "  if [[ \"${cur_word}\" == -* ]] ; then\n    COMPREPLY=( $(compgen -W '",
        stdout);
  const struct js_option *option;
  for (size_t i = 0; (option = js_option_at(i)) != NULL; i++)
    if (option->effect != JS_OPTION_REFUSED)
      printf("--%s ", option->name);
  fputs("' -- \"${cur_word}\") )\n    return 0\n  else\n    COMPREPLY=( $(compgen -f \"${cur_word}\") )\n"
        "    return 0\n  fi\n}\ncomplete -o filenames -o nospace -o bashdefault -F _rota_complete rota\n",
        stdout);
}
