/* Units of time. */
#ifndef ROTA_BASE_UNITS_H
#define ROTA_BASE_UNITS_H

enum { NS_PER_US = 1000, NS_PER_MS = 1000000, NS_PER_SECOND = 1000000000 };

#endif
