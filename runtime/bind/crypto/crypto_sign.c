/* Signatures, and RSA's encryption. */
#include "runtime/bind/crypto/crypto.h"

#include <openssl/dsa.h>
#include <openssl/ec.h>
#include <openssl/rsa.h>
#include <stdlib.h>
#include <string.h>

struct sign_job {
  struct js_job job;
  EVP_PKEY *key;
  const EVP_MD *digest;
  unsigned char *data, *signature;
  size_t data_length, signature_length;
  int padding, salt_length;
  bool verify, plain_pair, valid, has_padding, has_salt;
};

static bool is_pair_key(EVP_PKEY *key) {
  int id = EVP_PKEY_get_base_id(key);
  return id == EVP_PKEY_EC || id == EVP_PKEY_DSA;
}

static size_t half_length(EVP_PKEY *key) {
  if (EVP_PKEY_get_base_id(key) == EVP_PKEY_DSA) {
    const DSA *dsa = EVP_PKEY_get0_DSA(key);
    return dsa != NULL ? ((size_t)BN_num_bits(DSA_get0_q(dsa)) + 7) / 8 : 0;
  }
  const EC_KEY *ec = EVP_PKEY_get0_EC_KEY(key);
  return ec != NULL ? ((size_t)EC_GROUP_order_bits(EC_KEY_get0_group(ec)) + 7) / 8 : 0;
}

/* The two numbers one after the other (IEEE P1363), from ASN.1. */
static bool to_plain_pair(struct sign_job *sign) {
  size_t half = half_length(sign->key);
  const unsigned char *at = sign->signature;
  ECDSA_SIG *pair = d2i_ECDSA_SIG(NULL, &at, (long)sign->signature_length);
  unsigned char *out = pair != NULL ? malloc(half * 2 + 1) : NULL;
  bool ok = out != NULL && BN_bn2binpad(ECDSA_SIG_get0_r(pair), out, (int)half) > 0 &&
            BN_bn2binpad(ECDSA_SIG_get0_s(pair), out + half, (int)half) > 0;
  ECDSA_SIG_free(pair);
  if (!ok) {
    free(out);
    return false;
  }
  free(sign->signature);
  sign->signature = out;
  sign->signature_length = half * 2;
  return true;
}

static bool from_plain_pair(struct sign_job *sign) {
  size_t half = half_length(sign->key);
  if (half == 0 || sign->signature_length != half * 2)
    return false;
  ECDSA_SIG *pair = ECDSA_SIG_new();
  BIGNUM *r = BN_bin2bn(sign->signature, (int)half, NULL), *s = BN_bin2bn(sign->signature + half, (int)half, NULL);
  ECDSA_SIG_set0(pair, r, s);
  unsigned char *der = NULL;
  int length = i2d_ECDSA_SIG(pair, &der);
  ECDSA_SIG_free(pair);
  if (length <= 0)
    return false;
  free(sign->signature);
  sign->signature = malloc((size_t)length);
  sign->signature_length = sign->signature != NULL ? (size_t)length : 0;
  if (sign->signature != NULL)
    memcpy(sign->signature, der, (size_t)length);
  OPENSSL_free(der);
  return sign->signature != NULL;
}

static bool set_padding(struct sign_job *sign, EVP_PKEY_CTX *options) {
  int id = EVP_PKEY_get_base_id(sign->key);
  if (id != EVP_PKEY_RSA && id != EVP_PKEY_RSA_PSS)
    return true;
  int padding = sign->has_padding ? sign->padding : id == EVP_PKEY_RSA_PSS ? RSA_PKCS1_PSS_PADDING : RSA_PKCS1_PADDING;
  if (EVP_PKEY_CTX_set_rsa_padding(options, padding) <= 0)
    return false;
  return padding != RSA_PKCS1_PSS_PADDING || !sign->has_salt ||
         EVP_PKEY_CTX_set_rsa_pss_saltlen(options, sign->salt_length) > 0;
}

static void run(struct js_job *job) {
  struct sign_job *sign = (struct sign_job *)job;
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  EVP_PKEY_CTX *options = NULL;
  if (sign->verify && sign->plain_pair && is_pair_key(sign->key) && !from_plain_pair(sign)) {
    ERR_clear_error();
    job->ok = true;
    EVP_MD_CTX_free(context);
    return;
  }
  int ok =
      context != NULL && (sign->verify ? EVP_DigestVerifyInit(context, &options, sign->digest, NULL, sign->key)
                                       : EVP_DigestSignInit(context, &options, sign->digest, NULL, sign->key)) == 1;
  ok = ok && set_padding(sign, options);
  if (ok && sign->verify) {
    sign->valid =
        EVP_DigestVerify(context, sign->signature, sign->signature_length, sign->data, sign->data_length) == 1;
    ERR_clear_error();
  } else if (ok) {
    ok = EVP_DigestSign(context, NULL, &sign->signature_length, sign->data, sign->data_length) == 1;
    sign->signature = ok ? malloc(sign->signature_length + 1) : NULL;
    ok = ok && sign->signature != NULL &&
         EVP_DigestSign(context, sign->signature, &sign->signature_length, sign->data, sign->data_length) == 1;
    if (ok && sign->plain_pair && is_pair_key(sign->key))
      ok = to_plain_pair(sign);
  }
  job->ok = ok;
  EVP_MD_CTX_free(context);
}

static JSValueRef finish(JSContextRef context, struct js_job *job) {
  struct sign_job *sign = (struct sign_job *)job;
  if (sign->verify)
    return js_boolean(context, sign->valid);
  return js_crypto_bytes(context, sign->signature, sign->signature_length);
}

static void release(struct js_job *job) {
  struct sign_job *sign = (struct sign_job *)job;
  EVP_PKEY_free(sign->key);
  free(sign->data);
  free(sign->signature);
  free(sign);
}

/* sign(id, key, digest or undefined, data, padding, salt length, plain pair[, signature: then it is verified])
 * -> bytes, or whether it is valid; null: no such digest */
static JSValueRef sign_data(JSContextRef context, struct js_frame *frame) {
  EVP_PKEY *key = js_crypto_pointer(context, js_arg(context, frame, 1), js_crypto_release_key);
  if (key == NULL)
    return js_throw_text(context, "not a key");
  const EVP_MD *digest = NULL;
  if (JSValueIsString(context, js_arg(context, frame, 2))) {
    char *name = js_to_text(context, js_arg(context, frame, 2), NULL);
    digest = name != NULL ? EVP_get_digestbyname(name) : NULL;
    free(name);
    ERR_clear_error();
    if (digest == NULL)
      return js_null(context);
  }
  struct sign_job *sign = calloc(1, sizeof *sign);
  if (sign == NULL)
    return js_throw_text(context, "out of memory");
  EVP_PKEY_up_ref(key);
  sign->key = key;
  sign->digest = digest;
  sign->data = js_crypto_copy(context, js_arg(context, frame, 3), &sign->data_length);
  sign->has_padding = JSValueIsNumber(context, js_arg(context, frame, 4));
  sign->padding = (int)js_to_integer(context, js_arg(context, frame, 4));
  sign->has_salt = JSValueIsNumber(context, js_arg(context, frame, 5));
  sign->salt_length = (int)js_to_integer(context, js_arg(context, frame, 5));
  sign->plain_pair = js_to_boolean(context, js_arg(context, frame, 6));
  sign->verify = js_argc(frame) > 7;
  if (sign->verify)
    sign->signature = js_crypto_copy(context, js_arg(context, frame, 7), &sign->signature_length);
  sign->job.otherwise = sign->verify ? "Verify failed" : "Sign failed";
  sign->job.run = run;
  sign->job.what = "sign";
  sign->job.finish = finish;
  sign->job.release = release;
  return js_job_start(context, &sign->job, js_arg(context, frame, 0));
}

typedef int (*rsa_init)(EVP_PKEY_CTX *);
typedef int (*rsa_step)(EVP_PKEY_CTX *, unsigned char *, size_t *, const unsigned char *, size_t);

struct rsa_job {
  struct js_job job;
  unsigned which;
  EVP_PKEY *key;
  const EVP_MD *digest, *mask_digest;
  unsigned char *data, *label, *out;
  size_t data_length, label_length, out_length;
  int padding;
};

static void run_rsa(struct js_job *job) {
  static const rsa_init inits[] = {EVP_PKEY_encrypt_init, EVP_PKEY_decrypt_init, EVP_PKEY_sign_init,
                                   EVP_PKEY_verify_recover_init};
  static const rsa_step steps[] = {EVP_PKEY_encrypt, EVP_PKEY_decrypt, EVP_PKEY_sign, EVP_PKEY_verify_recover};
  struct rsa_job *rsa = (struct rsa_job *)job;
  bool has_mask = rsa->padding == RSA_PKCS1_OAEP_PADDING;
  EVP_PKEY_CTX *options = EVP_PKEY_CTX_new(rsa->key, NULL);
  int ok =
      options != NULL && inits[rsa->which](options) == 1 && EVP_PKEY_CTX_set_rsa_padding(options, rsa->padding) > 0;
  if (ok && rsa->digest != NULL && has_mask)
    ok = EVP_PKEY_CTX_set_rsa_oaep_md(options, rsa->digest) > 0;
  if (ok && rsa->mask_digest != NULL && has_mask)
    ok = EVP_PKEY_CTX_set_rsa_mgf1_md(options, rsa->mask_digest) > 0;
  if (ok && rsa->label_length > 0 && has_mask) {
    void *copy = OPENSSL_memdup(rsa->label, rsa->label_length);
    ok = EVP_PKEY_CTX_set0_rsa_oaep_label(options, copy, (int)rsa->label_length) > 0;
  }
  ok = ok && steps[rsa->which](options, NULL, &rsa->out_length, rsa->data, rsa->data_length) == 1;
  rsa->out = ok ? malloc(rsa->out_length + 1) : NULL;
  job->ok = ok && rsa->out != NULL &&
            steps[rsa->which](options, rsa->out, &rsa->out_length, rsa->data, rsa->data_length) == 1;
  EVP_PKEY_CTX_free(options);
}

static JSValueRef finish_rsa(JSContextRef context, struct js_job *job) {
  struct rsa_job *rsa = (struct rsa_job *)job;
  unsigned char *out = rsa->out;
  rsa->out = NULL;
  ERR_clear_error();
  return js_buffer_adopt(context, out, rsa->out_length);
}

static void release_rsa(struct js_job *job) {
  struct rsa_job *rsa = (struct rsa_job *)job;
  EVP_PKEY_free(rsa->key);
  free(rsa->data);
  free(rsa->label);
  free(rsa->out);
  free(rsa);
}

/* False when there is a name, but no such digest. */
static bool digest_at(JSContextRef context, struct js_frame *frame, int index, const EVP_MD **digest) {
  if (!JSValueIsString(context, js_arg(context, frame, index)))
    return true;
  char *name = js_to_text(context, js_arg(context, frame, index), NULL);
  *digest = name != NULL ? EVP_get_digestbyname(name) : NULL;
  free(name);
  ERR_clear_error();
  return *digest != NULL;
}

/* rsaCrypt(id, 0 public encrypt | 1 private decrypt | 2 private encrypt | 3 public decrypt, key, data, padding, digest,
 * label, digest of the mask)
 * -> bytes; null: no such digest */
static JSValueRef rsa_crypt(JSContextRef context, struct js_frame *frame) {
  EVP_PKEY *key = js_crypto_pointer(context, js_arg(context, frame, 2), js_crypto_release_key);
  if (key == NULL)
    return js_throw_text(context, "not a key");
  const EVP_MD *digest = NULL, *mask_digest = NULL;
  if (!digest_at(context, frame, 5, &digest) || !digest_at(context, frame, 7, &mask_digest))
    return js_null(context);
  struct rsa_job *rsa = calloc(1, sizeof *rsa);
  if (rsa == NULL)
    return js_throw_text(context, "out of memory");
  EVP_PKEY_up_ref(key);
  rsa->key = key;
  rsa->digest = digest;
  rsa->mask_digest = mask_digest;
  rsa->which = (unsigned)js_to_integer(context, js_arg(context, frame, 1)) & 3;
  rsa->data = js_crypto_copy(context, js_arg(context, frame, 3), &rsa->data_length);
  rsa->padding = (int)js_to_integer(context, js_arg(context, frame, 4));
  rsa->label = js_crypto_copy(context, js_arg(context, frame, 6), &rsa->label_length);
  rsa->job.hides_stack = true;
  rsa->job.otherwise = "RSA operation failed";
  rsa->job.run = run_rsa;
  rsa->job.what = "RSA";
  rsa->job.finish = finish_rsa;
  rsa->job.release = release_rsa;
  return js_job_start(context, &rsa->job, js_arg(context, frame, 0));
}

const struct js_method js_crypto_sign_methods[] = {{"sign", sign_data, 8}, {"rsaCrypt", rsa_crypt, 8}, {NULL, NULL, 0}};
