/* Queries about a connection: its protocol, its cipher, the peer's certificates and the result of their
 * verification. */
#include "runtime/bind/tls/tls.h"

#include <openssl/x509v3.h>
#include <stdlib.h>

/* The results of a verification, with Node's names. */
static const struct {
  int code;
  const char *name;
} verdicts[] = {
    {X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, "UNABLE_TO_GET_ISSUER_CERT"},
    {X509_V_ERR_UNABLE_TO_GET_CRL, "UNABLE_TO_GET_CRL"},
    {X509_V_ERR_UNABLE_TO_DECRYPT_CERT_SIGNATURE, "UNABLE_TO_DECRYPT_CERT_SIGNATURE"},
    {X509_V_ERR_UNABLE_TO_DECRYPT_CRL_SIGNATURE, "UNABLE_TO_DECRYPT_CRL_SIGNATURE"},
    {X509_V_ERR_UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY, "UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY"},
    {X509_V_ERR_CERT_SIGNATURE_FAILURE, "CERT_SIGNATURE_FAILURE"},
    {X509_V_ERR_CRL_SIGNATURE_FAILURE, "CRL_SIGNATURE_FAILURE"},
    {X509_V_ERR_CERT_NOT_YET_VALID, "CERT_NOT_YET_VALID"},
    {X509_V_ERR_CERT_HAS_EXPIRED, "CERT_HAS_EXPIRED"},
    {X509_V_ERR_CRL_NOT_YET_VALID, "CRL_NOT_YET_VALID"},
    {X509_V_ERR_CRL_HAS_EXPIRED, "CRL_HAS_EXPIRED"},
    {X509_V_ERR_ERROR_IN_CERT_NOT_BEFORE_FIELD, "ERROR_IN_CERT_NOT_BEFORE_FIELD"},
    {X509_V_ERR_ERROR_IN_CERT_NOT_AFTER_FIELD, "ERROR_IN_CERT_NOT_AFTER_FIELD"},
    {X509_V_ERR_ERROR_IN_CRL_LAST_UPDATE_FIELD, "ERROR_IN_CRL_LAST_UPDATE_FIELD"},
    {X509_V_ERR_ERROR_IN_CRL_NEXT_UPDATE_FIELD, "ERROR_IN_CRL_NEXT_UPDATE_FIELD"},
    {X509_V_ERR_OUT_OF_MEM, "OUT_OF_MEM"},
    {X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, "DEPTH_ZERO_SELF_SIGNED_CERT"},
    {X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, "SELF_SIGNED_CERT_IN_CHAIN"},
    {X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, "UNABLE_TO_GET_ISSUER_CERT_LOCALLY"},
    {X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, "UNABLE_TO_VERIFY_LEAF_SIGNATURE"},
    {X509_V_ERR_CERT_CHAIN_TOO_LONG, "CERT_CHAIN_TOO_LONG"},
    {X509_V_ERR_CERT_REVOKED, "CERT_REVOKED"},
    {X509_V_ERR_INVALID_CA, "INVALID_CA"},
    {X509_V_ERR_PATH_LENGTH_EXCEEDED, "PATH_LENGTH_EXCEEDED"},
    {X509_V_ERR_INVALID_PURPOSE, "INVALID_PURPOSE"},
    {X509_V_ERR_CERT_UNTRUSTED, "CERT_UNTRUSTED"},
    {X509_V_ERR_CERT_REJECTED, "CERT_REJECTED"},
    {X509_V_ERR_HOSTNAME_MISMATCH, "HOSTNAME_MISMATCH"},
};

/* Whether the peer has resumed a session, or knows a shared key. */
static bool proved_otherwise(SSL *ssl) {
  const SSL_CIPHER *used = SSL_get_current_cipher(ssl);
  return (!SSL_is_server(ssl) && SSL_session_reused(ssl) == 1) ||
         (used != NULL && SSL_CIPHER_get_auth_nid(used) == NID_auth_psk);
}

/* verdict(tls) -> undefined if the peer is trusted, else [code, text]. A peer without a certificate is not trusted. */
static JSValueRef verdict(JSContextRef context, struct js_frame *frame) {
  struct js_tls *tls = js_tls_of(context, frame, 0);
  if (tls == NULL)
    return js_undefined(context);
  long result = SSL_get_verify_result(tls->ssl);
  X509 *certificate = SSL_get1_peer_certificate(tls->ssl);
  if (certificate == NULL && !proved_otherwise(tls->ssl))
    result = X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT;
  X509_free(certificate);
  if (result == X509_V_OK)
    return js_undefined(context);
  const char *name = "UNSPECIFIED";
  for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
    if (verdicts[i].code == result)
      name = verdicts[i].name;
  JSValueRef values[] = {js_string(context, name), js_string(context, X509_verify_cert_error_string(result))};
  return js_array(context, 2, values);
}

static JSValueRef encoded(JSContextRef context, X509 *certificate) {
  unsigned char *bytes = NULL;
  int length = i2d_X509(certificate, &bytes);
  JSValueRef value = length > 0 ? js_crypto_bytes(context, bytes, (size_t)length) : js_undefined(context);
  OPENSSL_free(bytes);
  return value;
}

/* certificates(tls, own): the certificate of the peer (or our own) and its chain, in DER, as far as available */
static JSValueRef certificates(JSContextRef context, struct js_frame *frame) {
  struct js_tls *tls = js_tls_of(context, frame, 0);
  JSObjectRef list = js_array(context, 0, NULL);
  if (tls == NULL)
    return list;
  bool own = js_to_boolean(context, js_arg(context, frame, 1));
  X509 *first = own ? SSL_get_certificate(tls->ssl) : SSL_get1_peer_certificate(tls->ssl);
  if (first == NULL)
    return list;
  unsigned count = 0;
  JSObjectSetPropertyAtIndex(context, list, count++, encoded(context, first), NULL);
  STACK_OF(X509) *sent = own ? NULL : SSL_get_peer_cert_chain(tls->ssl);
  X509_STORE *store = SSL_CTX_get_cert_store(SSL_get_SSL_CTX(tls->ssl));
  X509 *current = first, *held = NULL;
  for (int depth = 0; depth < 16 && X509_check_issued(current, current) != X509_V_OK; depth++) {
    X509 *issuer = NULL;
    for (int i = 0; i < sk_X509_num(sent) && issuer == NULL; i++)
      if (sk_X509_value(sent, i) != current && X509_check_issued(sk_X509_value(sent, i), current) == X509_V_OK)
        issuer = sk_X509_value(sent, i);
    X509 *found = NULL;
    if (issuer == NULL) {
      X509_STORE_CTX *search = X509_STORE_CTX_new();
      if (search != NULL && X509_STORE_CTX_init(search, store, NULL, NULL) == 1 &&
          X509_STORE_CTX_get1_issuer(&found, search, current) == 1)
        issuer = found;
      X509_STORE_CTX_free(search);
    }
    if (issuer == NULL || X509_cmp(issuer, current) == 0) {
      X509_free(found);
      break;
    }
    JSObjectSetPropertyAtIndex(context, list, count++, encoded(context, issuer), NULL);
    X509_free(held);
    held = found;
    current = issuer;
  }
  X509_free(held);
  if (!own)
    X509_free(first);
  ERR_clear_error();
  return list;
}

static JSValueRef protocol(JSContextRef context, struct js_frame *frame) {
  struct js_tls *tls = js_tls_of(context, frame, 0);
  return tls != NULL ? js_string(context, SSL_get_version(tls->ssl)) : js_undefined(context);
}

/* agreed(tls): the application's protocol, or false */
static JSValueRef agreed(JSContextRef context, struct js_frame *frame) {
  struct js_tls *tls = js_tls_of(context, frame, 0);
  const unsigned char *bytes = NULL;
  unsigned length = 0;
  if (tls != NULL)
    SSL_get0_alpn_selected(tls->ssl, &bytes, &length);
  return length > 0 ? js_text(context, (const char *)bytes, length) : js_boolean(context, false);
}

/* serverName(tls) -> the name of the server that the client sent, or false. A resumed session of TLS 1.2 has no
 * name. */
static JSValueRef server_name(JSContextRef context, struct js_frame *frame) {
  struct js_tls *tls = js_tls_of(context, frame, 0);
  bool told = tls != NULL && !(tls->server && SSL_session_reused(tls->ssl) && SSL_version(tls->ssl) < TLS1_3_VERSION);
  const char *name = told ? SSL_get_servername(tls->ssl, TLSEXT_NAMETYPE_host_name) : NULL;
  return name != NULL ? js_string(context, name) : js_boolean(context, false);
}

/* cipher(tls) -> [name, standard name, version] */
static JSValueRef cipher(JSContextRef context, struct js_frame *frame) {
  struct js_tls *tls = js_tls_of(context, frame, 0);
  const SSL_CIPHER *used = tls != NULL ? SSL_get_current_cipher(tls->ssl) : NULL;
  if (used == NULL)
    return js_undefined(context);
  JSValueRef values[] = {js_string(context, SSL_CIPHER_get_name(used)),
                         js_string(context, SSL_CIPHER_standard_name(used)),
                         js_string(context, SSL_CIPHER_get_version(used))};
  return js_array(context, 3, values);
}

/* ephemeral(tls) -> [type, name, bits] of the exchanged key */
static JSValueRef ephemeral(JSContextRef context, struct js_frame *frame) {
  struct js_tls *tls = js_tls_of(context, frame, 0);
  EVP_PKEY *key = NULL;
  if (tls == NULL || SSL_get_peer_tmp_key(tls->ssl, &key) != 1)
    return js_undefined(context);
  int kind = EVP_PKEY_get_id(key);
  char group[64] = "";
  size_t length;
  if (kind == EVP_PKEY_EC)
    EVP_PKEY_get_group_name(key, group, sizeof group, &length);
  JSValueRef values[] = {js_string(context, kind == EVP_PKEY_DH ? "DH" : "ECDH"),
                         js_string(context, group[0] != 0 ? group : OBJ_nid2sn(kind)),
                         js_number(context, EVP_PKEY_get_bits(key))};
  EVP_PKEY_free(key);
  return js_array(context, 3, values);
}

static JSValueRef reused(JSContextRef context, struct js_frame *frame) {
  struct js_tls *tls = js_tls_of(context, frame, 0);
  return js_boolean(context, tls != NULL && SSL_session_reused(tls->ssl) == 1);
}

/* session(tls) -> the session as bytes, or undefined */
static JSValueRef session(JSContextRef context, struct js_frame *frame) {
  struct js_tls *tls = js_tls_of(context, frame, 0);
  SSL_SESSION *current = tls != NULL ? SSL_get_session(tls->ssl) : NULL;
  int size = current != NULL ? i2d_SSL_SESSION(current, NULL) : 0;
  unsigned char *bytes = size > 0 ? malloc((size_t)size) : NULL;
  if (bytes == NULL)
    return js_undefined(context);
  unsigned char *at = bytes;
  i2d_SSL_SESSION(current, &at);
  return js_buffer_adopt(context, bytes, (size_t)size);
}

/* ticket(tls) -> the ticket in the session, or undefined */
static JSValueRef ticket(JSContextRef context, struct js_frame *frame) {
  struct js_tls *tls = js_tls_of(context, frame, 0);
  SSL_SESSION *current = tls != NULL ? SSL_get_session(tls->ssl) : NULL;
  const unsigned char *bytes = NULL;
  size_t length = 0;
  if (current != NULL)
    SSL_SESSION_get0_ticket(current, &bytes, &length);
  return bytes != NULL ? js_crypto_bytes(context, bytes, length) : js_undefined(context);
}

/* finished(tls, of the peer) -> the last message of a handshake */
static JSValueRef finished(JSContextRef context, struct js_frame *frame) {
  struct js_tls *tls = js_tls_of(context, frame, 0);
  unsigned char bytes[128];
  if (tls == NULL)
    return js_undefined(context);
  size_t length = js_to_boolean(context, js_arg(context, frame, 1))
                      ? SSL_get_peer_finished(tls->ssl, bytes, sizeof bytes)
                      : SSL_get_finished(tls->ssl, bytes, sizeof bytes);
  return length > 0 ? js_crypto_bytes(context, bytes, length) : js_undefined(context);
}

/* exportKeys(tls, length, label, context or undefined) */
static JSValueRef export_keys(JSContextRef context, struct js_frame *frame) {
  struct js_tls *tls = js_tls_of(context, frame, 0);
  size_t length = (size_t)js_to_integer(context, js_arg(context, frame, 1)), label_length, about_length = 0;
  char *label = js_to_text(context, js_arg(context, frame, 2), &label_length);
  unsigned char *about = NULL;
  bool has_about = js_borrow_bytes(context, js_arg(context, frame, 3), &about, &about_length);
  unsigned char *out = malloc(length + 1);
  ERR_clear_error();
  bool ok = tls != NULL && label != NULL && out != NULL &&
            SSL_export_keying_material(tls->ssl, out, length, label, label_length, about, about_length, has_about) == 1;
  free(label);
  if (!ok) {
    free(out);
    return js_crypto_throw(context, "no keying material");
  }
  return js_buffer_adopt(context, out, length);
}

static const char *signature_name(int kind) {
  switch (kind) {
  case EVP_PKEY_RSA:
    return "RSA";
  case EVP_PKEY_RSA_PSS:
    return "RSA-PSS";
  case EVP_PKEY_DSA:
    return "DSA";
  case EVP_PKEY_EC:
    return "ECDSA";
  case EVP_PKEY_ED25519:
    return "Ed25519";
  case EVP_PKEY_ED448:
    return "Ed448";
  default:
    return OBJ_nid2sn(kind);
  }
}

/* sharedSignatures(tls) -> the common signature algorithms of both sides, as key+digest, the preferred first */
static JSValueRef shared_signatures(JSContextRef context, struct js_frame *frame) {
  struct js_tls *tls = js_tls_of(context, frame, 0);
  JSObjectRef list = js_array(context, 0, NULL);
  int count = tls != NULL ? SSL_get_shared_sigalgs(tls->ssl, 0, NULL, NULL, NULL, NULL, NULL) : 0;
  for (int i = 0; i < count; i++) {
    int kind, digest;
    char name[128];
    SSL_get_shared_sigalgs(tls->ssl, i, &kind, &digest, NULL, NULL, NULL);
    snprintf(name, sizeof name, "%s+%s", signature_name(kind), OBJ_nid2sn(digest));
    JSObjectSetPropertyAtIndex(context, list, (unsigned)i, js_string(context, name), NULL);
  }
  return list;
}

/* setFragment(tls, size) -> whether the size is valid */
static JSValueRef set_fragment(JSContextRef context, struct js_frame *frame) {
  struct js_tls *tls = js_tls_of(context, frame, 0);
  long size = (long)js_to_integer(context, js_arg(context, frame, 1));
  return js_boolean(context, tls != NULL && SSL_set_max_send_fragment(tls->ssl, size) == 1);
}

const struct js_method js_tls_inspect_methods[] = {{"verdict", verdict, 1},
                                                   {"certificates", certificates, 2},
                                                   {"protocol", protocol, 1},
                                                   {"agreed", agreed, 1},
                                                   {"serverName", server_name, 1},
                                                   {"cipher", cipher, 1},
                                                   {"ephemeral", ephemeral, 1},
                                                   {"reused", reused, 1},
                                                   {"session", session, 1},
                                                   {"ticket", ticket, 1},
                                                   {"finished", finished, 2},
                                                   {"exportKeys", export_keys, 4},
                                                   {"sharedSignatures", shared_signatures, 1},
                                                   {"setFragment", set_fragment, 2},
                                                   {NULL, NULL, 0}};
