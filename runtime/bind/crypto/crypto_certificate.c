/* X.509 certificates, read only. */
#include "runtime/bind/crypto/crypto.h"

#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void release(void *pointer) {
  X509_free(pointer);
}

static X509 *certificate_of(JSContextRef context, struct js_frame *frame, int index) {
  return js_crypto_pointer(context, js_arg(context, frame, index), release);
}

/* certificateParse(bytes: PEM or DER) */
static JSValueRef parse(JSContextRef context, struct js_frame *frame) {
  unsigned char *bytes;
  size_t length;
  if (!js_borrow_bytes(context, js_arg(context, frame, 0), &bytes, &length))
    return js_throw_text(context, "not bytes");
  ERR_clear_error();
  BIO *source = BIO_new_mem_buf(bytes, (int)length);
  X509 *certificate = PEM_read_bio_X509_AUX(source, NULL, NULL, NULL);
  BIO_free(source);
  if (certificate == NULL) {
    unsigned long error = ERR_peek_error();
    const unsigned char *at = bytes;
    certificate = d2i_X509(NULL, &at, (long)length);
    if (certificate == NULL)
      return js_throw(context, js_crypto_error(context, error, "not a certificate"));
  }
  ERR_clear_error();
  return js_crypto_object(context, certificate, release);
}

static JSValueRef text_of(JSContextRef context, BIO *out) {
  char *bytes;
  long length = BIO_get_mem_data(out, &bytes);
  JSValueRef text = js_text(context, length > 0 ? bytes : "", (size_t)length);
  BIO_free(out);
  return text;
}

static JSValueRef name_text(JSContextRef context, X509_NAME *name) {
  BIO *out = BIO_new(BIO_s_mem());
  X509_NAME_print_ex(out, name, 0,
                     ASN1_STRFLGS_ESC_2253 | ASN1_STRFLGS_ESC_CTRL | ASN1_STRFLGS_UTF8_CONVERT | XN_FLAG_SEP_MULTILINE |
                         XN_FLAG_FN_SN);
  return text_of(context, out);
}

static JSValueRef time_text(JSContextRef context, const ASN1_TIME *time) {
  BIO *out = BIO_new(BIO_s_mem());
  ASN1_TIME_print(out, time);
  return text_of(context, out);
}

static JSValueRef fingerprint(JSContextRef context, X509 *certificate, const EVP_MD *digest) {
  unsigned char bytes[EVP_MAX_MD_SIZE];
  unsigned length = 0;
  char text[EVP_MAX_MD_SIZE * 3 + 1] = "";
  X509_digest(certificate, digest, bytes, &length);
  for (unsigned i = 0; i < length; i++)
    snprintf(text + i * 3, 4, i + 1 < length ? "%02X:" : "%02X", bytes[i]);
  return js_string(context, text);
}

/* certificateFields(certificate) -> [subject, issuer, valid from, valid to, fingerprints of SHA-1, SHA-256 and SHA-512,
 * serial number, bytes, whether a certificate authority, alternative names, info access, key usages, public key, PEM,
 * valid from and to in seconds, the signature's algorithm, its number] */
static JSValueRef fields(JSContextRef context, struct js_frame *frame) {
  X509 *certificate = certificate_of(context, frame, 0);
  if (certificate == NULL)
    return js_undefined(context);
  unsigned char *der = NULL;
  int der_length = i2d_X509(certificate, &der);
  BIGNUM *serial = ASN1_INTEGER_to_BN(X509_get0_serialNumber(certificate), NULL);
  char *serial_text = serial != NULL ? BN_bn2hex(serial) : NULL;
  JSObjectRef usages = js_array(context, 0, NULL);
  EXTENDED_KEY_USAGE *usage = X509_get_ext_d2i(certificate, NID_ext_key_usage, NULL, NULL);
  for (int i = 0; usage != NULL && i < sk_ASN1_OBJECT_num(usage); i++) {
    char name[80];
    OBJ_obj2txt(name, sizeof name, sk_ASN1_OBJECT_value(usage, i), 1);
    JSObjectSetPropertyAtIndex(context, usages, (unsigned)i, js_string(context, name), NULL);
  }
  EVP_PKEY *key = X509_get_pubkey(certificate);
  BIO *pem = BIO_new(BIO_s_mem());
  PEM_write_bio_X509(pem, certificate);
  char algorithm[80] = "";
  const ASN1_OBJECT *oid = NULL;
  const X509_ALGOR *signature = X509_get0_tbs_sigalg(certificate);
  X509_ALGOR_get0(&oid, NULL, NULL, signature);
  OBJ_obj2txt(algorithm, sizeof algorithm, oid, 1);
  const char *algorithm_name = OBJ_nid2ln(OBJ_obj2nid(oid));
  struct tm from, to;
  ASN1_TIME_to_tm(X509_get0_notBefore(certificate), &from);
  ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &to);
  JSValueRef row[] = {
      name_text(context, X509_get_subject_name(certificate)),
      name_text(context, X509_get_issuer_name(certificate)),
      time_text(context, X509_get0_notBefore(certificate)),
      time_text(context, X509_get0_notAfter(certificate)),
      fingerprint(context, certificate, EVP_sha1()),
      fingerprint(context, certificate, EVP_sha256()),
      fingerprint(context, certificate, EVP_sha512()),
      js_string(context, serial_text != NULL ? serial_text : ""),
      js_crypto_bytes(context, der, der_length > 0 ? (size_t)der_length : 0),
      js_boolean(context, X509_check_ca(certificate) == 1),
      js_crypto_alternative_names(context, certificate),
      js_crypto_info_access(context, certificate, false),
      usage != NULL ? usages : js_undefined(context),
      key != NULL ? js_crypto_object(context, key, js_crypto_release_key) : js_undefined(context),
      text_of(context, pem),
      js_number(context, (double)timegm(&from)),
      js_number(context, (double)timegm(&to)),
      js_string(context, algorithm_name != NULL ? algorithm_name : ""),
      js_string(context, algorithm),
  };
  EXTENDED_KEY_USAGE_free(usage);
  OPENSSL_free(der);
  OPENSSL_free(serial_text);
  BN_free(serial);
  ERR_clear_error();
  return js_array(context, sizeof row / sizeof *row, row);
}

/* certificateParts(certificate) -> [subject, issuer, info access], each a list of names and values or undefined */
static JSValueRef parts(JSContextRef context, struct js_frame *frame) {
  X509 *certificate = certificate_of(context, frame, 0);
  if (certificate == NULL)
    return js_undefined(context);
  JSValueRef row[] = {js_crypto_name_parts(context, X509_get_subject_name(certificate)),
                      js_crypto_name_parts(context, X509_get_issuer_name(certificate)),
                      js_crypto_info_access(context, certificate, true)};
  ERR_clear_error();
  return js_array(context, 3, row);
}

/* certificateCheck(certificate, 0 host | 1 email | 2 address, text, flags) -> the matching name, true, or undefined */
static JSValueRef check(JSContextRef context, struct js_frame *frame) {
  X509 *certificate = certificate_of(context, frame, 0);
  int kind = (int)js_to_integer(context, js_arg(context, frame, 1));
  size_t length;
  char *text = js_to_text(context, js_arg(context, frame, 2), &length);
  unsigned flags = (unsigned)js_to_integer(context, js_arg(context, frame, 3));
  char *peer = NULL;
  int result = 0;
  if (certificate != NULL && text != NULL)
    result = kind == 0   ? X509_check_host(certificate, text, length, flags, &peer)
             : kind == 1 ? X509_check_email(certificate, text, length, flags)
                         : X509_check_ip_asc(certificate, text, flags);
  JSValueRef value = result != 1    ? js_undefined(context)
                     : peer != NULL ? js_string(context, peer)
                                    : js_string(context, text);
  OPENSSL_free(peer);
  free(text);
  ERR_clear_error();
  return value;
}

/* certificateIssued(certificate, issuer) */
static JSValueRef issued(JSContextRef context, struct js_frame *frame) {
  X509 *certificate = certificate_of(context, frame, 0), *issuer = certificate_of(context, frame, 1);
  bool yes = certificate != NULL && issuer != NULL && X509_check_issued(issuer, certificate) == X509_V_OK;
  ERR_clear_error();
  return js_boolean(context, yes);
}

/* certificateKey(certificate, key, 0: signed by it | 1: it is its private key) */
static JSValueRef matches(JSContextRef context, struct js_frame *frame) {
  X509 *certificate = certificate_of(context, frame, 0);
  EVP_PKEY *key = js_crypto_pointer(context, js_arg(context, frame, 1), js_crypto_release_key);
  bool yes = false;
  if (certificate != NULL && key != NULL)
    yes = js_to_boolean(context, js_arg(context, frame, 2)) ? X509_check_private_key(certificate, key) == 1
                                                            : X509_verify(certificate, key) == 1;
  ERR_clear_error();
  return js_boolean(context, yes);
}

const struct js_method js_crypto_certificate_methods[] = {
    {"certificateParse", parse, 1},
    {"certificateFields", fields, 1},
    {"certificateParts", parts, 1},
    {"certificateCheck", check, 4},
    {"certificateIssued", issued, 2},
    {"certificateKey", matches, 3},
    {NULL, NULL, 0},
};
