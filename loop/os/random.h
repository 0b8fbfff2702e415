/* Random bytes from the system. */
#ifndef ROTA_OS_RANDOM_H
#define ROTA_OS_RANDOM_H

#include <stddef.h>

/* All of them, or a negated errno. May wait, once after the machine was started, until the system has enough entropy.
 */
int rota__os_random(void *buffer, size_t length);

#endif
