/* What this process is called where several are told apart: "node app.js". */
#ifndef ROTA_NAME_LABEL_H
#define ROTA_NAME_LABEL_H

#include <stddef.h>

/* The program, and the file that it was told to run, if there is one. Its other arguments stay out: they may be secret.
 */
void rota__process_label(char *label, size_t size);

#endif
