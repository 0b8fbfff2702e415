/* New key pairs. */
#include "runtime/bind/crypto/crypto.h"

#include <openssl/bn.h>
#include <openssl/dh.h>
#include <openssl/dsa.h>
#include <openssl/ec.h>
#include <openssl/rsa.h>
#include <stdlib.h>
#include <string.h>

struct generate_job {
  struct js_job job;
  char *type, *curve, *digest, *mgf1_digest;
  int bits, divisor_bits, salt_length, generator;
  bool explicit_curve;
  BIGNUM *exponent, *prime;
  EVP_PKEY *key;
};

static EVP_PKEY *parameters_for(struct generate_job *generate) {
  bool is_dsa = strcmp(generate->type, "dsa") == 0;
  if (!is_dsa && (generate->prime != NULL || generate->curve != NULL)) {
    DH *dh = generate->curve != NULL ? DH_new_by_nid(OBJ_sn2nid(generate->curve)) : DH_new();
    EVP_PKEY *parameters = EVP_PKEY_new();
    if (dh != NULL && generate->curve == NULL) {
      BIGNUM *p = BN_dup(generate->prime), *g = BN_new();
      BN_set_word(g, (BN_ULONG)generate->generator);
      DH_set0_pqg(dh, p, NULL, g);
    }
    if (dh == NULL || parameters == NULL || EVP_PKEY_assign_DH(parameters, dh) != 1) {
      DH_free(dh);
      EVP_PKEY_free(parameters);
      return NULL;
    }
    return parameters;
  }
  EVP_PKEY_CTX *maker = EVP_PKEY_CTX_new_id(is_dsa ? EVP_PKEY_DSA : EVP_PKEY_DH, NULL);
  EVP_PKEY *parameters = NULL;
  int ok = maker != NULL && EVP_PKEY_paramgen_init(maker) == 1;
  if (ok && is_dsa) {
    ok = EVP_PKEY_CTX_set_dsa_paramgen_bits(maker, generate->bits) == 1;
    if (ok && generate->divisor_bits >= 0)
      ok = EVP_PKEY_CTX_set_dsa_paramgen_q_bits(maker, generate->divisor_bits) == 1;
  } else if (ok) {
    ok = EVP_PKEY_CTX_set_dh_paramgen_prime_len(maker, generate->bits) == 1 &&
         EVP_PKEY_CTX_set_dh_paramgen_generator(maker, generate->generator) == 1;
  }
  if (ok)
    EVP_PKEY_paramgen(maker, &parameters);
  EVP_PKEY_CTX_free(maker);
  return parameters;
}

static int set_pss(EVP_PKEY_CTX *maker, struct generate_job *generate) {
  const EVP_MD *digest = generate->digest != NULL ? EVP_get_digestbyname(generate->digest) : NULL;
  const EVP_MD *mgf1 = generate->mgf1_digest != NULL ? EVP_get_digestbyname(generate->mgf1_digest) : digest;
  if (digest != NULL && EVP_PKEY_CTX_set_rsa_pss_keygen_md(maker, digest) != 1)
    return 0;
  if (mgf1 != NULL && EVP_PKEY_CTX_set_rsa_pss_keygen_mgf1_md(maker, mgf1) != 1)
    return 0;
  int salt = generate->salt_length >= 0 ? generate->salt_length : digest != NULL ? EVP_MD_get_size(digest) : -1;
  return salt < 0 || EVP_PKEY_CTX_set_rsa_pss_keygen_saltlen(maker, salt) == 1;
}

static void run(struct js_job *job) {
  struct generate_job *generate = (struct generate_job *)job;
  EVP_PKEY_CTX *maker = NULL;
  EVP_PKEY *parameters = NULL;
  const char *type = generate->type;
  int ok = 1;
  if (strcmp(type, "dsa") == 0 || strcmp(type, "dh") == 0) {
    parameters = parameters_for(generate);
    maker = parameters != NULL ? EVP_PKEY_CTX_new(parameters, NULL) : NULL;
    ok = maker != NULL && EVP_PKEY_keygen_init(maker) == 1;
  } else {
    int id = strcmp(type, "rsa") == 0       ? EVP_PKEY_RSA
             : strcmp(type, "rsa-pss") == 0 ? EVP_PKEY_RSA_PSS
             : strcmp(type, "ec") == 0      ? EVP_PKEY_EC
             : strcmp(type, "ed25519") == 0 ? EVP_PKEY_ED25519
             : strcmp(type, "ed448") == 0   ? EVP_PKEY_ED448
             : strcmp(type, "x25519") == 0  ? EVP_PKEY_X25519
                                            : EVP_PKEY_X448;
    maker = EVP_PKEY_CTX_new_id(id, NULL);
    ok = maker != NULL && EVP_PKEY_keygen_init(maker) == 1;
    if (ok && (id == EVP_PKEY_RSA || id == EVP_PKEY_RSA_PSS)) {
      ok = EVP_PKEY_CTX_set_rsa_keygen_bits(maker, generate->bits) == 1 &&
           EVP_PKEY_CTX_set1_rsa_keygen_pubexp(maker, generate->exponent) == 1 &&
           (id == EVP_PKEY_RSA || set_pss(maker, generate));
    } else if (ok && id == EVP_PKEY_EC) {
      ok = EVP_PKEY_CTX_set_ec_paramgen_curve_nid(maker, EC_curve_nist2nid(generate->curve) != NID_undef
                                                             ? EC_curve_nist2nid(generate->curve)
                                                             : OBJ_sn2nid(generate->curve)) == 1 &&
           EVP_PKEY_CTX_set_ec_param_enc(maker, generate->explicit_curve ? OPENSSL_EC_EXPLICIT_CURVE
                                                                         : OPENSSL_EC_NAMED_CURVE) == 1;
    }
  }
  job->ok = ok && EVP_PKEY_keygen(maker, &generate->key) == 1;
  EVP_PKEY_CTX_free(maker);
  EVP_PKEY_free(parameters);
}

static JSValueRef finish(JSContextRef context, struct js_job *job) {
  struct generate_job *generate = (struct generate_job *)job;
  EVP_PKEY *key = generate->key;
  generate->key = NULL;
  return js_crypto_object(context, key, js_crypto_release_key);
}

static void release(struct js_job *job) {
  struct generate_job *generate = (struct generate_job *)job;
  free(generate->type);
  free(generate->curve);
  free(generate->digest);
  free(generate->mgf1_digest);
  BN_free(generate->exponent);
  BN_free(generate->prime);
  EVP_PKEY_free(generate->key);
  free(generate);
}

static char *text_at(JSContextRef context, struct js_frame *frame, int index) {
  JSValueRef value = js_arg(context, frame, index);
  return JSValueIsString(context, value) ? js_to_text(context, value, NULL) : NULL;
}

static int integer_at(JSContextRef context, struct js_frame *frame, int index, int otherwise) {
  JSValueRef value = js_arg(context, frame, index);
  return JSValueIsNumber(context, value) ? (int)js_to_integer(context, value) : otherwise;
}

/* keyGenerate(id, type, bits, exponent, curve or group, explicit curve, digest, mgf1 digest, salt length, divisor bits,
 * prime, generator) -> a key */
static JSValueRef key_generate(JSContextRef context, struct js_frame *frame) {
  struct generate_job *generate = calloc(1, sizeof *generate);
  if (generate == NULL)
    return js_throw_text(context, "out of memory");
  generate->type = text_at(context, frame, 1);
  generate->bits = integer_at(context, frame, 2, 0);
  generate->exponent = BN_new();
  BN_set_word(generate->exponent, (BN_ULONG)integer_at(context, frame, 3, 0x10001));
  generate->curve = text_at(context, frame, 4);
  generate->explicit_curve = js_to_boolean(context, js_arg(context, frame, 5));
  generate->digest = text_at(context, frame, 6);
  generate->mgf1_digest = text_at(context, frame, 7);
  generate->salt_length = integer_at(context, frame, 8, -1);
  generate->divisor_bits = integer_at(context, frame, 9, -1);
  unsigned char *bytes;
  size_t length;
  if (js_borrow_bytes(context, js_arg(context, frame, 10), &bytes, &length))
    generate->prime = BN_bin2bn(bytes, (int)length, NULL);
  generate->generator = integer_at(context, frame, 11, 2);
  generate->job.otherwise = "Key generation job failed";
  generate->job.run = run;
  generate->job.what = "generateKey";
  generate->job.finish = finish;
  generate->job.release = release;
  return js_job_start(context, &generate->job, js_arg(context, frame, 0));
}

const struct js_method js_crypto_generate_methods[] = {{"keyGenerate", key_generate, 12}, {NULL, NULL, 0}};
