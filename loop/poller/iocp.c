/* The loop on a completion port. */
#include "loop/poller/poller.h"
