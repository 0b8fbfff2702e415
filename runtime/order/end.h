/* The end of the process: see end.c. */
#ifndef JS_END_H
#define JS_END_H

_Noreturn void js_end_process(int code);

#endif
