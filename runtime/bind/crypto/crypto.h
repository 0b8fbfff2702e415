/* Functions that the files of the binding `crypto` share: errors, objects that the collector frees, and jobs for the
 * pool. */
#ifndef JS_BINDING_CRYPTO_H
#define JS_BINDING_CRYPTO_H

#define OPENSSL_SUPPRESS_DEPRECATED

#include "runtime/bind/binding.h"
#include "runtime/engine/value/text.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

/* An object of the engine around a pointer of OpenSSL's; `release` is called when it is collected. */
JSObjectRef js_crypto_object(JSContextRef context, void *pointer, void (*release)(void *));
/* NULL if the value is no such object, or was released in another way. */
void *js_crypto_pointer(JSContextRef context, JSValueRef value, void (*release)(void *));

/* OpenSSL's errors of this thread, the oldest first. */
enum { JS_CRYPTO_ERRORS = 8 };
struct js_crypto_errors {
  unsigned long codes[JS_CRYPTO_ERRORS];
  int count;
};

/* From the errors of this thread, which are cleared. A code other than 0 was read before. */
JSValueRef js_crypto_error(JSContextRef context, unsigned long code, const char *otherwise);
JSValueRef js_crypto_throw(JSContextRef context, const char *otherwise);

/* A copy of bytes, or of text in UTF-8; NULL with *length 0 if the value is neither. */
unsigned char *js_crypto_copy(JSContextRef context, JSValueRef value, size_t *length);
JSValueRef js_crypto_bytes(JSContextRef context, const void *bytes, size_t length);

/* Work that is done synchronously (id -1) or in the pool; then complete(id, error, value) is called in JavaScript. */
struct js_job {
  uv_work_t work;
  int id;
  bool ok, hides_stack;
  struct js_crypto_errors errors;
  const char *otherwise; /* the message if OpenSSL has no error */
  const char *what;      /* it is called so in a trace; null: crypto */
  JSValueRef kept;       /* a value that must live as long as the job */
  void (*run)(struct js_job *job);
  JSValueRef (*finish)(JSContextRef context, struct js_job *job);
  void (*release)(struct js_job *job);
};

JSValueRef js_job_start(JSContextRef context, struct js_job *job, JSValueRef id);

void js_crypto_release_key(void *key);

/* Names in certificates (crypto_names.c). */
JSValueRef js_crypto_alternative_names(JSContextRef context, X509 *certificate);
JSValueRef js_crypto_info_access(JSContextRef context, X509 *certificate, bool as_list);
JSValueRef js_crypto_name_parts(JSContextRef context, const X509_NAME *name);

extern const struct js_method js_crypto_random_methods[];
extern const struct js_method js_crypto_hash_methods[];
extern const struct js_method js_crypto_cipher_methods[];
extern const struct js_method js_crypto_key_methods[];
extern const struct js_method js_crypto_generate_methods[];
extern const struct js_method js_crypto_sign_methods[];
extern const struct js_method js_crypto_exchange_methods[];
extern const struct js_method js_crypto_message_methods[];
extern const struct js_method js_crypto_keccak_methods[];
extern const struct js_method js_crypto_encapsulate_methods[];
extern const struct js_method js_crypto_certificate_methods[];

/* crypto_start.c: initializes OpenSSL. Some options of the process need it at the start: 0, or an exit code. */
void js_crypto_start(const struct js_option_words *words);
int js_crypto_start_by_options(const struct js_option_words *words, const char *program);
extern const struct js_method js_crypto_start_methods[];

/* The default length of a digest. Releases of OpenSSL differ for digests of variable length. */
bool js_crypto_is_extendable(const EVP_MD *digest);
unsigned js_crypto_digest_size(const EVP_MD *digest);

#endif
