/* What the two files of the binding `dns` share, and the end of a thread's questions. */
#ifndef JS_BINDING_DNS_H
#define JS_BINDING_DNS_H

#include "runtime/bind/binding.h"

extern const struct js_method js_dns_query_methods[];

/* For a thread that ends, before its handles are closed: c-ares closes its sockets, whose handles are closed first. */
void js_dns_forget(void);

#endif
