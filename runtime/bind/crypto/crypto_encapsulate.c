/* Encapsulated secrets (KEM), and signed public keys (SPKAC). */
#include "runtime/bind/crypto/crypto.h"

#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <stdlib.h>
#include <string.h>

struct envelope_job {
  struct js_job job;
  EVP_PKEY *key;
  bool opens;
  unsigned char *envelope, *secret;
  size_t envelope_length, secret_length;
};

static void run(struct js_job *job) {
  struct envelope_job *own = (struct envelope_job *)job;
  EVP_PKEY_CTX *options = EVP_PKEY_CTX_new(own->key, NULL);
  int ok = options != NULL &&
           (own->opens ? EVP_PKEY_decapsulate_init(options, NULL) : EVP_PKEY_encapsulate_init(options, NULL)) > 0 &&
           (EVP_PKEY_get_base_id(own->key) != EVP_PKEY_RSA || EVP_PKEY_CTX_set_kem_op(options, "RSASVE") > 0);
  ok = ok && (own->opens ? EVP_PKEY_decapsulate(options, NULL, &own->secret_length, own->envelope, own->envelope_length)
                         : EVP_PKEY_encapsulate(options, NULL, &own->envelope_length, NULL, &own->secret_length)) > 0;
  own->secret = ok ? malloc(own->secret_length + 1) : NULL;
  if (ok && !own->opens)
    own->envelope = malloc(own->envelope_length + 1);
  job->ok =
      ok && own->secret != NULL && own->envelope != NULL &&
      (own->opens
           ? EVP_PKEY_decapsulate(options, own->secret, &own->secret_length, own->envelope, own->envelope_length)
           : EVP_PKEY_encapsulate(options, own->envelope, &own->envelope_length, own->secret, &own->secret_length)) > 0;
  EVP_PKEY_CTX_free(options);
  ERR_clear_error();
}

static JSValueRef finish(JSContextRef context, struct js_job *job) {
  struct envelope_job *own = (struct envelope_job *)job;
  JSValueRef pair[] = {js_crypto_bytes(context, own->secret, own->secret_length),
                       js_crypto_bytes(context, own->envelope, own->envelope_length)};
  return js_array(context, 2, pair);
}

static void release(struct js_job *job) {
  struct envelope_job *own = (struct envelope_job *)job;
  EVP_PKEY_free(own->key);
  free(own->envelope);
  if (own->secret != NULL)
    OPENSSL_cleanse(own->secret, own->secret_length);
  free(own->secret);
  free(own);
}

/* encapsulate(id, key[, envelope: then it is opened]) -> [secret, envelope] */
static JSValueRef encapsulate(JSContextRef context, struct js_frame *frame) {
  EVP_PKEY *key = js_crypto_pointer(context, js_arg(context, frame, 1), js_crypto_release_key);
  struct envelope_job *own = key != NULL ? calloc(1, sizeof *own) : NULL;
  if (own == NULL)
    return js_throw_text(context, "not a key");
  EVP_PKEY_up_ref(key);
  own->key = key;
  own->opens = js_argc(frame) > 2;
  if (own->opens)
    own->envelope = js_crypto_copy(context, js_arg(context, frame, 2), &own->envelope_length);
  own->job.otherwise = own->opens ? "Decapsulation failed" : "Encapsulation failed";
  own->job.run = run;
  own->job.what = "encapsulate";
  own->job.finish = finish;
  own->job.release = release;
  return js_job_start(context, &own->job, js_arg(context, frame, 0));
}

/* spkac(bytes of text, 0 verify | 1 public key | 2 challenge) -> whether it is valid, or bytes, or undefined */
static JSValueRef read_spkac(JSContextRef context, struct js_frame *frame) {
  unsigned char *text;
  size_t length;
  int wanted = (int)js_to_integer(context, js_arg(context, frame, 1));
  if (!js_borrow_bytes(context, js_arg(context, frame, 0), &text, &length))
    return js_undefined(context);
  /* Line ends are not part of it. */
  while (length > 0 && strchr("\r\n\t ", text[length - 1]) != NULL)
    length--;
  NETSCAPE_SPKI *spki = NETSCAPE_SPKI_b64_decode((char *)text, (int)length);
  EVP_PKEY *key = spki != NULL ? X509_PUBKEY_get(spki->spkac->pubkey) : NULL;
  JSValueRef result = wanted == 0 ? js_boolean(context, false) : js_undefined(context);
  if (wanted == 0 && key != NULL) {
    result = js_boolean(context, NETSCAPE_SPKI_verify(spki, key) > 0);
  } else if (wanted == 1 && key != NULL) {
    BIO *out = BIO_new(BIO_s_mem());
    char *bytes;
    if (out != NULL && PEM_write_bio_PUBKEY(out, key) == 1) {
      long size = BIO_get_mem_data(out, &bytes);
      result = js_crypto_bytes(context, bytes, (size_t)size);
    }
    BIO_free(out);
  } else if (wanted == 2 && spki != NULL) {
    unsigned char *bytes = NULL;
    int size = ASN1_STRING_to_UTF8(&bytes, spki->spkac->challenge);
    if (size >= 0)
      result = js_crypto_bytes(context, bytes, (size_t)size);
    OPENSSL_free(bytes);
  }
  EVP_PKEY_free(key);
  NETSCAPE_SPKI_free(spki);
  ERR_clear_error();
  return result;
}

const struct js_method js_crypto_encapsulate_methods[] = {
    {"encapsulate", encapsulate, 3}, {"spkac", read_spkac, 2}, {NULL, NULL, 0}};
