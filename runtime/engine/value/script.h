/* A text that is run in several contexts of one engine (vm). JSEvaluateScript copies, hashes and compares the whole
 * text each time, and what the text defines keeps that copy alive. A script of the engine's has the text once. Its
 * first line is number 1. It belongs to JS_USE_SCRIPTS; callers evaluate the text if that is off. */
#ifndef JS_ENGINE_SCRIPT_H
#define JS_ENGINE_SCRIPT_H

#include <JavaScriptCore/JavaScript.h>

/* An object that holds the script, or NULL: the text has a syntax error, or memory is short, or the use is off. */
JSObjectRef js_script_make(JSContextRef context, JSStringRef text, JSStringRef url);
/* In the global of this context. NULL: an exception. */
JSValueRef js_script_run(JSContextRef context, JSObjectRef script, JSValueRef *exception);
/* Before the engine of this thread is gone: it must not be asked to release a script while it ends. */
void js_scripts_forget(void);

#endif
