/* The binding `crypto`: OpenSSL 3. This file has the common functions of its other files. */
#include "runtime/bind/crypto/crypto.h"

#include <ctype.h>
#include <openssl/conf.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <pthread.h>
#include <rota.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct holder {
  void *pointer;
  void (*release)(void *);
};

static _Thread_local JSClassRef holder_class;
static _Thread_local JSObjectRef complete;

static void finalize(JSObjectRef object) {
  struct holder *holder = JSObjectGetPrivate(object);
  if (holder == NULL)
    return;
  holder->release(holder->pointer);
  free(holder);
}

JSObjectRef js_crypto_object(JSContextRef context, void *pointer, void (*release)(void *)) {
  if (holder_class == NULL) {
    JSClassDefinition definition = {0};
    definition.className = "Native";
    definition.finalize = finalize;
    holder_class = JSClassCreate(&definition);
  }
  struct holder *holder = malloc(sizeof *holder);
  if (holder == NULL) {
    release(pointer);
    return js_object(context);
  }
  holder->pointer = pointer;
  holder->release = release;
  return JSObjectMake(context, holder_class, holder);
}

void *js_crypto_pointer(JSContextRef context, JSValueRef value, void (*release)(void *)) {
  if (holder_class == NULL || !JSValueIsObjectOfClass(context, value, holder_class))
    return NULL;
  struct holder *holder = JSObjectGetPrivate((JSObjectRef)value);
  return holder != NULL && holder->release == release ? holder->pointer : NULL;
}

static void code_name(unsigned long code, char *name, size_t size) {
  static const struct {
    int library;
    const char *prefix;
  } prefixes[] = {
      {ERR_LIB_SYS, "SYS_"},       {ERR_LIB_BN, "BN_"},
      {ERR_LIB_RSA, "RSA_"},       {ERR_LIB_DH, "DH_"},
      {ERR_LIB_EVP, "EVP_"},       {ERR_LIB_BUF, "BUF_"},
      {ERR_LIB_OBJ, "OBJ_"},       {ERR_LIB_PEM, "PEM_"},
      {ERR_LIB_DSA, "DSA_"},       {ERR_LIB_X509, "X509_"},
      {ERR_LIB_ASN1, "ASN1_"},     {ERR_LIB_CONF, "CONF_"},
      {ERR_LIB_CRYPTO, "CRYPTO_"}, {ERR_LIB_EC, "EC_"},
      {ERR_LIB_BIO, "BIO_"},       {ERR_LIB_PKCS7, "PKCS7_"},
      {ERR_LIB_X509V3, "X509V3_"}, {ERR_LIB_PKCS12, "PKCS12_"},
      {ERR_LIB_RAND, "RAND_"},     {ERR_LIB_OSSL_STORE, "OSSL_STORE_"},
      {ERR_LIB_HMAC, "HMAC_"},     {ERR_LIB_KDF, "KDF_"},
      {ERR_LIB_OSSL_DECODER, ""},
  };
  const char *prefix = "";
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (prefixes[i].library == ERR_GET_LIB(code))
      prefix = prefixes[i].prefix;
  const char *reason = ERR_reason_error_string(code);
  const char *owner = ERR_GET_LIB(code) == ERR_LIB_SSL ? "SSL" : "OSSL";
  snprintf(name, size, "ERR_%s_%s%s", owner, prefix, reason != NULL ? reason : "UNKNOWN");
  for (char *at = name; *at != 0; at++)
    *at = *at == ' ' || *at == '-' ? '_' : (char)toupper((unsigned char)*at);
}

static void js_crypto_take_errors(struct js_crypto_errors *errors) {
  errors->count = 0;
  for (unsigned long code; errors->count < JS_CRYPTO_ERRORS && (code = ERR_get_error()) != 0;)
    errors->codes[errors->count++] = code;
  ERR_clear_error();
}

static JSValueRef error_text(JSContextRef context, unsigned long code) {
  char text[256];
  ERR_error_string_n(code, text, sizeof text);
  return js_string(context, text);
}

/* The oldest of them as an Error, or `otherwise` if there is none; with `with_stack` the Error lists them all. */
static JSValueRef js_crypto_make_error(JSContextRef context, const struct js_crypto_errors *errors, bool with_stack,
                                       const char *otherwise) {
  if (errors->count == 0) {
    JSValueRef message = js_string(context, otherwise);
    return JSObjectMakeError(context, 1, &message, NULL);
  }
  unsigned long code = errors->codes[0];
  JSValueRef message = error_text(context, code), stack[JS_CRYPTO_ERRORS];
  JSObjectRef error = JSObjectMakeError(context, 1, &message, NULL);
  if (with_stack) {
    for (int i = 0; i < errors->count; i++)
      stack[i] = error_text(context, errors->codes[errors->count - 1 - i]);
    js_set(context, error, "opensslErrorStack", js_array(context, (size_t)errors->count, stack));
  }
  const char *library = ERR_lib_error_string(code), *reason = ERR_reason_error_string(code);
  if (library != NULL)
    js_set(context, error, "library", js_string(context, library));
  if (reason != NULL) {
    char name[256];
    code_name(code, name, sizeof name);
    js_set(context, error, "reason", js_string(context, reason));
    js_set(context, error, "code", js_string(context, name));
  }
  return error;
}

JSValueRef js_crypto_error(JSContextRef context, unsigned long code, const char *otherwise) {
  struct js_crypto_errors errors;
  js_crypto_take_errors(&errors);
  if (code != 0)
    errors = (struct js_crypto_errors){{code}, 1};
  return js_crypto_make_error(context, &errors, code == 0, otherwise);
}

JSValueRef js_crypto_throw(JSContextRef context, const char *otherwise) {
  return js_throw(context, js_crypto_error(context, 0, otherwise));
}

unsigned char *js_crypto_copy(JSContextRef context, JSValueRef value, size_t *length) {
  unsigned char *bytes;
  struct js_characters text;
  *length = 0;
  if (js_borrow_text(context, value, &text)) {
    size_t size = js_utf8_length(&text);
    unsigned char *copy = malloc(size + 1);
    if (copy != NULL) {
      *length = js_utf8_write(&text, copy, size);
      copy[size] = 0;
    }
    return copy;
  }
  if (!js_borrow_bytes(context, value, &bytes, length))
    return NULL;
  unsigned char *copy = malloc(*length + 1);
  if (copy != NULL) {
    memcpy(copy, bytes, *length);
    copy[*length] = 0;
  }
  return copy;
}

JSValueRef js_crypto_bytes(JSContextRef context, const void *bytes, size_t length) {
  void *copy = malloc(length + 1);
  if (copy == NULL)
    return js_undefined(context);
  memcpy(copy, bytes, length);
  return js_buffer_adopt(context, copy, length);
}

static void run_job(uv_work_t *work) {
  struct js_job *job = (struct js_job *)work;
  ERR_clear_error();
  if (job->id >= 0)
    rota_job_about(job->what, NULL);
  job->run(job);
  if (!job->ok)
    js_crypto_take_errors(&job->errors);
}

static void on_done(uv_work_t *work, int status) {
  struct js_job *job = (struct js_job *)work;
  struct js_env *env = js_env_here;
  JSContextRef context = env->context;
  (void)status;
  JSValueRef arguments[] = {js_number(context, job->id), js_null(context), js_undefined(context)};
  if (job->ok)
    arguments[2] = job->finish(context, job);
  else
    arguments[1] = js_crypto_make_error(context, &job->errors, !job->hides_stack, job->otherwise);
  if (job->kept != NULL)
    JSValueUnprotect(context, job->kept);
  job->release(job);
  js_enter(env, complete, NULL, 3, arguments);
}

JSValueRef js_job_start(JSContextRef context, struct js_job *job, JSValueRef id) {
  job->id = (int)js_to_integer(context, id);
  if (job->id >= 0) {
    if (job->kept != NULL)
      JSValueProtect(context, job->kept);
    rota_queue_work(js_env_here->loop, &job->work, ROTA_JOB_CRYPTO, run_job, on_done);
    return js_undefined(context);
  }
  run_job(&job->work);
  JSValueRef value = NULL;
  if (job->ok)
    value = job->finish(context, job);
  else
    js_throw(context, js_crypto_make_error(context, &job->errors, !job->hides_stack, job->otherwise));
  job->release(job);
  return value;
}

static JSValueRef set_callback(JSContextRef context, struct js_frame *frame) {
  complete = (JSObjectRef)js_arg(context, frame, 0);
  JSValueProtect(context, complete);
  return js_undefined(context);
}

/* secureHeap(size, least size of an allocation) -> whether there is one now: memory that is neither swapped nor dumped,
 * where OpenSSL keeps private numbers */
static JSValueRef secure_heap(JSContextRef context, struct js_frame *frame) {
  size_t size = (size_t)js_to_number(context, js_arg(context, frame, 0)),
         least = (size_t)js_to_number(context, js_arg(context, frame, 1));
  return js_boolean(context, CRYPTO_secure_malloc_initialized() || CRYPTO_secure_malloc_init(size, least) > 0);
}

static JSValueRef secure_heap_used(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  return js_number(context, CRYPTO_secure_malloc_initialized() ? (double)CRYPTO_secure_used() : 0);
}

JSObjectRef js_binding_crypto(struct js_env *env) {
  static const struct js_method own[] = {{"setCallback", set_callback, 1},
                                         {"secureHeap", secure_heap, 2},
                                         {"secureHeapUsed", secure_heap_used, 0},
                                         {NULL, NULL, 0}};
  JSObjectRef binding = js_object(env->context);
  js_crypto_start(&env->options->words);
  js_set_methods(env->context, binding, own);
  js_set_methods(env->context, binding, js_crypto_start_methods);
  js_set_methods(env->context, binding, js_crypto_random_methods);
  js_set_methods(env->context, binding, js_crypto_hash_methods);
  js_set_methods(env->context, binding, js_crypto_cipher_methods);
  js_set_methods(env->context, binding, js_crypto_key_methods);
  js_set_methods(env->context, binding, js_crypto_generate_methods);
  js_set_methods(env->context, binding, js_crypto_sign_methods);
  js_set_methods(env->context, binding, js_crypto_exchange_methods);
  js_set_methods(env->context, binding, js_crypto_message_methods);
  js_set_methods(env->context, binding, js_crypto_keccak_methods);
  js_set_methods(env->context, binding, js_crypto_encapsulate_methods);
  js_set_methods(env->context, binding, js_crypto_certificate_methods);
  return binding;
}

/* ---- initialization ---- */

/* The initialization of OpenSSL: which configuration it reads, which providers it loads, and whether only approved
 * algorithms are available.
 *
 * Its configuration is the section `nodejs_conf` of the file, as in Node: the system's configuration for other programs
 * has no effect here, unless --openssl-shared-config asks for it. If an option cannot be fulfilled, the process ends
 * before anything runs. */

enum { EXIT_FAILED = 1, EXIT_CONFIGURATION = 101 };

static const struct js_option_words *options;
static bool is_configured;

static void configure(void) {
  OPENSSL_INIT_SETTINGS *settings = OPENSSL_INIT_new();
  if (settings == NULL)
    return;
  const char *file = js_words_value(options, "openssl-config");
  if (file != NULL)
    OPENSSL_INIT_set_config_filename(settings, file);
  OPENSSL_INIT_set_config_appname(settings,
                                  js_words_has(options, "openssl-shared-config") ? "openssl_conf" : "nodejs_conf");
  OPENSSL_INIT_set_config_file_flags(settings, CONF_MFLAGS_IGNORE_MISSING_FILE);
  ERR_clear_error();
  is_configured = OPENSSL_init_crypto(OPENSSL_INIT_LOAD_CONFIG, settings) == 1 && ERR_peek_error() == 0;
  OPENSSL_INIT_free(settings);
}

void js_crypto_start(const struct js_option_words *words) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  options = words;
  pthread_once(&once, configure);
}

static int fail(const char *program, const char *what, int code) {
  fprintf(stderr, "%s: %s\n", program, what);
  ERR_print_errors_fp(stderr);
  return code;
}

static int enable_fips(const char *program, const char *option) {
  if (!OSSL_PROVIDER_available(NULL, "fips")) {
    fprintf(stderr,
            "%s: --%s requires an active OpenSSL provider named \"fips\". FIPS mode is configured through OpenSSL; see "
            "https://nodejs.org/api/crypto.html#fips-mode\n",
            program, option);
    return EXIT_FAILED;
  }
  return EVP_default_properties_enable_fips(NULL, 1) == 1
             ? 0
             : fail(program, "OpenSSL error when trying to enable FIPS:", EXIT_FAILED);
}

int js_crypto_start_by_options(const struct js_option_words *words, const char *program) {
  bool legacy = js_words_has(words, "openssl-legacy-provider"), forced = js_words_has(words, "force-fips");
  bool fips = js_words_has(words, "enable-fips");
  if (!legacy && !forced && !fips && js_words_value(words, "openssl-config") == NULL)
    return 0; /* else at the first use */
  js_crypto_start(words);
  if (!is_configured)
    return fail(program, "OpenSSL configuration error:", EXIT_CONFIGURATION);
  /* A provider that is loaded by name replaces the default ones. */
  if (legacy && (OSSL_PROVIDER_load(NULL, "default") == NULL || OSSL_PROVIDER_load(NULL, "legacy") == NULL))
    return fail(program, "--openssl-legacy-provider: the provider \"legacy\" of OpenSSL cannot be loaded", EXIT_FAILED);
  return forced || fips ? enable_fips(program, forced ? "force-fips" : "enable-fips") : 0;
}

/* fips() -> whether only approved algorithms are available; fips(on) -> whether it succeeded */
static JSValueRef fips_mode(JSContextRef context, struct js_frame *frame) {
  if (js_argc(frame) == 0)
    return js_boolean(context, EVP_default_properties_is_fips_enabled(NULL) == 1);
  bool on = js_to_boolean(context, frame->arguments[0]);
  if (on && !OSSL_PROVIDER_available(NULL, "fips"))
    return js_boolean(context, false);
  return js_boolean(context, EVP_default_properties_enable_fips(NULL, on) == 1);
}

const struct js_method js_crypto_start_methods[] = {{"fips", fips_mode, 1}, {NULL, NULL, 0}};
