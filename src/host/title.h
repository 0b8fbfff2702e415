/* The arguments and the title of the process. */
#ifndef ROTA_HOST_TITLE_H
#define ROTA_HOST_TITLE_H

/* Frees the copy of the arguments that uv_setup_args returned; for uv_library_shutdown. */
void rota__title_release(void);

#endif
