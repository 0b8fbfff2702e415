/* Key agreement: Diffie-Hellman, with numbers and on curves. */
#include "runtime/bind/crypto/crypto.h"

#include <openssl/bn.h>
#include <openssl/dh.h>
#include <openssl/ec.h>
#include <stdlib.h>
#include <string.h>

static void release_dh(void *pointer) {
  DH_free(pointer);
}

static void release_ec(void *pointer) {
  EC_KEY_free(pointer);
}

struct agree_job {
  struct js_job job;
  EVP_PKEY *own, *other;
  unsigned char *secret;
  size_t length;
};

static void run_agree(struct js_job *job) {
  struct agree_job *agree = (struct agree_job *)job;
  EVP_PKEY_CTX *options = EVP_PKEY_CTX_new(agree->own, NULL);
  size_t length = 0;
  int ok = options != NULL && EVP_PKEY_derive_init(options) == 1 &&
           EVP_PKEY_derive_set_peer(options, agree->other) == 1 && EVP_PKEY_derive(options, NULL, &length) == 1;
  unsigned char *secret = ok ? calloc(length + 1, 1) : NULL;
  size_t room = length;
  ok = ok && secret != NULL && EVP_PKEY_derive(options, secret, &length) == 1;
  EVP_PKEY_CTX_free(options);
  /* A secret that is a number keeps its leading zeros. */
  if (ok && length < room && EVP_PKEY_get_base_id(agree->own) == EVP_PKEY_DH) {
    memmove(secret + room - length, secret, length);
    memset(secret, 0, room - length);
    length = room;
  }
  agree->secret = secret;
  agree->length = length;
  job->ok = ok;
}

static JSValueRef finish_agree(JSContextRef context, struct js_job *job) {
  struct agree_job *agree = (struct agree_job *)job;
  unsigned char *secret = agree->secret;
  agree->secret = NULL;
  return js_buffer_adopt(context, secret, agree->length);
}

static void release_agree(struct js_job *job) {
  struct agree_job *agree = (struct agree_job *)job;
  EVP_PKEY_free(agree->own);
  EVP_PKEY_free(agree->other);
  free(agree->secret);
  free(agree);
}

/* agree(id, private key, public key) -> bytes */
static JSValueRef agree_on(JSContextRef context, struct js_frame *frame) {
  EVP_PKEY *own = js_crypto_pointer(context, js_arg(context, frame, 1), js_crypto_release_key);
  EVP_PKEY *other = js_crypto_pointer(context, js_arg(context, frame, 2), js_crypto_release_key);
  struct agree_job *agree = own != NULL && other != NULL ? calloc(1, sizeof *agree) : NULL;
  if (agree == NULL)
    return js_throw_text(context, "not a key");
  EVP_PKEY_up_ref(own);
  EVP_PKEY_up_ref(other);
  agree->own = own;
  agree->other = other;
  agree->job.otherwise = "diffieHellman failed";
  agree->job.run = run_agree;
  agree->job.what = "diffieHellman";
  agree->job.finish = finish_agree;
  agree->job.release = release_agree;
  return js_job_start(context, &agree->job, js_arg(context, frame, 0));
}

static BIGNUM *number_of(JSContextRef context, JSValueRef value) {
  unsigned char *bytes;
  size_t length;
  return js_borrow_bytes(context, value, &bytes, &length) ? BN_bin2bn(bytes, (int)length, NULL) : NULL;
}

static JSValueRef bytes_of(JSContextRef context, const BIGNUM *number) {
  if (number == NULL)
    return js_undefined(context);
  size_t length = (size_t)BN_num_bytes(number);
  unsigned char *bytes = malloc(length + 1);
  if (bytes == NULL)
    return js_undefined(context);
  BN_bn2bin(number, bytes);
  return js_buffer_adopt(context, bytes, length);
}

/* dhCreate(prime bytes, generator bytes) | dhCreate(bits, generator number) | dhCreate(group name) */
static JSValueRef dh_create(JSContextRef context, struct js_frame *frame) {
  JSValueRef first = js_arg(context, frame, 0), second = js_arg(context, frame, 1);
  DH *dh = NULL;
  ERR_clear_error();
  if (JSValueIsString(context, first)) {
    static const struct {
      const char *name;
      BIGNUM *(*prime)(BIGNUM *);
    } groups[] = {
        {"modp1", BN_get_rfc2409_prime_768},   {"modp2", BN_get_rfc2409_prime_1024},
        {"modp5", BN_get_rfc3526_prime_1536},  {"modp14", BN_get_rfc3526_prime_2048},
        {"modp15", BN_get_rfc3526_prime_3072}, {"modp16", BN_get_rfc3526_prime_4096},
        {"modp17", BN_get_rfc3526_prime_6144}, {"modp18", BN_get_rfc3526_prime_8192},
    };
    char *name = js_to_text(context, first, NULL);
    for (size_t i = 0; name != NULL && i < sizeof groups / sizeof *groups; i++)
      if (strcasecmp(name, groups[i].name) == 0 && (dh = DH_new()) != NULL) {
        BIGNUM *generator = BN_new();
        BN_set_word(generator, 2);
        DH_set0_pqg(dh, groups[i].prime(NULL), NULL, generator);
      }
    free(name);
    if (dh == NULL)
      return js_null(context);
  } else if (JSValueIsNumber(context, first)) {
    dh = DH_new();
    if (dh == NULL || DH_generate_parameters_ex(dh, (int)js_to_integer(context, first),
                                                (int)js_to_integer(context, second), NULL) != 1) {
      DH_free(dh);
      return js_crypto_throw(context, "Initialization failed");
    }
  } else {
    BIGNUM *prime = number_of(context, first), *generator = number_of(context, second);
    dh = DH_new();
    if (dh == NULL || prime == NULL || generator == NULL || DH_set0_pqg(dh, prime, NULL, generator) != 1) {
      BN_free(prime);
      BN_free(generator);
      DH_free(dh);
      return js_crypto_throw(context, "Initialization failed");
    }
  }
  return js_crypto_object(context, dh, release_dh);
}

/* dhGet(dh, 0 prime | 1 generator | 2 public key | 3 private key | 4 errors of the parameters) */
static JSValueRef dh_get(JSContextRef context, struct js_frame *frame) {
  DH *dh = js_crypto_pointer(context, js_arg(context, frame, 0), release_dh);
  if (dh == NULL)
    return js_throw_text(context, "not a DiffieHellman");
  const BIGNUM *p, *g, *public_key, *private_key;
  DH_get0_pqg(dh, &p, NULL, &g);
  DH_get0_key(dh, &public_key, &private_key);
  int problems = 0;
  switch (js_to_integer(context, js_arg(context, frame, 1))) {
  case 0:
    return bytes_of(context, p);
  case 1:
    return bytes_of(context, g);
  case 2:
    return bytes_of(context, public_key);
  case 3:
    return bytes_of(context, private_key);
  default:
    DH_check(dh, &problems);
    ERR_clear_error();
    return js_number(context, problems);
  }
}

static JSValueRef dh_generate(JSContextRef context, struct js_frame *frame) {
  DH *dh = js_crypto_pointer(context, js_arg(context, frame, 0), release_dh);
  if (dh == NULL || DH_generate_key(dh) != 1)
    return js_crypto_throw(context, "Key generation failed");
  const BIGNUM *public_key;
  DH_get0_key(dh, &public_key, NULL);
  const BIGNUM *p;
  DH_get0_pqg(dh, &p, NULL, NULL);
  size_t length = (size_t)BN_num_bytes(p);
  unsigned char *bytes = malloc(length + 1);
  if (bytes == NULL)
    return js_undefined(context);
  BN_bn2binpad(public_key, bytes, (int)length);
  return js_buffer_adopt(context, bytes, length);
}

/* dhSet(dh, private, bytes) */
static JSValueRef dh_set(JSContextRef context, struct js_frame *frame) {
  DH *dh = js_crypto_pointer(context, js_arg(context, frame, 0), release_dh);
  bool is_private = js_to_boolean(context, js_arg(context, frame, 1));
  BIGNUM *number = number_of(context, js_arg(context, frame, 2));
  if (dh == NULL || number == NULL || (is_private ? DH_set0_key(dh, NULL, number) : DH_set0_key(dh, number, NULL)) != 1)
    return js_throw_text(context, "not a key");
  return js_undefined(context);
}

/* dhCompute(dh, other's public key) -> bytes, or 1 too small, 2 too large, 3 otherwise bad */
static JSValueRef dh_compute(JSContextRef context, struct js_frame *frame) {
  DH *dh = js_crypto_pointer(context, js_arg(context, frame, 0), release_dh);
  BIGNUM *other = number_of(context, js_arg(context, frame, 1));
  if (dh == NULL || other == NULL)
    return js_throw_text(context, "not a key");
  size_t room = (size_t)DH_size(dh);
  unsigned char *secret = calloc(room + 1, 1);
  int length = secret != NULL ? DH_compute_key_padded(secret, other, dh) : -1;
  int problems = 0;
  if (length < 0) {
    DH_check_pub_key(dh, other, &problems);
    free(secret);
    BN_free(other);
    if (problems & DH_CHECK_PUBKEY_TOO_SMALL)
      problems = 1;
    else if (problems & DH_CHECK_PUBKEY_TOO_LARGE)
      problems = 2;
    else
      problems = problems != 0 ? 3 : 4;
    ERR_clear_error();
    return js_number(context, problems);
  }
  BN_free(other);
  return js_buffer_adopt(context, secret, room);
}

/* ecdhCreate(curve) -> null: no such curve */
static JSValueRef ecdh_create(JSContextRef context, struct js_frame *frame) {
  char *name = js_to_text(context, js_arg(context, frame, 0), NULL);
  int nid = name != NULL ? OBJ_sn2nid(name) : NID_undef;
  free(name);
  EC_KEY *key = nid != NID_undef ? EC_KEY_new_by_curve_name(nid) : NULL;
  ERR_clear_error();
  return key != NULL ? js_crypto_object(context, key, release_ec) : js_null(context);
}

static EC_KEY *ec_of(JSContextRef context, struct js_frame *frame) {
  return js_crypto_pointer(context, js_arg(context, frame, 0), release_ec);
}

static JSValueRef ecdh_generate(JSContextRef context, struct js_frame *frame) {
  EC_KEY *key = ec_of(context, frame);
  return key != NULL && EC_KEY_generate_key(key) == 1 ? js_undefined(context)
                                                      : js_crypto_throw(context, "Key generation failed");
}

static JSValueRef point_bytes(JSContextRef context, const EC_GROUP *group, const EC_POINT *point, int form) {
  size_t length = EC_POINT_point2oct(group, point, (point_conversion_form_t)form, NULL, 0, NULL);
  unsigned char *bytes = length > 0 ? malloc(length) : NULL;
  if (bytes == NULL || EC_POINT_point2oct(group, point, (point_conversion_form_t)form, bytes, length, NULL) != length) {
    free(bytes);
    return js_crypto_throw(context, "Failed to get public key");
  }
  return js_buffer_adopt(context, bytes, length);
}

/* ecdhPublic(ecdh, form) -> bytes, or undefined */
static JSValueRef ecdh_public(JSContextRef context, struct js_frame *frame) {
  EC_KEY *key = ec_of(context, frame);
  const EC_POINT *point = key != NULL ? EC_KEY_get0_public_key(key) : NULL;
  if (point == NULL)
    return js_undefined(context);
  return point_bytes(context, EC_KEY_get0_group(key), point, (int)js_to_integer(context, js_arg(context, frame, 1)));
}

static JSValueRef ecdh_private(JSContextRef context, struct js_frame *frame) {
  EC_KEY *key = ec_of(context, frame);
  const BIGNUM *number = key != NULL ? EC_KEY_get0_private_key(key) : NULL;
  if (number == NULL)
    return js_undefined(context);
  size_t length = ((size_t)EC_GROUP_order_bits(EC_KEY_get0_group(key)) + 7) / 8;
  unsigned char *bytes = malloc(length + 1);
  if (bytes == NULL)
    return js_undefined(context);
  BN_bn2binpad(number, bytes, (int)length);
  return js_buffer_adopt(context, bytes, length);
}

/* ecdhSetPrivate(ecdh, bytes) -> whether it is valid for the curve; the public key follows from it */
static JSValueRef ecdh_set_private(JSContextRef context, struct js_frame *frame) {
  EC_KEY *key = ec_of(context, frame);
  BIGNUM *number = number_of(context, js_arg(context, frame, 1));
  if (key == NULL || number == NULL)
    return js_boolean(context, false);
  const EC_GROUP *group = EC_KEY_get0_group(key);
  EC_POINT *point = EC_POINT_new(group);
  bool ok = !BN_is_zero(number) && BN_cmp(number, EC_GROUP_get0_order(group)) < 0 &&
            EC_KEY_set_private_key(key, number) == 1 && EC_POINT_mul(group, point, number, NULL, NULL, NULL) == 1 &&
            EC_KEY_set_public_key(key, point) == 1;
  EC_POINT_free(point);
  BN_clear_free(number);
  ERR_clear_error();
  return js_boolean(context, ok);
}

static EC_POINT *point_of(JSContextRef context, const EC_GROUP *group, JSValueRef value) {
  unsigned char *bytes;
  size_t length;
  if (!js_borrow_bytes(context, value, &bytes, &length))
    return NULL;
  EC_POINT *point = EC_POINT_new(group);
  if (point != NULL && EC_POINT_oct2point(group, point, bytes, length, NULL) != 1) {
    EC_POINT_free(point);
    point = NULL;
  }
  ERR_clear_error();
  return point;
}

static JSValueRef ecdh_set_public(JSContextRef context, struct js_frame *frame) {
  EC_KEY *key = ec_of(context, frame);
  EC_POINT *point = key != NULL ? point_of(context, EC_KEY_get0_group(key), js_arg(context, frame, 1)) : NULL;
  bool ok = point != NULL && EC_KEY_set_public_key(key, point) == 1;
  EC_POINT_free(point);
  return js_boolean(context, ok);
}

/* ecdhCompute(ecdh, other's public key) -> bytes; undefined: the key is bad; null: ours is missing or bad */
static JSValueRef ecdh_compute(JSContextRef context, struct js_frame *frame) {
  EC_KEY *key = ec_of(context, frame);
  const EC_GROUP *group = key != NULL ? EC_KEY_get0_group(key) : NULL;
  EC_POINT *point = group != NULL ? point_of(context, group, js_arg(context, frame, 1)) : NULL;
  if (point == NULL)
    return js_undefined(context);
  if (EC_KEY_check_key(key) != 1) {
    EC_POINT_free(point);
    ERR_clear_error();
    return js_null(context);
  }
  size_t length = ((size_t)EC_GROUP_get_degree(group) + 7) / 8;
  unsigned char *secret = malloc(length + 1);
  int ok = secret != NULL ? ECDH_compute_key(secret, length, point, key, NULL) : 0;
  EC_POINT_free(point);
  if (ok <= 0) {
    free(secret);
    return js_crypto_throw(context, "Failed to compute ECDH key");
  }
  return js_buffer_adopt(context, secret, length);
}

/* ecdhConvert(bytes, curve, form) -> bytes; null: no such curve; undefined: bad key */
static JSValueRef ecdh_convert(JSContextRef context, struct js_frame *frame) {
  char *name = js_to_text(context, js_arg(context, frame, 1), NULL);
  int nid = name != NULL ? OBJ_sn2nid(name) : NID_undef;
  free(name);
  EC_GROUP *group = nid != NID_undef ? EC_GROUP_new_by_curve_name(nid) : NULL;
  ERR_clear_error();
  if (group == NULL)
    return js_null(context);
  EC_POINT *point = point_of(context, group, js_arg(context, frame, 0));
  JSValueRef result = point == NULL
                          ? js_undefined(context)
                          : point_bytes(context, group, point, (int)js_to_integer(context, js_arg(context, frame, 2)));
  EC_POINT_free(point);
  EC_GROUP_free(group);
  return result;
}

const struct js_method js_crypto_exchange_methods[] = {
    {"agree", agree_on, 3},
    {"dhCreate", dh_create, 2},
    {"dhGet", dh_get, 2},
    {"dhGenerate", dh_generate, 1},
    {"dhSet", dh_set, 3},
    {"dhCompute", dh_compute, 2},
    {"ecdhCreate", ecdh_create, 1},
    {"ecdhGenerate", ecdh_generate, 1},
    {"ecdhPublic", ecdh_public, 2},
    {"ecdhPrivate", ecdh_private, 1},
    {"ecdhSetPrivate", ecdh_set_private, 2},
    {"ecdhSetPublic", ecdh_set_public, 2},
    {"ecdhCompute", ecdh_compute, 2},
    {"ecdhConvert", ecdh_convert, 3},
    {NULL, NULL, 0},
};
