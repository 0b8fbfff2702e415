/* Digests and message authentication codes. */
#include "runtime/bind/crypto/crypto.h"

#include <openssl/hmac.h>
#include <stdlib.h>
#include <string.h>

static void release_hash(void *pointer) {
  EVP_MD_CTX_free(pointer);
}

static void release_hmac(void *pointer) {
  HMAC_CTX_free(pointer);
}

static const EVP_MD *digest_of(JSContextRef context, JSValueRef value) {
  char *name = js_to_text(context, value, NULL);
  const EVP_MD *digest = name != NULL ? EVP_get_digestbyname(name) : NULL;
  free(name);
  ERR_clear_error();
  return digest;
}

/* hashCreate(name or another hash to copy) -> a hash; null: no such digest */
static JSValueRef hash_create(JSContextRef context, struct js_frame *frame) {
  JSValueRef argument = js_arg(context, frame, 0);
  EVP_MD_CTX *other = js_crypto_pointer(context, argument, release_hash);
  const EVP_MD *digest = other == NULL ? digest_of(context, argument) : NULL;
  EVP_MD_CTX *hash = EVP_MD_CTX_new();
  int ok = hash == NULL    ? 0
           : other != NULL ? EVP_MD_CTX_copy(hash, other)
                           : digest != NULL && EVP_DigestInit_ex(hash, digest, NULL);
  if (!ok) {
    EVP_MD_CTX_free(hash);
    return digest == NULL ? js_null(context) : js_crypto_throw(context, "Digest method not supported");
  }
  return js_crypto_object(context, hash, release_hash);
}

/* Text goes in as UTF-8, without a buffer in between. */
static bool feed(JSContextRef context, JSValueRef value, int (*update)(void *, const void *, size_t), void *target) {
  unsigned char *bytes;
  size_t length;
  struct js_characters text;
  if (!js_borrow_text(context, value, &text))
    return js_borrow_bytes(context, value, &bytes, &length) && update(target, bytes, length);
  unsigned char room[4096];
  size_t size = js_utf8_length(&text);
  unsigned char *copy = size <= sizeof room ? room : malloc(size);
  if (copy == NULL)
    return false;
  int ok = update(target, copy, js_utf8_write(&text, copy, size));
  if (copy != room)
    free(copy);
  return ok;
}

static int update_hash(void *hash, const void *bytes, size_t length) {
  return EVP_DigestUpdate(hash, bytes, length);
}

static int update_hmac(void *hmac, const void *bytes, size_t length) {
  return HMAC_Update(hmac, bytes, length);
}

static JSValueRef hash_update(JSContextRef context, struct js_frame *frame) {
  EVP_MD_CTX *hash = js_crypto_pointer(context, js_arg(context, frame, 0), release_hash);
  return js_boolean(context, hash != NULL && feed(context, js_arg(context, frame, 1), update_hash, hash));
}

bool js_crypto_is_extendable(const EVP_MD *digest) {
  return (EVP_MD_get_flags(digest) & EVP_MD_FLAG_XOF) != 0;
}

unsigned js_crypto_digest_size(const EVP_MD *digest) {
  if (!js_crypto_is_extendable(digest))
    return (unsigned)EVP_MD_get_size(digest);
  return EVP_MD_is_a(digest, "SHAKE128") ? 16 : 32;
}

/* hashDigest(hash, length of an extendable one or undefined) -> bytes */
static JSValueRef hash_digest(JSContextRef context, struct js_frame *frame) {
  EVP_MD_CTX *hash = js_crypto_pointer(context, js_arg(context, frame, 0), release_hash);
  if (hash == NULL)
    return js_throw_text(context, "not a hash");
  JSValueRef wanted = js_arg(context, frame, 1);
  const EVP_MD *digest = EVP_MD_CTX_get0_md(hash);
  unsigned usual = js_crypto_digest_size(digest), length = usual;
  if (JSValueIsNumber(context, wanted))
    length = (unsigned)js_to_integer(context, wanted);
  unsigned char *out = malloc(length + EVP_MAX_MD_SIZE);
  if (out == NULL)
    return js_throw_text(context, "out of memory");
  int ok = 1;
  if (length != usual || js_crypto_is_extendable(digest))
    ok = length == 0 || EVP_DigestFinalXOF(hash, out, length);
  else
    ok = EVP_DigestFinal_ex(hash, out, &length);
  if (!ok) {
    free(out);
    return js_crypto_throw(context, "Unsupported state or unable to digest");
  }
  return js_buffer_adopt(context, out, length);
}

/* hashInfo(name) -> [size, whether its length is free], or null */
static JSValueRef hash_info(JSContextRef context, struct js_frame *frame) {
  const EVP_MD *digest = digest_of(context, js_arg(context, frame, 0));
  if (digest == NULL)
    return js_null(context);
  JSValueRef pair[] = {js_number(context, js_crypto_digest_size(digest)),
                       js_boolean(context, js_crypto_is_extendable(digest))};
  return js_array(context, 2, pair);
}

/* hmacCreate(name, key bytes) -> a code; null: no such digest */
static JSValueRef hmac_create(JSContextRef context, struct js_frame *frame) {
  const EVP_MD *digest = digest_of(context, js_arg(context, frame, 0));
  unsigned char *key;
  size_t length;
  if (digest == NULL || !js_borrow_bytes(context, js_arg(context, frame, 1), &key, &length))
    return js_null(context);
  HMAC_CTX *hmac = HMAC_CTX_new();
  if (hmac == NULL || !HMAC_Init_ex(hmac, length > 0 ? (void *)key : (void *)"", (int)length, digest, NULL)) {
    HMAC_CTX_free(hmac);
    return js_crypto_throw(context, "HMAC failed");
  }
  return js_crypto_object(context, hmac, release_hmac);
}

static JSValueRef hmac_update(JSContextRef context, struct js_frame *frame) {
  HMAC_CTX *hmac = js_crypto_pointer(context, js_arg(context, frame, 0), release_hmac);
  return js_boolean(context, hmac != NULL && feed(context, js_arg(context, frame, 1), update_hmac, hmac));
}

static JSValueRef hmac_digest(JSContextRef context, struct js_frame *frame) {
  HMAC_CTX *hmac = js_crypto_pointer(context, js_arg(context, frame, 0), release_hmac);
  unsigned char out[EVP_MAX_MD_SIZE];
  unsigned length;
  if (hmac == NULL || !HMAC_Final(hmac, out, &length))
    return js_crypto_throw(context, "HMAC failed");
  return js_crypto_bytes(context, out, length);
}

struct names {
  JSContextRef context;
  JSObjectRef list;
  unsigned count;
};

static void add_name(const EVP_MD *digest, const char *from, const char *to, void *data) {
  struct names *names = data;
  (void)to;
  if (digest == NULL && from == NULL)
    return;
  JSObjectSetPropertyAtIndex(names->context, names->list, names->count++, js_string(names->context, from), NULL);
}

/* hashNames() -> every name, aliases too */
static JSValueRef hash_names(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  struct names names = {context, js_array(context, 0, NULL), 0};
  EVP_MD_do_all_sorted(add_name, &names);
  return names.list;
}

const struct js_method js_crypto_hash_methods[] = {
    {"hashCreate", hash_create, 1}, {"hashUpdate", hash_update, 2}, {"hashDigest", hash_digest, 2},
    {"hashInfo", hash_info, 1},     {"hmacCreate", hmac_create, 2}, {"hmacUpdate", hmac_update, 2},
    {"hmacDigest", hmac_digest, 1}, {"hashNames", hash_names, 0},   {NULL, NULL, 0},
};
