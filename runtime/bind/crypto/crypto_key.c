/* Keys: from PEM, DER, JWK and raw bytes to OpenSSL's EVP_PKEY, and back. */
#include "runtime/bind/crypto/crypto.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/encoder.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <stdlib.h>
#include <string.h>

void js_crypto_release_key(void *key) {
  EVP_PKEY_free(key);
}

static EVP_PKEY *key_of(JSContextRef context, struct js_frame *frame, int index) {
  return js_crypto_pointer(context, js_arg(context, frame, index), js_crypto_release_key);
}

struct passphrase {
  const char *text;
  size_t length;
  bool asked;
};

static int give_passphrase(char *buffer, int size, int writing, void *data) {
  struct passphrase *passphrase = data;
  (void)writing;
  passphrase->asked = true;
  if (passphrase->text == NULL || (size_t)size < passphrase->length)
    return -1;
  memcpy(buffer, passphrase->text, passphrase->length);
  return (int)passphrase->length;
}

static EVP_PKEY *private_from_der(BIO *source, const unsigned char *data, size_t length, const char *type,
                                  struct passphrase *passphrase) {
  const unsigned char *at = data;
  if (strcmp(type, "pkcs1") == 0)
    return d2i_PrivateKey(EVP_PKEY_RSA, NULL, &at, (long)length);
  if (strcmp(type, "sec1") == 0)
    return d2i_PrivateKey(EVP_PKEY_EC, NULL, &at, (long)length);
  PKCS8_PRIV_KEY_INFO *info = d2i_PKCS8_PRIV_KEY_INFO(NULL, &at, (long)length);
  if (info != NULL) {
    EVP_PKEY *key = EVP_PKCS82PKEY(info);
    PKCS8_PRIV_KEY_INFO_free(info);
    return key;
  }
  ERR_clear_error();
  return d2i_PKCS8PrivateKey_bio(source, NULL, give_passphrase, passphrase);
}

/* A public key, or a certificate, which contains one. The first line says which. */
static EVP_PKEY *public_from_pem(const unsigned char *data, size_t length) {
  char *name = NULL, *header = NULL;
  unsigned char *der = NULL;
  long size = 0;
  EVP_PKEY *key = NULL;
  BIO *text = BIO_new_mem_buf(data, (int)length);
  if (text == NULL || PEM_read_bio(text, &name, &header, &der, &size) != 1) {
    ERR_clear_error();
    ERR_raise(ERR_LIB_OSSL_DECODER, ERR_R_UNSUPPORTED);
  } else {
    const unsigned char *at = der;
    if (strcmp(name, PEM_STRING_RSA_PUBLIC) == 0) {
      key = d2i_PublicKey(EVP_PKEY_RSA, NULL, &at, size);
    } else if (strcmp(name, PEM_STRING_X509) == 0 || strcmp(name, PEM_STRING_X509_TRUSTED) == 0 ||
               strcmp(name, PEM_STRING_X509_OLD) == 0) {
      X509 *certificate = d2i_X509(NULL, &at, size);
      key = certificate != NULL ? X509_get_pubkey(certificate) : NULL;
      X509_free(certificate);
    } else if (strcmp(name, PEM_STRING_PUBLIC) == 0) {
      key = d2i_PUBKEY(NULL, &at, size);
    }
    if (key == NULL)
      ERR_raise(ERR_LIB_OSSL_DECODER, ERR_R_UNSUPPORTED);
  }
  OPENSSL_free(name);
  OPENSSL_free(header);
  OPENSSL_free(der);
  BIO_free(text);
  return key;
}

static EVP_PKEY *public_from_der(const unsigned char *data, size_t length, const char *type) {
  const unsigned char *at = data;
  return strcmp(type, "pkcs1") == 0 ? d2i_PublicKey(EVP_PKEY_RSA, NULL, &at, (long)length)
                                    : d2i_PUBKEY(NULL, &at, (long)length);
}

/* keyParse(private, data, PEM, type, passphrase, whether a lack of a key is null) -> a key, or one of key_refusal */
static JSValueRef key_parse(JSContextRef context, struct js_frame *frame) {
  bool is_private = js_to_boolean(context, js_arg(context, frame, 0));
  bool is_pem = js_to_boolean(context, js_arg(context, frame, 2));
  size_t length, passphrase_length;
  unsigned char *data = js_crypto_copy(context, js_arg(context, frame, 1), &length);
  char *type = js_to_text(context, js_arg(context, frame, 3), NULL);
  unsigned char *words = js_crypto_copy(context, js_arg(context, frame, 4), &passphrase_length);
  struct passphrase passphrase = {(char *)words, passphrase_length, false};
  EVP_PKEY *key = NULL;
  BIO *source = data != NULL ? BIO_new_mem_buf(data, (int)length) : NULL;
  ERR_clear_error();
  if (source != NULL && type != NULL) {
    if (is_private)
      key = is_pem ? PEM_read_bio_PrivateKey(source, NULL, give_passphrase, &passphrase)
                   : private_from_der(source, data, length, type, &passphrase);
    else
      key = is_pem ? public_from_pem(data, length) : public_from_der(data, length, type);
  }
  BIO_free(source);
  free(data);
  free(type);
  free(words);
  if (key != NULL) {
    ERR_clear_error();
    return js_crypto_object(context, key, js_crypto_release_key);
  }
  if (passphrase.asked && passphrase.text == NULL) {
    ERR_clear_error();
    return js_number(context, JS_KEY_REFUSAL_NEEDS_PASSPHRASE);
  }
  if (js_to_boolean(context, js_arg(context, frame, 5)) && ERR_GET_REASON(ERR_peek_error()) == ERR_R_UNSUPPORTED) {
    ERR_clear_error();
    return js_null(context);
  }
  if (is_private || is_pem)
    return js_crypto_throw(context, is_private ? "Failed to read private key" : "Failed to read asymmetric key");
  JSValueRef error = js_crypto_error(context, 0, "");
  js_set(context, (JSObjectRef)error, "message", js_string(context, "Failed to read asymmetric key"));
  return js_throw(context, error);
}

/* keyExport(key, private, PEM, type, cipher or undefined, passphrase) -> text or bytes */
static JSValueRef key_export(JSContextRef context, struct js_frame *frame) {
  EVP_PKEY *key = key_of(context, frame, 0);
  bool is_private = js_to_boolean(context, js_arg(context, frame, 1));
  bool is_pem = js_to_boolean(context, js_arg(context, frame, 2));
  if (key == NULL)
    return js_throw_text(context, "not a key");
  char *type = js_to_text(context, js_arg(context, frame, 3), NULL);
  const EVP_CIPHER *cipher = NULL;
  if (JSValueIsString(context, js_arg(context, frame, 4))) {
    char *name = js_to_text(context, js_arg(context, frame, 4), NULL);
    cipher = name != NULL ? EVP_get_cipherbyname(name) : NULL;
    free(name);
    if (cipher == NULL) {
      free(type);
      return js_number(context, JS_KEY_REFUSAL_UNKNOWN_CIPHER);
    }
  }
  size_t length;
  unsigned char *words = js_crypto_copy(context, js_arg(context, frame, 5), &length);
  BIO *out = BIO_new(BIO_s_mem());
  int ok = 0;
  ERR_clear_error();
  if (type != NULL && !is_private) {
    if (strcmp(type, "pkcs1") == 0) {
      const RSA *rsa = EVP_PKEY_get0_RSA(key);
      ok = rsa != NULL && (is_pem ? PEM_write_bio_RSAPublicKey(out, rsa) : i2d_RSAPublicKey_bio(out, rsa));
    } else {
      ok = is_pem ? PEM_write_bio_PUBKEY(out, key) : i2d_PUBKEY_bio(out, key);
    }
  } else if (type != NULL && strcmp(type, "pkcs8") == 0) {
    ok = is_pem ? PEM_write_bio_PKCS8PrivateKey(out, key, cipher, (char *)words, (int)length, NULL, NULL)
                : i2d_PKCS8PrivateKey_bio(out, key, cipher, (char *)words, (int)length, NULL, NULL);
  } else if (type != NULL) {
    ok = is_pem ? PEM_write_bio_PrivateKey_traditional(out, key, cipher, words, (int)length, NULL, NULL)
                : i2d_PrivateKey_bio(out, key);
  }
  free(type);
  free(words);
  char *bytes;
  long size = BIO_get_mem_data(out, &bytes);
  JSValueRef result = !ok      ? js_crypto_throw(context, "Failed to export the key")
                      : is_pem ? js_text(context, bytes, (size_t)size)
                               : js_crypto_bytes(context, bytes, (size_t)size);
  BIO_free(out);
  return result;
}

static JSValueRef key_type(JSContextRef context, struct js_frame *frame) {
  EVP_PKEY *key = key_of(context, frame, 0);
  static const struct {
    int id;
    const char *name;
  } rows[] = {
      {EVP_PKEY_RSA, "rsa"},         {EVP_PKEY_RSA_PSS, "rsa-pss"}, {EVP_PKEY_DSA, "dsa"},
      {EVP_PKEY_DH, "dh"},           {EVP_PKEY_DHX, "dh"},          {EVP_PKEY_EC, "ec"},
      {EVP_PKEY_ED25519, "ed25519"}, {EVP_PKEY_ED448, "ed448"},     {EVP_PKEY_X25519, "x25519"},
      {EVP_PKEY_X448, "x448"},
  };
  int id = key != NULL ? EVP_PKEY_get_base_id(key) : 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].id == id)
      return js_string(context, rows[i].name);
  return js_undefined(context);
}

static JSValueRef number_bytes(JSContextRef context, EVP_PKEY *key, const char *name, size_t least) {
  BIGNUM *number = NULL;
  if (!EVP_PKEY_get_bn_param(key, name, &number)) {
    ERR_clear_error();
    return js_undefined(context);
  }
  size_t length = (size_t)BN_num_bytes(number);
  if (length < least)
    length = least;
  unsigned char *bytes = malloc(length + 1);
  if (bytes != NULL)
    BN_bn2binpad(number, bytes, (int)length);
  BN_clear_free(number);
  return bytes != NULL ? js_buffer_adopt(context, bytes, length) : js_undefined(context);
}

static JSValueRef text_parameter(JSContextRef context, EVP_PKEY *key, const char *name) {
  char text[128];
  size_t length;
  if (EVP_PKEY_get_utf8_string_param(key, name, text, sizeof text, &length))
    return js_string(context, text);
  ERR_clear_error();
  return js_undefined(context);
}

static JSValueRef integer_parameter(JSContextRef context, EVP_PKEY *key, const char *name) {
  int value;
  if (EVP_PKEY_get_int_param(key, name, &value))
    return js_number(context, value);
  ERR_clear_error();
  return js_undefined(context);
}

/* Node's name of the curve. */
static const char *curve_name(EVP_PKEY *key, char *room, size_t size) {
  size_t length;
  if (!EVP_PKEY_get_utf8_string_param(key, OSSL_PKEY_PARAM_GROUP_NAME, room, size, &length)) {
    ERR_clear_error();
    const EC_KEY *ec = EVP_PKEY_get0_EC_KEY(key);
    int nid = ec != NULL ? EC_GROUP_get_curve_name(EC_KEY_get0_group(ec)) : NID_undef;
    return nid != NID_undef ? OBJ_nid2sn(nid) : NULL;
  }
  int nid = OBJ_txt2nid(room);
  return nid != NID_undef ? OBJ_nid2sn(nid) : room;
}

/* keyDetails(key) -> [bits, public exponent, curve, divisor bits, digest, mgf1 digest, salt length] */
static JSValueRef key_details(JSContextRef context, struct js_frame *frame) {
  EVP_PKEY *key = key_of(context, frame, 0);
  if (key == NULL)
    return js_undefined(context);
  char room[80];
  int id = EVP_PKEY_get_base_id(key);
  const char *curve = id == EVP_PKEY_EC ? curve_name(key, room, sizeof room) : NULL;
  BIGNUM *divisor = NULL;
  int divisor_bits = 0;
  if (id == EVP_PKEY_DSA && EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_FFC_Q, &divisor))
    divisor_bits = BN_num_bits(divisor);
  BN_free(divisor);
  JSValueRef row[] = {
      js_number(context, EVP_PKEY_get_bits(key)),
      number_bytes(context, key, OSSL_PKEY_PARAM_RSA_E, 0),
      curve != NULL ? js_string(context, curve) : js_undefined(context),
      divisor_bits > 0 ? js_number(context, divisor_bits) : js_undefined(context),
      id == EVP_PKEY_RSA_PSS ? text_parameter(context, key, OSSL_PKEY_PARAM_RSA_DIGEST) : js_undefined(context),
      id == EVP_PKEY_RSA_PSS ? text_parameter(context, key, OSSL_PKEY_PARAM_RSA_MGF1_DIGEST) : js_undefined(context),
      id == EVP_PKEY_RSA_PSS ? integer_parameter(context, key, OSSL_PKEY_PARAM_RSA_PSS_SALTLEN) : js_undefined(context),
  };
  ERR_clear_error();
  return js_array(context, 7, row);
}

static JSValueRef key_equals(JSContextRef context, struct js_frame *frame) {
  EVP_PKEY *a = key_of(context, frame, 0), *b = key_of(context, frame, 1);
  bool same = a != NULL && b != NULL && EVP_PKEY_eq(a, b) == 1;
  ERR_clear_error();
  return js_boolean(context, same);
}

/* keyIsSound(key, private) -> whether its numbers are valid */
static JSValueRef key_is_sound(JSContextRef context, struct js_frame *frame) {
  EVP_PKEY *key = key_of(context, frame, 0);
  EVP_PKEY_CTX *check = key != NULL ? EVP_PKEY_CTX_new(key, NULL) : NULL;
  bool is_private = js_to_boolean(context, js_arg(context, frame, 1));
  bool sound = check != NULL && (is_private ? EVP_PKEY_check(check) : EVP_PKEY_public_check(check)) == 1;
  EVP_PKEY_CTX_free(check);
  ERR_clear_error();
  return js_boolean(context, sound);
}

/* keyParts(key, private) -> the numbers of a JWK: RSA [n e d p q dp dq qi], EC [x y d], others [x d] */
static JSValueRef key_parts(JSContextRef context, struct js_frame *frame) {
  EVP_PKEY *key = key_of(context, frame, 0);
  bool is_private = js_to_boolean(context, js_arg(context, frame, 1));
  int id = key != NULL ? EVP_PKEY_get_base_id(key) : 0;
  JSValueRef row[8];
  size_t count = 0;
  if (id == EVP_PKEY_RSA || id == EVP_PKEY_RSA_PSS) {
    static const char *const names[] = {OSSL_PKEY_PARAM_RSA_N,         OSSL_PKEY_PARAM_RSA_E,
                                        OSSL_PKEY_PARAM_RSA_D,         OSSL_PKEY_PARAM_RSA_FACTOR1,
                                        OSSL_PKEY_PARAM_RSA_FACTOR2,   OSSL_PKEY_PARAM_RSA_EXPONENT1,
                                        OSSL_PKEY_PARAM_RSA_EXPONENT2, OSSL_PKEY_PARAM_RSA_COEFFICIENT1};
    for (; count < (is_private ? 8 : 2); count++)
      row[count] = number_bytes(context, key, names[count], 0);
  } else if (id == EVP_PKEY_EC) {
    size_t size = ((size_t)EVP_PKEY_get_bits(key) + 7) / 8;
    row[count++] = number_bytes(context, key, OSSL_PKEY_PARAM_EC_PUB_X, size);
    row[count++] = number_bytes(context, key, OSSL_PKEY_PARAM_EC_PUB_Y, size);
    if (is_private)
      row[count++] = number_bytes(context, key, OSSL_PKEY_PARAM_PRIV_KEY, size);
  } else if (id == EVP_PKEY_ED25519 || id == EVP_PKEY_ED448 || id == EVP_PKEY_X25519 || id == EVP_PKEY_X448) {
    unsigned char bytes[64];
    size_t length = sizeof bytes;
    if (EVP_PKEY_get_raw_public_key(key, bytes, &length))
      row[count++] = js_crypto_bytes(context, bytes, length);
    length = sizeof bytes;
    if (is_private && EVP_PKEY_get_raw_private_key(key, bytes, &length))
      row[count++] = js_crypto_bytes(context, bytes, length);
    OPENSSL_cleanse(bytes, sizeof bytes);
  } else {
    return js_undefined(context);
  }
  return js_array(context, count, row);
}

static BIGNUM *number_at(JSContextRef context, JSObjectRef list, unsigned index) {
  unsigned char *bytes;
  size_t length;
  return js_borrow_bytes(context, JSObjectGetPropertyAtIndex(context, list, index, NULL), &bytes, &length)
             ? BN_bin2bn(bytes, (int)length, NULL)
             : NULL;
}

static EVP_PKEY *from_parameters(const char *kind, OSSL_PARAM_BLD *builder, bool is_private) {
  OSSL_PARAM *parameters = OSSL_PARAM_BLD_to_param(builder);
  EVP_PKEY_CTX *maker = EVP_PKEY_CTX_new_from_name(NULL, kind, NULL);
  EVP_PKEY *key = NULL;
  if (parameters == NULL || maker == NULL || EVP_PKEY_fromdata_init(maker) != 1 ||
      EVP_PKEY_fromdata(maker, &key, is_private ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, parameters) != 1)
    key = NULL;
  EVP_PKEY_CTX_free(maker);
  OSSL_PARAM_free(parameters);
  return key;
}

static EVP_PKEY *rsa_from(JSContextRef context, JSObjectRef list, bool is_private) {
  static const char *const names[] = {OSSL_PKEY_PARAM_RSA_N,         OSSL_PKEY_PARAM_RSA_E,
                                      OSSL_PKEY_PARAM_RSA_D,         OSSL_PKEY_PARAM_RSA_FACTOR1,
                                      OSSL_PKEY_PARAM_RSA_FACTOR2,   OSSL_PKEY_PARAM_RSA_EXPONENT1,
                                      OSSL_PKEY_PARAM_RSA_EXPONENT2, OSSL_PKEY_PARAM_RSA_COEFFICIENT1};
  BIGNUM *numbers[8] = {NULL};
  OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
  int ok = builder != NULL;
  for (unsigned i = 0; ok && i < (is_private ? 8 : 2); i++) {
    numbers[i] = number_at(context, list, i);
    ok = numbers[i] != NULL && OSSL_PARAM_BLD_push_BN(builder, names[i], numbers[i]);
  }
  if (ok && is_private) {
    BN_CTX *scratch = BN_CTX_new();
    BIGNUM *product = BN_new();
    ok = BN_mul(product, numbers[3], numbers[4], scratch) == 1 && BN_cmp(product, numbers[0]) == 0;
    BN_clear_free(product);
    BN_CTX_free(scratch);
  }
  EVP_PKEY *key = ok ? from_parameters("RSA", builder, is_private) : NULL;
  OSSL_PARAM_BLD_free(builder);
  for (int i = 0; i < 8; i++)
    BN_clear_free(numbers[i]);
  return key;
}

/* The point is given to the library as it is written uncompressed; whether it is on the curve is checked there. */
static EVP_PKEY *ec_from(JSContextRef context, JSObjectRef list, const char *curve, bool is_private) {
  EC_GROUP *group = EC_GROUP_new_by_curve_name(OBJ_sn2nid(curve));
  BIGNUM *x = number_at(context, list, 0), *y = number_at(context, list, 1),
         *d = is_private ? number_at(context, list, 2) : NULL;
  OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
  size_t size = group != NULL ? ((size_t)EC_GROUP_get_degree(group) + 7) / 8 : 0;
  unsigned char point[1 + 2 * 72] = {POINT_CONVERSION_UNCOMPRESSED};
  bool ok = group != NULL && builder != NULL && x != NULL && y != NULL && (!is_private || d != NULL) && size <= 72 &&
            BN_bn2binpad(x, point + 1, (int)size) >= 0 && BN_bn2binpad(y, point + 1 + size, (int)size) >= 0 &&
            OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, curve, 0) &&
            OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, 1 + 2 * size) &&
            (!is_private || OSSL_PARAM_BLD_push_BN_pad(builder, OSSL_PKEY_PARAM_PRIV_KEY, d, size));
  EVP_PKEY *key = ok ? from_parameters("EC", builder, is_private) : NULL;
  OSSL_PARAM_BLD_free(builder);
  EC_GROUP_free(group);
  BN_free(x);
  BN_free(y);
  BN_clear_free(d);
  return key;
}

/* keyFromScalar(curve, bytes) -> the private key with that number, or null */
static JSValueRef key_from_scalar(JSContextRef context, struct js_frame *frame) {
  char *name = js_to_text(context, js_arg(context, frame, 0), NULL);
  unsigned char *bytes;
  size_t length = 0;
  EC_GROUP *group = name != NULL ? EC_GROUP_new_by_curve_name(OBJ_sn2nid(name)) : NULL;
  free(name);
  bool fits = group != NULL && js_borrow_bytes(context, js_arg(context, frame, 1), &bytes, &length) &&
              length == ((size_t)EC_GROUP_order_bits(group) + 7) / 8;
  BIGNUM *scalar = fits ? BN_bin2bn(bytes, (int)length, NULL) : NULL;
  EC_POINT *point = scalar != NULL ? EC_POINT_new(group) : NULL;
  unsigned char encoded[1 + 2 * 72];
  size_t size = 0;
  if (point != NULL && EC_POINT_mul(group, point, scalar, NULL, NULL, NULL) == 1)
    size = EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, encoded, sizeof encoded, NULL);
  OSSL_PARAM_BLD *builder = size > 1 ? OSSL_PARAM_BLD_new() : NULL;
  EVP_PKEY *key = NULL;
  if (builder != NULL &&
      OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, OBJ_nid2sn(EC_GROUP_get_curve_name(group)),
                                      0) &&
      OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, encoded, size) &&
      OSSL_PARAM_BLD_push_BN_pad(builder, OSSL_PKEY_PARAM_PRIV_KEY, scalar, length))
    key = from_parameters("EC", builder, true);
  OSSL_PARAM_BLD_free(builder);
  EC_POINT_free(point);
  BN_clear_free(scalar);
  EC_GROUP_free(group);
  ERR_clear_error();
  return key != NULL ? js_crypto_object(context, key, js_crypto_release_key) : js_null(context);
}

/* keyFromParts(kind: 'rsa' | a curve of 'ec' | 'ed25519' and the like, list as in keyParts, private, ec) */
static JSValueRef key_from_parts(JSContextRef context, struct js_frame *frame) {
  char *kind = js_to_text(context, js_arg(context, frame, 0), NULL);
  JSObjectRef list = (JSObjectRef)js_arg(context, frame, 1);
  bool is_private = js_to_boolean(context, js_arg(context, frame, 2)),
       is_ec = js_to_boolean(context, js_arg(context, frame, 3));
  EVP_PKEY *key = NULL;
  if (kind != NULL && strcmp(kind, "rsa") == 0) {
    key = rsa_from(context, list, is_private);
  } else if (kind != NULL && is_ec) {
    key = ec_from(context, list, kind, is_private);
  } else if (kind != NULL) {
    int id = strcmp(kind, "ed25519") == 0  ? EVP_PKEY_ED25519
             : strcmp(kind, "ed448") == 0  ? EVP_PKEY_ED448
             : strcmp(kind, "x25519") == 0 ? EVP_PKEY_X25519
                                           : EVP_PKEY_X448;
    unsigned char *bytes;
    size_t length;
    if (js_borrow_bytes(context, JSObjectGetPropertyAtIndex(context, list, is_private ? 1 : 0, NULL), &bytes, &length))
      key = is_private ? EVP_PKEY_new_raw_private_key(id, NULL, bytes, length)
                       : EVP_PKEY_new_raw_public_key(id, NULL, bytes, length);
  }
  free(kind);
  ERR_clear_error();
  return key != NULL ? js_crypto_object(context, key, js_crypto_release_key) : js_null(context);
}

static JSValueRef curve_names(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  size_t count = EC_get_builtin_curves(NULL, 0);
  EC_builtin_curve *curves = calloc(count + 1, sizeof *curves);
  JSObjectRef list = js_array(context, 0, NULL);
  if (curves == NULL)
    return list;
  EC_get_builtin_curves(curves, count);
  for (size_t i = 0; i < count; i++)
    JSObjectSetPropertyAtIndex(context, list, (unsigned)i, js_string(context, OBJ_nid2sn(curves[i].nid)), NULL);
  free(curves);
  return list;
}

const struct js_method js_crypto_key_methods[] = {
    {"keyParse", key_parse, 6},
    {"keyExport", key_export, 6},
    {"keyType", key_type, 1},
    {"keyDetails", key_details, 1},
    {"keyEquals", key_equals, 2},
    {"keyParts", key_parts, 2},
    {"keyFromParts", key_from_parts, 4},
    {"curveNames", curve_names, 0},
    {"keyIsSound", key_is_sound, 2},
    {"keyFromScalar", key_from_scalar, 2},
    {NULL, NULL, 0},
};
