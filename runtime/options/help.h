/* What `rota --help`, `rota help options`, `--v8-options` and `--completion-bash` print. */
#ifndef RUNTIME_OPTIONS_HELP_H
#define RUNTIME_OPTIONS_HELP_H

void js_help_print(void);
void js_help_print_options(void);
void js_help_print_engine(void);
void js_help_print_completion(void);

#endif
