/* Functions that the two files of the binding `dns` share. */
#ifndef JS_BINDING_DNS_H
#define JS_BINDING_DNS_H

#include "runtime/bind/binding.h"

extern const struct js_method js_dns_query_methods[];

#endif
