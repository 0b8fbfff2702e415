/* Secure contexts: certificates, keys, authorities and restrictions, shared by connections. */
#include "runtime/bind/tls/tls.h"

#include <openssl/dh.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>

enum { TICKET_KEYS = 80, TICKET_SHORT = 48 };

static _Thread_local X509_STORE *system_store; /* read once, for all contexts that add nothing to it */

static void release(void *pointer) {
  SSL_CTX_free(pointer);
}

SSL_CTX *js_tls_context_of(JSContextRef context, JSValueRef value) {
  return JSValueIsObject(context, value) ? js_crypto_pointer(context, value, release) : NULL;
}

static SSL_CTX *argument(JSContextRef context, struct js_frame *frame) {
  return js_tls_context_of(context, js_arg(context, frame, 0));
}

/* A valid ticket can be used again: a client that presents one gets no new one. */
static int on_ticket_made(SSL *ssl, void *data) {
  (void)ssl;
  (void)data;
  return 1;
}

static SSL_TICKET_RETURN on_ticket_read(SSL *ssl, SSL_SESSION *session, const unsigned char *name, size_t length,
                                        SSL_TICKET_STATUS status, void *data) {
  (void)ssl;
  (void)session;
  (void)name;
  (void)length;
  (void)data;
  bool good = status == SSL_TICKET_SUCCESS || status == SSL_TICKET_SUCCESS_RENEW;
  return good ? SSL_TICKET_RETURN_USE : SSL_TICKET_RETURN_IGNORE_RENEW;
}

/* contextCreate(lowest version, highest version) -> object. Versions as on the wire (0x0303); 0: any. */
static JSValueRef context_create(JSContextRef context, struct js_frame *frame) {
  ERR_clear_error();
  SSL_CTX *shared = SSL_CTX_new(TLS_method());
  if (shared == NULL)
    return js_crypto_throw(context, "out of memory");
  SSL_CTX_set_min_proto_version(shared, (int)js_to_integer(context, js_arg(context, frame, 0)));
  SSL_CTX_set_max_proto_version(shared, (int)js_to_integer(context, js_arg(context, frame, 1)));
  /* Sessions go through JavaScript; OpenSSL keeps none. */
  SSL_CTX_set_session_cache_mode(shared, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_SERVER | SSL_SESS_CACHE_NO_INTERNAL |
                                             SSL_SESS_CACHE_NO_AUTO_CLEAR);
  SSL_CTX_set_client_hello_cb(shared, js_tls_on_hello, NULL);
  SSL_CTX_set_cert_cb(shared, js_tls_on_name, NULL);
  SSL_CTX_set_alpn_select_cb(shared, js_tls_on_protocols, NULL);
  SSL_CTX_set_tlsext_status_cb(shared, js_tls_on_staple);
  SSL_CTX_set_session_ticket_cb(shared, on_ticket_made, on_ticket_read, NULL);
  SSL_CTX_sess_set_new_cb(shared, js_tls_on_session);
  SSL_CTX_sess_set_get_cb(shared, js_tls_on_lookup);
  SSL_CTX_set_keylog_callback(shared, js_tls_on_key);
  SSL_CTX_clear_mode(shared, SSL_MODE_NO_AUTO_CHAIN);
  SSL_CTX_set_options(shared, SSL_OP_NO_SSLv2 | SSL_OP_NO_SSLv3 | SSL_OP_ALLOW_CLIENT_RENEGOTIATION);
  SSL_CTX_set_tlsext_servername_callback(shared, js_tls_on_server_name);
  SSL_CTX_set_info_callback(shared, js_tls_on_info);
  return js_crypto_object(context, shared, release);
}

static JSValueRef outcome(JSContextRef context, bool ok, const char *otherwise) {
  if (!ok)
    return js_crypto_throw(context, otherwise);
  ERR_clear_error();
  return js_undefined(context);
}

/* The bytes of an argument as a source; they must outlive it. */
static BIO *source_of(JSContextRef context, struct js_frame *frame, int index, unsigned char **copy) {
  size_t length;
  *copy = js_crypto_copy(context, js_arg(context, frame, index), &length);
  return *copy != NULL ? BIO_new_mem_buf(*copy, (int)length) : NULL;
}

static int no_password(char *buffer, int size, int writing, void *data) {
  (void)writing;
  const char *password = data;
  if (password == NULL)
    return 0;
  int length = (int)strlen(password);
  if (length > size)
    return -1;
  memcpy(buffer, password, (size_t)length);
  return length;
}

/* contextCertificate(context, PEM): one certificate, and the chain to an authority */
static JSValueRef add_certificate(JSContextRef context, struct js_frame *frame) {
  SSL_CTX *shared = argument(context, frame);
  unsigned char *copy;
  BIO *source = source_of(context, frame, 1, &copy);
  ERR_clear_error();
  X509 *certificate = source != NULL ? PEM_read_bio_X509_AUX(source, NULL, no_password, NULL) : NULL;
  bool ok = shared != NULL && certificate != NULL && SSL_CTX_use_certificate(shared, certificate) == 1;
  X509_free(certificate);
  if (ok)
    SSL_CTX_clear_chain_certs(shared);
  while (ok) {
    certificate = PEM_read_bio_X509(source, NULL, no_password, NULL);
    if (certificate == NULL)
      break;
    ok = SSL_CTX_add0_chain_cert(shared, certificate) == 1;
    if (!ok)
      X509_free(certificate);
  }
  if (ok)
    ERR_clear_error(); /* the end of the text is an error to the reader */
  BIO_free(source);
  free(copy);
  return outcome(context, ok, "no certificate");
}

/* contextKey(context, PEM, password or undefined) */
static JSValueRef add_key(JSContextRef context, struct js_frame *frame) {
  SSL_CTX *shared = argument(context, frame);
  unsigned char *copy;
  BIO *source = source_of(context, frame, 1, &copy);
  size_t length;
  char *password = (char *)js_crypto_copy(context, js_arg(context, frame, 2), &length);
  ERR_clear_error();
  EVP_PKEY *key = source != NULL ? PEM_read_bio_PrivateKey(source, NULL, no_password, password) : NULL;
  bool ok = shared != NULL && key != NULL && SSL_CTX_use_PrivateKey(shared, key) == 1;
  EVP_PKEY_free(key);
  BIO_free(source);
  free(copy);
  free(password);
  return outcome(context, ok, "no key");
}

static void add_all(JSContextRef context, struct js_frame *frame, int index, X509_STORE *store) {
  unsigned char *copy;
  BIO *source = source_of(context, frame, index, &copy);
  X509 *certificate;
  while (source != NULL && (certificate = PEM_read_bio_X509_AUX(source, NULL, no_password, NULL)) != NULL) {
    X509_STORE_add_cert(store, certificate);
    X509_free(certificate);
  }
  BIO_free(source);
  free(copy);
  ERR_clear_error();
}

/* contextAuthorities(context, PEM[, PEM of further authorities for a context that trusts the system]): trusted
 * certificates */
static JSValueRef add_authorities(JSContextRef context, struct js_frame *frame) {
  SSL_CTX *shared = argument(context, frame);
  unsigned char *copy;
  BIO *source = source_of(context, frame, 1, &copy);
  X509 *certificate;
  int count = 0;
  if (shared != NULL && SSL_CTX_get_cert_store(shared) == system_store) {
    X509_STORE *own = X509_STORE_new();
    if (own != NULL) {
      X509_STORE_set_default_paths(own);
      add_all(context, frame, 2, own);
      SSL_CTX_set_cert_store(shared, own);
    }
  }
  while (shared != NULL && source != NULL && (certificate = PEM_read_bio_X509_AUX(source, NULL, no_password, NULL))) {
    X509_STORE_add_cert(SSL_CTX_get_cert_store(shared), certificate);
    SSL_CTX_add_client_CA(shared, certificate);
    X509_free(certificate);
    count++;
  }
  BIO_free(source);
  free(copy);
  ERR_clear_error();
  return js_number(context, count);
}

/* contextSystemAuthorities(context, alone, PEM of others or undefined): the system's trusted certificates, and others.
 * They are read once for all contexts, except for one that will add to them. */
static JSValueRef add_system_authorities(JSContextRef context, struct js_frame *frame) {
  SSL_CTX *shared = argument(context, frame);
  if (shared == NULL)
    return js_undefined(context);
  if (js_to_boolean(context, js_arg(context, frame, 1))) {
    SSL_CTX_set_default_verify_paths(shared);
    add_all(context, frame, 2, SSL_CTX_get_cert_store(shared));
  } else {
    if (system_store == NULL && (system_store = X509_STORE_new()) != NULL) {
      X509_STORE_set_default_paths(system_store);
      add_all(context, frame, 2, system_store);
    }
    if (system_store != NULL)
      SSL_CTX_set1_cert_store(shared, system_store);
  }
  ERR_clear_error();
  return js_undefined(context);
}

/* contextPartialChains(context): an authority need not be a root */
static JSValueRef allow_partial_chains(JSContextRef context, struct js_frame *frame) {
  SSL_CTX *shared = argument(context, frame);
  if (shared != NULL)
    X509_STORE_set_flags(SSL_CTX_get_cert_store(shared), X509_V_FLAG_PARTIAL_CHAIN);
  return js_undefined(context);
}

/* contextRevoked(context, PEM): a revocation list */
static JSValueRef add_revoked(JSContextRef context, struct js_frame *frame) {
  SSL_CTX *shared = argument(context, frame);
  unsigned char *copy;
  BIO *source = source_of(context, frame, 1, &copy);
  X509_CRL *list = source != NULL ? PEM_read_bio_X509_CRL(source, NULL, no_password, NULL) : NULL;
  bool ok = shared != NULL && list != NULL;
  if (ok) {
    X509_STORE *store = SSL_CTX_get_cert_store(shared);
    ok = X509_STORE_add_crl(store, list) == 1;
    X509_STORE_set_flags(store, X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL);
  }
  X509_CRL_free(list);
  BIO_free(source);
  free(copy);
  return outcome(context, ok, "Failed to parse CRL");
}

/* contextPackage(context, PKCS#12 bytes, password or undefined) */
static JSValueRef add_package(JSContextRef context, struct js_frame *frame) {
  SSL_CTX *shared = argument(context, frame);
  unsigned char *copy;
  BIO *source = source_of(context, frame, 1, &copy);
  size_t length;
  char *password = (char *)js_crypto_copy(context, js_arg(context, frame, 2), &length);
  PKCS12 *package = NULL;
  EVP_PKEY *key = NULL;
  X509 *certificate = NULL;
  STACK_OF(X509) *others = NULL;
  ERR_clear_error();
  const char *otherwise = "Unable to load PFX certificate";
  bool parsed = shared != NULL && source != NULL && d2i_PKCS12_bio(source, &package) != NULL &&
                PKCS12_parse(package, password, &key, &certificate, &others) == 1;
  if (package == NULL)
    otherwise = "not enough data";
  if (parsed || package == NULL)
    ERR_clear_error();
  if (parsed && key == NULL)
    otherwise = "Unable to load private key from PFX data";
  bool ok = parsed && certificate != NULL && key != NULL && SSL_CTX_use_certificate(shared, certificate) == 1 &&
            SSL_CTX_use_PrivateKey(shared, key) == 1;
  for (int i = 0; ok && i < sk_X509_num(others); i++) {
    X509 *other = sk_X509_value(others, i);
    X509_STORE_add_cert(SSL_CTX_get_cert_store(shared), other);
    SSL_CTX_add1_chain_cert(shared, other);
    SSL_CTX_add_client_CA(shared, other);
  }
  sk_X509_pop_free(others, X509_free);
  X509_free(certificate);
  EVP_PKEY_free(key);
  PKCS12_free(package);
  BIO_free(source);
  free(copy);
  free(password);
  return outcome(context, ok, otherwise);
}

/* contextText(context, one of context_text, text) */
static JSValueRef set_text(JSContextRef context, struct js_frame *frame) {
  SSL_CTX *shared = argument(context, frame);
  size_t length;
  char *text = js_to_text(context, js_arg(context, frame, 2), &length);
  bool ok = false;
  ERR_clear_error();
  if (shared != NULL && text != NULL) {
    switch ((int)js_to_integer(context, js_arg(context, frame, 1))) {
    case JS_CONTEXT_TEXT_CIPHERS:
      ok = SSL_CTX_set_cipher_list(shared, text) == 1;
      break;
    case JS_CONTEXT_TEXT_SUITES:
      ok = SSL_CTX_set_ciphersuites(shared, text) == 1;
      break;
    case JS_CONTEXT_TEXT_CURVES:
      ok = SSL_CTX_set1_groups_list(shared, text) == 1;
      break;
    case JS_CONTEXT_TEXT_SIGNATURES:
      ok = SSL_CTX_set1_sigalgs_list(shared, text) == 1;
      break;
    default:
      ok = SSL_CTX_set_session_id_context(shared, (unsigned char *)text, (unsigned)length) == 1;
    }
  }
  free(text);
  return outcome(context, ok, "refused");
}

/* contextNumber(context, one of context_number, number) */
static JSValueRef set_number(JSContextRef context, struct js_frame *frame) {
  SSL_CTX *shared = argument(context, frame);
  int64_t value = js_to_integer(context, js_arg(context, frame, 2));
  if (shared != NULL && js_to_integer(context, js_arg(context, frame, 1)) == JS_CONTEXT_NUMBER_OPTIONS)
    SSL_CTX_set_options(shared, (uint64_t)value);
  else if (shared != NULL)
    SSL_CTX_set_timeout(shared, (long)value);
  return js_undefined(context);
}

/* contextExchange(context, PEM or "auto"): the Diffie-Hellman parameters */
static JSValueRef set_exchange(JSContextRef context, struct js_frame *frame) {
  SSL_CTX *shared = argument(context, frame);
  unsigned char *copy;
  BIO *source = source_of(context, frame, 1, &copy);
  if (shared == NULL || source == NULL) {
    free(copy);
    return js_throw_text(context, "no parameters");
  }
  ERR_clear_error();
  int bits = 0;
  bool ok = true;
  if (strcmp((char *)copy, "auto") == 0) {
    SSL_CTX_set_dh_auto(shared, 1);
  } else {
    EVP_PKEY *parameters = PEM_read_bio_Parameters(source, NULL);
    ok = parameters != NULL;
    bits = ok && EVP_PKEY_get_id(parameters) == EVP_PKEY_DH ? EVP_PKEY_get_bits(parameters) : 0;
    if (ok && bits >= 1024 && SSL_CTX_set0_tmp_dh_pkey(shared, parameters) == 1)
      parameters = NULL;
    EVP_PKEY_free(parameters);
  }
  BIO_free(source);
  free(copy);
  return ok ? js_number(context, bits) : js_crypto_throw(context, "no parameters");
}

/* contextTickets(context[, 48 bytes]) -> the keys of session tickets. OpenSSL needs 80 bytes: the rest is derived from
 * the given ones. */
static JSValueRef tickets(JSContextRef context, struct js_frame *frame) {
  SSL_CTX *shared = argument(context, frame);
  unsigned char *bytes, keys[TICKET_KEYS];
  size_t length;
  if (shared == NULL)
    return js_undefined(context);
  if (js_borrow_bytes(context, js_arg(context, frame, 1), &bytes, &length) && length == TICKET_SHORT) {
    unsigned char seed[33];
    memcpy(keys, bytes, 16);
    memcpy(seed + 1, bytes + 16, 32);
    seed[0] = 1;
    EVP_Digest(seed, sizeof seed, keys + 16, NULL, EVP_sha256(), NULL);
    seed[0] = 2;
    EVP_Digest(seed, sizeof seed, keys + 48, NULL, EVP_sha256(), NULL);
    SSL_CTX_set_tlsext_ticket_keys(shared, keys, sizeof keys);
    return js_undefined(context);
  }
  if (SSL_CTX_get_tlsext_ticket_keys(shared, keys, sizeof keys) != 1)
    return js_undefined(context);
  return js_crypto_bytes(context, keys, TICKET_SHORT);
}

static JSValueRef encoded(JSContextRef context, X509 *certificate) {
  unsigned char *bytes = NULL;
  int length = certificate != NULL ? i2d_X509(certificate, &bytes) : 0;
  JSValueRef value = length > 0 ? js_crypto_bytes(context, bytes, (size_t)length) : js_undefined(context);
  OPENSSL_free(bytes);
  return value;
}

/* contextOwn(context) -> [own certificate, its issuer's] in DER, as far as known */
static JSValueRef own_certificate(JSContextRef context, struct js_frame *frame) {
  SSL_CTX *shared = argument(context, frame);
  X509 *certificate = shared != NULL ? SSL_CTX_get0_certificate(shared) : NULL, *issuer = NULL, *found = NULL;
  STACK_OF(X509) *chain = NULL;
  if (certificate != NULL)
    SSL_CTX_get0_chain_certs(shared, &chain);
  for (int i = 0; i < sk_X509_num(chain) && issuer == NULL; i++)
    if (X509_check_issued(sk_X509_value(chain, i), certificate) == X509_V_OK)
      issuer = sk_X509_value(chain, i);
  X509_STORE_CTX *search = certificate != NULL && issuer == NULL ? X509_STORE_CTX_new() : NULL;
  if (search != NULL && X509_STORE_CTX_init(search, SSL_CTX_get_cert_store(shared), NULL, NULL) == 1 &&
      X509_STORE_CTX_get1_issuer(&found, search, certificate) == 1)
    issuer = found;
  X509_STORE_CTX_free(search);
  JSValueRef values[] = {encoded(context, certificate), encoded(context, issuer)};
  X509_free(found);
  ERR_clear_error();
  return js_array(context, 2, values);
}

/* isContext(value) */
static JSValueRef is_context(JSContextRef context, struct js_frame *frame) {
  return js_boolean(context, argument(context, frame) != NULL);
}

/* ciphers() -> the names of all that can be used */
static JSValueRef ciphers(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  SSL_CTX *shared = SSL_CTX_new(TLS_method());
  SSL *ssl = shared != NULL ? SSL_new(shared) : NULL;
  JSObjectRef list = js_array(context, 0, NULL);
  STACK_OF(SSL_CIPHER) *known = ssl != NULL ? SSL_get_ciphers(ssl) : NULL;
  for (int i = 0; i < sk_SSL_CIPHER_num(known); i++)
    JSObjectSetPropertyAtIndex(context, list, (unsigned)i,
                               js_string(context, SSL_CIPHER_get_name(sk_SSL_CIPHER_value(known, i))), NULL);
  SSL_free(ssl);
  SSL_CTX_free(shared);
  return list;
}

const struct js_method js_tls_context_methods[] = {{"contextCreate", context_create, 2},
                                                   {"contextCertificate", add_certificate, 2},
                                                   {"contextKey", add_key, 3},
                                                   {"contextAuthorities", add_authorities, 2},
                                                   {"contextSystemAuthorities", add_system_authorities, 3},
                                                   {"contextRevoked", add_revoked, 2},
                                                   {"contextPartialChains", allow_partial_chains, 1},
                                                   {"contextPackage", add_package, 3},
                                                   {"contextText", set_text, 3},
                                                   {"contextNumber", set_number, 3},
                                                   {"contextExchange", set_exchange, 2},
                                                   {"contextTickets", tickets, 2},
                                                   {"contextOwn", own_certificate, 1},
                                                   {"isContext", is_context, 1},
                                                   {"ciphers", ciphers, 0},
                                                   {NULL, NULL, 0}};
