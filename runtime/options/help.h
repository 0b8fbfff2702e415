/* What `rota --v8-options` and `--completion-bash` print; what `--help` prints is in command/help.c. */
#ifndef RUNTIME_OPTIONS_HELP_H
#define RUNTIME_OPTIONS_HELP_H

void js_help_print_engine(void);
void js_help_print_completion(void);

#endif
