/* What the parts of the binding `crypto` share: errors, objects that the collector frees, and jobs for the pool. */
#ifndef ROTA_BINDING_CRYPTO_H
#define ROTA_BINDING_CRYPTO_H

#define OPENSSL_SUPPRESS_DEPRECATED

#include "runtime/bind/binding.h"
#include "runtime/engine/engine_text.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

/* An object of the engine around a pointer of OpenSSL's; `release` is called when it is collected. */
JSObjectRef rota_crypto_object(JSContextRef context, void *pointer, void (*release)(void *));
/* NULL when the value is no such object, or was released in another way. */
void *rota_crypto_pointer(JSContextRef context, JSValueRef value, void (*release)(void *));

/* What OpenSSL has to say in this thread, the oldest first. */
enum { ROTA_CRYPTO_ERRORS = 8 };
struct rota_crypto_errors {
  unsigned long codes[ROTA_CRYPTO_ERRORS];
  int count;
};
void rota_crypto_take_errors(struct rota_crypto_errors *errors);

/* The oldest of them as an Error, or `otherwise` if there is none; with `with_stack` the Error lists them all. */
JSValueRef rota_crypto_make_error(JSContextRef context, const struct rota_crypto_errors *errors, bool with_stack,
                                  const char *otherwise);
/* Of those of this thread, which are forgotten. A code that is not 0 was taken before. */
JSValueRef rota_crypto_error(JSContextRef context, unsigned long code, const char *otherwise);
JSValueRef rota_crypto_throw(JSContextRef context, const char *otherwise);

/* A copy of bytes, or of text in UTF-8; NULL with *length 0 when the value is neither. */
unsigned char *rota_crypto_copy(JSContextRef context, JSValueRef value, size_t *length);
JSValueRef rota_crypto_bytes(JSContextRef context, const void *bytes, size_t length);

/* Work that is done at once (id -1) or on the pool, after which JavaScript hears complete(id, error, value). */
struct rota_job {
  uv_work_t work;
  int id;
  bool ok, hides_stack;
  struct rota_crypto_errors errors;
  const char *otherwise; /* what to say when OpenSSL has no error */
  JSValueRef kept;       /* what must live as long as the job */
  void (*run)(struct rota_job *job);
  JSValueRef (*finish)(JSContextRef context, struct rota_job *job);
  void (*release)(struct rota_job *job);
};

JSValueRef rota_job_start(JSContextRef context, struct rota_job *job, JSValueRef id);

void rota_crypto_release_key(void *key);

/* Names in certificates (crypto_names.c). */
JSValueRef rota_crypto_alternative_names(JSContextRef context, X509 *certificate);
JSValueRef rota_crypto_info_access(JSContextRef context, X509 *certificate, bool as_list);
JSValueRef rota_crypto_name_parts(JSContextRef context, const X509_NAME *name);

extern const struct rota_method rota_crypto_random_methods[];
extern const struct rota_method rota_crypto_hash_methods[];
extern const struct rota_method rota_crypto_cipher_methods[];
extern const struct rota_method rota_crypto_key_methods[];
extern const struct rota_method rota_crypto_generate_methods[];
extern const struct rota_method rota_crypto_sign_methods[];
extern const struct rota_method rota_crypto_exchange_methods[];
extern const struct rota_method rota_crypto_message_methods[];
extern const struct rota_method rota_crypto_keccak_methods[];
extern const struct rota_method rota_crypto_encapsulate_methods[];
extern const struct rota_method rota_crypto_certificate_methods[];

#endif
