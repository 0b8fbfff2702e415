/* Signals of a fault that somebody sends: they end the program, as on Node. */
#ifndef JS_ENGINE_LIMIT_FAULT_H
#define JS_ENGINE_LIMIT_FAULT_H

/* Before the engine exists: it hands signals that are not its own to the handlers of before. */
void js_fault_signals_end_program(void);

#endif
