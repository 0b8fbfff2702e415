/* Windows has it elsewhere. */
#include <ws2tcpip.h>
