/* Host names in ASCII. */
#ifndef ROTA_BASE_IDNA_H
#define ROTA_BASE_IDNA_H

#include <sys/types.h>

/* Turns the UTF-8 host name into ASCII: labels with other characters become punycode (RFC 3492) after "xn--", the
 * ideographic full stops become dots, ASCII labels stay as they are. Returns the number of bytes written, with the
 * NUL. An empty name, anything that is not UTF-8, and a result that does not fit are UV_EINVAL: half a host name would
 * be another host. */
ssize_t rota__idna_to_ascii(const char *source, const char *source_end, char *destination, char *destination_end);

#endif
