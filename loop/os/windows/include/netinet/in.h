/* Addresses of the internet: see sys/socket.h. */
#include <sys/socket.h>
