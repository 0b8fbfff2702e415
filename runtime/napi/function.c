/* Functions of addons as native functions of the engine: compiled code calls them directly.
 *
 * The engine has a type of function that contains a C++ closure. This file makes such a closure in C: its first word
 * points to a table of two destructors and the call. When such a function is called with `new`, the engine calls one
 * function for all of them, which finds the closure in the callee's last word. */
#include <stdlib.h>
#include <string.h>

#include "runtime/engine/uses/probes.h"
#include "runtime/napi/napi.h"

struct closure {
  const void *const *table;
  napi_env env;
  napi_callback callback;
  void *data;
  uint32_t constructs, wants; /* numbers of classes; 0: none */
};

/* (target) -> an empty object whose prototype is that of `target`, as `new` makes one. */
const char js_napi_make_instance[] =
    "(({ construct }, Object, none) => (target) => construct(Object, none, target))(Reflect, ({}).constructor, [])";

struct napi_callback_info__ {
  struct js_frame *frame;
  JSValueRef this_value, new_target; /* NULL: no construction */
  void *data;
};

/* The callee's position in a frame, and the closure's in the callee. */
enum { CALLEE = 3, CLOSURE_AT = 4 };

/* JSC::JSNativeStdFunction::create; the closure is passed by its address. */
static JSObjectRef (*closure_function)(JSContextGroupRef vm, JSContextRef context, unsigned length, void *const *name,
                                       void **closure, uint8_t intrinsic, js_native constructor);

const struct js_symbol js_napi_function_symbols[] = {
    {"_ZN3JSC19JSNativeStdFunction6createERNS_2VMEPNS_14JSGlobalObjectEjRKN3WTF6StringEONS5_8FunctionIFlS4_PNS_"
     "9CallFrameEEEENS_9IntrinsicENS5_11FunctionPtrILNS5_6PtrTagE1ESC_LNS5_18FunctionAttributesE2EEE",
     &closure_function},
    {NULL, NULL}};

static JSValueRef run(const struct closure *closure, JSContextRef context, struct napi_callback_info__ *info) {
  napi_env env = closure->env;
  struct js_napi *thread = env->thread;
  size_t used = thread->used;
  unsigned scopes = env->open_scopes;
  env->last.error_code = napi_ok;
  napi_value result = closure->callback(env, info);
  thread->used = used;
  env->open_scopes = scopes;
  if (env->exception != NULL) {
    JSValueRef error = env->exception;
    env->exception = NULL;
    return js_throw(context, error);
  }
  return result != NULL ? js_napi_value(result) : js_undefined(context);
}

/* Otherwise an addon could take the memory of one class for that of another. */
static JSValueRef refuse(napi_env env, JSContextRef context) {
  JSValueRef outside = env->exception;
  js_napi_set_type_error(env, "Illegal invocation");
  JSValueRef error = env->exception;
  env->exception = outside;
  return js_throw(context, error);
}

static JSValueRef call(struct closure *closure, JSContextRef context, struct js_frame *frame) {
  struct napi_callback_info__ info = {frame, frame->this_value, NULL, closure->data};
  uint64_t bits = (uint64_t)(uintptr_t)info.this_value;
  if (bits == JS_VALUE_UNDEFINED || bits == JS_VALUE_NULL)
    info.this_value = JSContextGetGlobalObject(context);
  else if (js_napi_object(closure->env, (napi_value)(uintptr_t)info.this_value) == NULL)
    info.this_value = JSValueToObject(context, info.this_value, NULL);
  if (closure->wants != 0) {
    const struct js_napi_record *record = js_napi_record_of(closure->env->thread, info.this_value);
    if (record == NULL || record->class_number != closure->wants)
      return refuse(closure->env, context);
  }
  return run(closure, context, &info);
}

/* The new object is made from `new.target`, which is in the position of `this`. The callback's result replaces it. */
static JSValueRef construct(JSContextRef context, struct js_frame *frame) {
  const struct closure *closure = ((const struct closure *const *)(uintptr_t)frame->bookkeeping[CALLEE])[CLOSURE_AT];
  struct napi_callback_info__ info = {frame, NULL, frame->this_value, closure->data};
  JSValueRef error = NULL;
  info.this_value =
      JSObjectCallAsFunction(context, closure->env->thread->make_instance, NULL, 1, &info.new_target, &error);
  if (info.this_value == NULL)
    return js_throw(context, error); /* a getter of `prototype` threw */
  if (closure->constructs != 0)
    js_napi_record_make(closure->env->thread, (JSObjectRef)info.this_value)->class_number = closure->constructs;
  JSValueRef result = run(closure, context, &info);
  if (result == NULL)
    return NULL;
  return js_napi_object(closure->env, (napi_value)(uintptr_t)result) != NULL ? result : info.this_value;
}

static void forget(struct closure *closure) {
  (void)closure; /* never called: the owner of a closure's address deletes it */
}

static const void *const table[] = {(const void *)(uintptr_t)forget, (const void *)(uintptr_t)free,
                                    (const void *)(uintptr_t)call};

static JSObjectRef js_napi_function(napi_env env, const char *name, size_t length, napi_callback callback, void *data) {
  struct closure *closure = malloc(sizeof *closure);
  if (closure == NULL)
    js_napi_fatal("function", "out of memory");
  *closure = (struct closure){table, env, callback, data, 0, 0};
  void *handed = closure;
  JSValueRef text = name != NULL ? js_string_utf8(env->context, (const unsigned char *)name, length) : NULL;
  void *characters = js_characters_of(env->context, text);
  JSObjectRef function = closure_function(env->thread->group, env->context, 0, &characters, &handed, 0, construct);
  return function;
}

/* From now on a constructor marks the objects that it constructs, or a method accepts only objects with that mark. */
static void js_napi_set_class(JSObjectRef function, uint32_t number, bool is_method) {
  struct closure *closure = ((struct closure *const *)function)[CLOSURE_AT];
  if (is_method)
    closure->wants = number;
  else
    closure->constructs = number;
}

/* With a prototype of its own, like every function that can be constructed. */
static JSObjectRef js_napi_constructor(napi_env env, const char *name, size_t length, napi_callback callback,
                                       void *data) {
  JSContextRef context = env->context;
  JSObjectRef function = js_napi_function(env, name, length, callback, data);
  JSValueRef undefined = js_undefined(context), prototype = JSObjectMake(context, NULL, NULL);
  JSValueRef to_constructor[] = {prototype, js_string(context, "constructor"), function, undefined,
                                 undefined, js_integer(napi_default_method)};
  js_napi_help(env, HELPER_DEFINE, 6, to_constructor);
  JSValueRef to_prototype[] = {function,  js_string(context, "prototype"), prototype, undefined,
                               undefined, js_integer(napi_writable)};
  js_napi_help(env, HELPER_DEFINE, 6, to_prototype);
  return function;
}

napi_status napi_create_function(napi_env env, const char *utf8name, size_t length, napi_callback callback, void *data,
                                 napi_value *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, result);
  NAPI_NEEDS(env, callback);
  if (utf8name != NULL && length == NAPI_AUTO_LENGTH)
    length = strlen(utf8name);
  return js_napi_give(env, js_napi_constructor(env, utf8name, length, callback, data), result);
}

/* Entries beyond the arguments get `undefined`. */
napi_status napi_get_cb_info(napi_env env, napi_callback_info info, size_t *argc, napi_value *argv,
                             napi_value *this_value, void **data) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, info);
  if (argv != NULL) {
    NAPI_NEEDS(env, argc);
    size_t given = (size_t)js_argc(info->frame);
    size_t i = 0;
    for (; i < *argc && i < given; i++)
      argv[i] = (napi_value)(uintptr_t)info->frame->arguments[i];
    for (; i < *argc; i++)
      argv[i] = (napi_value)(uintptr_t)js_undefined(env->context);
  }
  if (argc != NULL)
    *argc = (size_t)js_argc(info->frame);
  if (this_value != NULL)
    *this_value = (napi_value)(uintptr_t)info->this_value;
  if (data != NULL)
    *data = info->data;
  return js_napi_ok(env);
}

napi_status napi_get_new_target(napi_env env, napi_callback_info info, napi_value *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, info);
  NAPI_NEEDS(env, result);
  *result = (napi_value)(uintptr_t)info->new_target;
  return js_napi_ok(env);
}

/* ---- calling JavaScript ---- */

enum { ARGUMENTS_ON_STACK = 16 };

/* The C API accepts only objects as `this`; other values are passed through JavaScript's own Reflect.apply. */
static JSValueRef call_with_value(napi_env env, JSValueRef this_value, JSObjectRef function, size_t argc,
                                  const JSValueRef *argv, JSValueRef *error) {
  JSValueRef few[ARGUMENTS_ON_STACK + 2];
  JSValueRef *all = argc > ARGUMENTS_ON_STACK ? calloc(argc + 2, sizeof *all) : few;
  if (all == NULL)
    js_napi_fatal("napi_call_function", "out of memory");
  all[0] = function;
  all[1] = this_value;
  for (size_t i = 0; i < argc; i++)
    all[i + 2] = argv[i];
  JSValueRef result =
      JSObjectCallAsFunction(env->context, env->thread->helpers[HELPER_APPLY], NULL, argc + 2, all, error);
  if (all != few)
    free(all);
  return result;
}

napi_status napi_call_function(napi_env env, napi_value receiver, napi_value function, size_t argc,
                               const napi_value *argv, napi_value *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, function);
  if (argc > 0)
    NAPI_NEEDS(env, argv);
  JSObjectRef object = js_napi_object(env, function);
  if (object == NULL || !JSObjectIsFunction(env->context, object))
    return js_napi_fail(env, napi_invalid_arg);
  JSValueRef error = NULL, value;
  const JSValueRef *arguments = (const JSValueRef *)argv;
  JSObjectRef self = receiver != NULL ? js_napi_object(env, receiver) : NULL;
  if (self != NULL)
    value = JSObjectCallAsFunction(env->context, object, self, argc, arguments, &error);
  else
    value = call_with_value(env, receiver != NULL ? js_napi_value(receiver) : js_undefined(env->context), object, argc,
                            arguments, &error);
  if (error != NULL)
    return js_napi_threw(env, error);
  if (result != NULL)
    *result = js_napi_keep(env, value);
  return js_napi_ok(env);
}

napi_status napi_new_instance(napi_env env, napi_value constructor, size_t argc, const napi_value *argv,
                              napi_value *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, constructor);
  if (argc > 0)
    NAPI_NEEDS(env, argv);
  NAPI_NEEDS(env, result);
  JSObjectRef object = js_napi_object(env, constructor);
  if (object == NULL || !JSObjectIsFunction(env->context, object))
    return js_napi_fail(env, napi_invalid_arg);
  if (!JSObjectIsConstructor(env->context, object)) {
    js_napi_set_type_error(env, "The function is not a constructor");
    return js_napi_fail(env, napi_pending_exception);
  }
  JSValueRef error = NULL;
  JSObjectRef instance = JSObjectCallAsConstructor(env->context, object, argc, (const JSValueRef *)argv, &error);
  return error != NULL ? js_napi_threw(env, error) : js_napi_give(env, instance, result);
}

/* ---- the check ---- */

static napi_value check_callback(napi_env env, napi_callback_info info) {
  napi_value argv[2];
  size_t argc = 2;
  napi_get_cb_info(env, info, &argc, argv, NULL, NULL);
  return argc == 1 && info->data == &table ? argv[0] : NULL;
}

int js_probe_addons(JSGlobalContextRef context) {
  struct js_napi thread = {.context = (JSGlobalContextRef)context, .group = JSContextGetGroup(context)};
  struct napi_env__ env = {.thread = &thread, .context = (JSGlobalContextRef)context};
  thread.make_instance = (JSObjectRef)js_check_evaluate(context, js_napi_make_instance);
  thread.kinds.string = js_cell_kind(js_check_evaluate(context, "'a'"));
  JSObjectRef function = js_napi_function(&env, "adds", 4, check_callback, (void *)(uintptr_t)&table);
  const struct closure *closure = ((const struct closure *const *)function)[CLOSURE_AT];
  js_set(context, JSContextGetGlobalObject(context), "checked", function);
  if (closure == NULL || closure->table != table)
    return 70;
  JSValueRef value = js_check_evaluate(
      context, "class Sub extends (checked.prototype = {}, checked) {}"
               "checked(7) === 7 && checked.name === 'adds' && checked(7, 8) === undefined && checked.length === 0 && "
               "new Sub() instanceof Sub && new checked(8) instanceof checked && new checked(checked) === checked");
  return value != NULL && js_to_boolean(context, value) ? 0 : 71;
}

/* ---- property descriptors, on objects and classes ---- */

/* Property descriptors, on objects and on classes. */

/* The arguments of runtime/lib/modules/addons.js for one property: the key, value or undefined, getter, setter,
 * attributes. */
enum { KEY, VALUE, GETTER, SETTER, ATTRIBUTES, PARTS };

static napi_status describe(napi_env env, const napi_property_descriptor *property, JSValueRef *parts) {
  JSContextRef context = env->context;
  if (property->utf8name != NULL) {
    parts[KEY] = js_string(context, property->utf8name);
  } else {
    NAPI_NEEDS(env, property->name);
    unsigned char kind = js_cell_kind(js_napi_value(property->name));
    if (kind == 0 || (kind != env->thread->kinds.string && kind != env->thread->kinds.symbol))
      return js_napi_fail(env, napi_name_expected);
    parts[KEY] = js_napi_value(property->name);
  }
  const char *name = property->utf8name;
  size_t length = name != NULL ? strlen(name) : 0;
  parts[VALUE] = parts[GETTER] = parts[SETTER] = js_undefined(context);
  if (property->getter != NULL || property->setter != NULL) {
    if (property->getter != NULL)
      parts[GETTER] = js_napi_function(env, NULL, 0, property->getter, property->data);
    if (property->setter != NULL)
      parts[SETTER] = js_napi_function(env, NULL, 0, property->setter, property->data);
  } else if (property->method != NULL) {
    parts[VALUE] = js_napi_constructor(env, name, length, property->method, property->data);
  } else {
    NAPI_NEEDS(env, property->value);
    parts[VALUE] = js_napi_value(property->value);
  }
  parts[ATTRIBUTES] = js_integer((int)property->attributes);
  return napi_ok;
}

/* `number`: the class of the method; 0: none. */
static napi_status define(napi_env env, JSObjectRef object, const napi_property_descriptor *property, uint32_t number) {
  JSValueRef parts[PARTS + 1];
  napi_status status = describe(env, property, parts + 1);
  if (status != napi_ok)
    return status;
  if (number != 0 && property->method != NULL && property->getter == NULL && property->setter == NULL)
    js_napi_set_class((JSObjectRef)parts[1 + VALUE], number, true);
  parts[0] = object;
  return js_napi_help(env, HELPER_DEFINE, PARTS + 1, parts) != NULL ? napi_ok : napi_pending_exception;
}

napi_status napi_define_properties(napi_env env, napi_value object, size_t count,
                                   const napi_property_descriptor *properties) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, object);
  if (count > 0)
    NAPI_NEEDS(env, properties);
  NAPI_NEEDS_OBJECT(env, object, holder);
  for (size_t i = 0; i < count; i++) {
    napi_status status = define(env, holder, &properties[i], 0);
    if (status != napi_ok)
      return status;
  }
  return js_napi_ok(env);
}

napi_status napi_define_class(napi_env env, const char *utf8name, size_t length, napi_callback constructor, void *data,
                              size_t count, const napi_property_descriptor *properties, napi_value *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, result);
  NAPI_NEEDS(env, constructor);
  if (count > 0)
    NAPI_NEEDS(env, properties);
  NAPI_NEEDS(env, utf8name);
  if (length == NAPI_AUTO_LENGTH)
    length = strlen(utf8name);
  JSValueRef function = js_napi_constructor(env, utf8name, length, constructor, data);
  JSValueRef prototype = js_get(env->context, (JSObjectRef)function, "prototype");
  uint32_t number = ++env->thread->classes;
  js_napi_set_class((JSObjectRef)function, number, false);
  for (size_t i = 0; i < count; i++) {
    bool is_static = (properties[i].attributes & napi_static) != 0;
    napi_status status =
        define(env, (JSObjectRef)(is_static ? function : prototype), &properties[i], is_static ? 0 : number);
    if (status != napi_ok)
      return status;
  }
  return js_napi_give(env, function, result);
}
