/* Ciphers, with and without authentication.
 *
 * An authenticated cipher that decrypts may get its tag at any time before the end. CCM needs the tag, and the length
 * of all the data, before the first byte of data. */
#include "runtime/bind/crypto/crypto.h"

#include <stdlib.h>
#include <string.h>

struct cipher {
  EVP_CIPHER_CTX *context;
  bool encrypts, has_tag, tag_set, failed, is_ccm, authenticates;
  unsigned tag_length;
  unsigned char tag[16];
};

static void release_cipher(void *pointer) {
  struct cipher *cipher = pointer;
  EVP_CIPHER_CTX_free(cipher->context);
  free(cipher);
}

static struct cipher *cipher_of(JSContextRef context, struct js_frame *frame) {
  return js_crypto_pointer(context, js_arg(context, frame, 0), release_cipher);
}

static const EVP_CIPHER *cipher_named(JSContextRef context, JSValueRef value) {
  char *name = js_to_text(context, value, NULL);
  const EVP_CIPHER *cipher = name != NULL ? EVP_get_cipherbyname(name) : NULL;
  free(name);
  ERR_clear_error();
  return cipher;
}

static bool is_authenticated(const EVP_CIPHER *cipher) {
  int mode = EVP_CIPHER_get_mode(cipher);
  return mode == EVP_CIPH_GCM_MODE || mode == EVP_CIPH_CCM_MODE || mode == EVP_CIPH_OCB_MODE ||
         EVP_CIPHER_get_nid(cipher) == NID_chacha20_poly1305;
}

/* cipherInfo(name or nid, key length, iv length) -> [mode, name, nid, block size, iv length, key length], or undefined
 */
static JSValueRef cipher_info(JSContextRef context, struct js_frame *frame) {
  JSValueRef which = js_arg(context, frame, 0);
  const EVP_CIPHER *cipher = JSValueIsNumber(context, which) ? EVP_get_cipherbynid((int)js_to_integer(context, which))
                                                             : cipher_named(context, which);
  if (cipher == NULL)
    return js_undefined(context);
  int iv_length = EVP_CIPHER_get_iv_length(cipher), key_length = EVP_CIPHER_get_key_length(cipher);
  JSValueRef wanted_key = js_arg(context, frame, 1), wanted_iv = js_arg(context, frame, 2);
  if (JSValueIsNumber(context, wanted_key) || JSValueIsNumber(context, wanted_iv)) {
    EVP_CIPHER_CTX *scratch = EVP_CIPHER_CTX_new();
    bool fits = EVP_CipherInit_ex(scratch, cipher, NULL, NULL, NULL, 1) == 1;
    if (fits && JSValueIsNumber(context, wanted_key)) {
      fits = EVP_CIPHER_CTX_set_key_length(scratch, (int)js_to_integer(context, wanted_key)) == 1;
      key_length = (int)js_to_integer(context, wanted_key);
    }
    if (fits && JSValueIsNumber(context, wanted_iv)) {
      int wanted = (int)js_to_integer(context, wanted_iv);
      if (is_authenticated(cipher)) {
        if (EVP_CIPHER_get_mode(cipher) == EVP_CIPH_CCM_MODE)
          fits = wanted >= 7 && wanted <= 13;
        else
          fits = EVP_CIPHER_CTX_ctrl(scratch, EVP_CTRL_AEAD_SET_IVLEN, wanted, NULL) == 1;
      } else {
        fits = wanted == iv_length;
      }
      iv_length = wanted;
    }
    EVP_CIPHER_CTX_free(scratch);
    ERR_clear_error();
    if (!fits)
      return js_undefined(context);
  }
  JSValueRef row[] = {js_number(context, EVP_CIPHER_get_mode(cipher)),
                      js_string(context, OBJ_nid2sn(EVP_CIPHER_get_nid(cipher))),
                      js_number(context, EVP_CIPHER_get_nid(cipher)),
                      js_number(context, EVP_CIPHER_get_block_size(cipher)),
                      js_number(context, iv_length),
                      js_number(context, key_length)};
  return js_array(context, 6, row);
}

static bool takes_iv(const EVP_CIPHER *kind, bool has_iv, size_t length) {
  int wanted = EVP_CIPHER_get_iv_length(kind);
  if (has_iv ? wanted == 0 && length > 0 : wanted != 0)
    return false;
  if (!is_authenticated(kind))
    return !has_iv || (int)length == wanted;
  return length > 0 && (EVP_CIPHER_get_nid(kind) != NID_chacha20_poly1305 || length <= 12);
}

/* Lengths of the initialization vector and of the tag. `length` is negative if the program gives none. */
static enum js_cipher_refusal set_tag(struct cipher *cipher, const EVP_CIPHER *kind, int iv_length, int length) {
  bool is_gcm = EVP_CIPHER_get_mode(kind) == EVP_CIPH_GCM_MODE;
  bool needs_length = !is_gcm && EVP_CIPHER_get_nid(kind) != NID_chacha20_poly1305;
  cipher->tag_length = length >= 0 ? (unsigned)length : 16;
  if (EVP_CIPHER_CTX_ctrl(cipher->context, EVP_CTRL_AEAD_SET_IVLEN, iv_length, NULL) != 1)
    return JS_CIPHER_REFUSAL_IV;
  if (needs_length && length < 0)
    return JS_CIPHER_REFUSAL_NO_TAG_LENGTH;
  if (length > 16 || (is_gcm && length >= 0 && length != 4 && length != 8 && length < 12))
    return JS_CIPHER_REFUSAL_TAG_LENGTH;
  if (!needs_length)
    return JS_CIPHER_REFUSAL_NONE;
  if (length < 1 || (cipher->is_ccm && (length < 4 || length % 2 != 0)))
    return JS_CIPHER_REFUSAL_TAG_LENGTH;
  return EVP_CIPHER_CTX_ctrl(cipher->context, EVP_CTRL_AEAD_SET_TAG, length, NULL) == 1 ? JS_CIPHER_REFUSAL_NONE
                                                                                        : JS_CIPHER_REFUSAL_TAG_LENGTH;
}

/* cipherCreate(encrypts, name, key, iv or null, tag length or -1)
 * -> a cipher, or one of cipher_refusal */
static JSValueRef cipher_create(JSContextRef context, struct js_frame *frame) {
  bool encrypts = js_to_boolean(context, js_arg(context, frame, 0));
  const EVP_CIPHER *kind = cipher_named(context, js_arg(context, frame, 1));
  unsigned char *key, *iv = NULL;
  size_t key_length, iv_length = 0;
  if (kind == NULL)
    return js_number(context, JS_CIPHER_REFUSAL_UNKNOWN);
  if (!js_borrow_bytes(context, js_arg(context, frame, 2), &key, &key_length))
    return js_number(context, JS_CIPHER_REFUSAL_KEY_LENGTH);
  bool has_iv = js_borrow_bytes(context, js_arg(context, frame, 3), &iv, &iv_length);
  int tag_length = (int)js_to_number(context, js_arg(context, frame, 4));
  if (!takes_iv(kind, has_iv, iv_length))
    return js_number(context, JS_CIPHER_REFUSAL_IV);
  struct cipher *cipher = calloc(1, sizeof *cipher);
  EVP_CIPHER_CTX *evp = EVP_CIPHER_CTX_new();
  if (cipher == NULL || evp == NULL) {
    free(cipher);
    EVP_CIPHER_CTX_free(evp);
    return js_throw_text(context, "out of memory");
  }
  cipher->context = evp;
  cipher->encrypts = encrypts;
  cipher->authenticates = is_authenticated(kind);
  cipher->is_ccm = EVP_CIPHER_get_mode(kind) == EVP_CIPH_CCM_MODE;
  if (EVP_CIPHER_get_mode(kind) == EVP_CIPH_WRAP_MODE)
    EVP_CIPHER_CTX_set_flags(evp, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
  enum js_cipher_refusal problem = EVP_CipherInit_ex(evp, kind, NULL, NULL, NULL, encrypts) == 1
                                       ? JS_CIPHER_REFUSAL_NONE
                                       : JS_CIPHER_REFUSAL_UNKNOWN;
  if (problem == JS_CIPHER_REFUSAL_NONE && cipher->authenticates)
    problem = set_tag(cipher, kind, (int)iv_length, tag_length);
  if (problem == JS_CIPHER_REFUSAL_NONE && EVP_CIPHER_CTX_set_key_length(evp, (int)key_length) != 1)
    problem = JS_CIPHER_REFUSAL_KEY_LENGTH;
  bool failed = problem == JS_CIPHER_REFUSAL_NONE && EVP_CipherInit_ex(evp, NULL, NULL, key, iv, encrypts) != 1;
  if (failed || problem != JS_CIPHER_REFUSAL_NONE) {
    release_cipher(cipher);
    if (failed)
      return js_crypto_throw(context, "Failed to initialize cipher");
    ERR_clear_error();
    return js_number(context, problem);
  }
  return js_crypto_object(context, cipher, release_cipher);
}

/* The length of the tag may be known before the tag. */
static bool give_tag(struct cipher *cipher) {
  if (cipher->encrypts || !cipher->authenticates || cipher->tag_set || !cipher->has_tag)
    return true;
  cipher->tag_set = true;
  return EVP_CIPHER_CTX_ctrl(cipher->context, EVP_CTRL_AEAD_SET_TAG, (int)cipher->tag_length, cipher->tag) == 1;
}

/* cipherUpdate(cipher, bytes) -> bytes */
static JSValueRef cipher_update(JSContextRef context, struct js_frame *frame) {
  struct cipher *cipher = cipher_of(context, frame);
  unsigned char *in;
  size_t length;
  if (cipher == NULL || !js_borrow_bytes(context, js_arg(context, frame, 1), &in, &length) || length > 0x7FFFFF00)
    return js_throw_text(context, "not a cipher");
  bool has_tag = js_to_boolean(context, js_arg(context, frame, 2));
  if (has_tag || cipher->is_ccm)
    give_tag(cipher);
  int room = (int)length + EVP_CIPHER_CTX_get_block_size(cipher->context);
  if (EVP_CIPHER_CTX_get_mode(cipher->context) == EVP_CIPH_WRAP_MODE &&
      EVP_CipherUpdate(cipher->context, NULL, &room, in, (int)length) != 1)
    return js_crypto_throw(context, "Unsupported state");
  unsigned char *out = malloc((size_t)room + 32);
  int written = 0;
  if (out == NULL)
    return js_throw_text(context, "out of memory");
  int ok = EVP_CipherUpdate(cipher->context, out, &written, in, (int)length);
  /* CCM authenticates the data in the update, but the result is reported at the end. */
  if (ok != 1 && cipher->is_ccm && !cipher->encrypts) {
    cipher->failed = true;
    written = 0;
    ERR_clear_error();
  } else if (ok != 1) {
    free(out);
    return js_crypto_throw(context, "Trying to add data in unsupported state");
  }
  return js_buffer_adopt(context, out, (size_t)written);
}

/* cipherFinal(cipher) -> bytes, or null if the data cannot be authenticated */
static JSValueRef cipher_final(JSContextRef context, struct js_frame *frame) {
  struct cipher *cipher = cipher_of(context, frame);
  if (cipher == NULL)
    return js_throw_text(context, "not a cipher");
  unsigned char out[EVP_MAX_BLOCK_LENGTH];
  int written = 0;
  if (cipher->authenticates)
    give_tag(cipher);
  if (cipher->is_ccm && !cipher->encrypts)
    return cipher->failed ? js_null(context) : js_crypto_bytes(context, out, 0);
  if (EVP_CipherFinal_ex(cipher->context, out, &written) != 1) {
    if (!cipher->authenticates)
      return js_crypto_throw(context, "Unsupported state");
    ERR_clear_error();
    return js_null(context);
  }
  if (cipher->encrypts && cipher->authenticates)
    cipher->tag_set =
        EVP_CIPHER_CTX_ctrl(cipher->context, EVP_CTRL_AEAD_GET_TAG, (int)cipher->tag_length, cipher->tag) == 1;
  return js_crypto_bytes(context, out, (size_t)written);
}

static JSValueRef cipher_get_tag(JSContextRef context, struct js_frame *frame) {
  struct cipher *cipher = cipher_of(context, frame);
  return cipher != NULL && cipher->encrypts && cipher->tag_set
             ? js_crypto_bytes(context, cipher->tag, cipher->tag_length)
             : js_undefined(context);
}

/* cipherSetTag(cipher, bytes) -> whether the length is valid */
static JSValueRef cipher_set_tag(JSContextRef context, struct js_frame *frame) {
  struct cipher *cipher = cipher_of(context, frame);
  unsigned char *tag;
  size_t length;
  if (cipher == NULL || cipher->encrypts || !cipher->authenticates || cipher->tag_set ||
      !js_borrow_bytes(context, js_arg(context, frame, 1), &tag, &length) || length > sizeof cipher->tag || length == 0)
    return js_boolean(context, false);
  memcpy(cipher->tag, tag, length);
  cipher->tag_length = (unsigned)length;
  cipher->has_tag = true;
  return js_boolean(context, true);
}

/* cipherSetAad(cipher, bytes, length of the data or -1) */
static JSValueRef cipher_set_aad(JSContextRef context, struct js_frame *frame) {
  struct cipher *cipher = cipher_of(context, frame);
  unsigned char *bytes;
  size_t length;
  int written, data_length = (int)js_to_number(context, js_arg(context, frame, 2));
  if (cipher == NULL || !cipher->authenticates || !js_borrow_bytes(context, js_arg(context, frame, 1), &bytes, &length))
    return js_boolean(context, false);
  if (cipher->is_ccm) {
    give_tag(cipher);
    if (EVP_CipherUpdate(cipher->context, NULL, &written, NULL, data_length) != 1)
      return js_boolean(context, false);
  }
  return js_boolean(context, length == 0 || EVP_CipherUpdate(cipher->context, NULL, &written, bytes, (int)length) == 1);
}

static JSValueRef cipher_set_padding(JSContextRef context, struct js_frame *frame) {
  struct cipher *cipher = cipher_of(context, frame);
  bool on = js_to_boolean(context, js_arg(context, frame, 1));
  return js_boolean(context, cipher != NULL && EVP_CIPHER_CTX_set_padding(cipher->context, on) == 1);
}

struct names {
  JSContextRef context;
  JSObjectRef list;
  unsigned count;
};

static void add_name(const EVP_CIPHER *cipher, const char *from, const char *to, void *data) {
  struct names *names = data;
  (void)to;
  if (cipher != NULL || from != NULL)
    JSObjectSetPropertyAtIndex(names->context, names->list, names->count++, js_string(names->context, from), NULL);
}

static JSValueRef cipher_names(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  struct names names = {context, js_array(context, 0, NULL), 0};
  EVP_CIPHER_do_all_sorted(add_name, &names);
  return names.list;
}

const struct js_method js_crypto_cipher_methods[] = {
    {"cipherInfo", cipher_info, 3},      {"cipherCreate", cipher_create, 5},
    {"cipherUpdate", cipher_update, 3},  {"cipherFinal", cipher_final, 1},
    {"cipherGetTag", cipher_get_tag, 1}, {"cipherSetTag", cipher_set_tag, 2},
    {"cipherSetAad", cipher_set_aad, 3}, {"cipherSetPadding", cipher_set_padding, 2},
    {"cipherNames", cipher_names, 0},    {NULL, NULL, 0},
};
