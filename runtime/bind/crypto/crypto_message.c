/* Whole messages in one call, for the Web Cryptography API: digests, authentication codes and ciphers, in the pool.
 *
 * A job owns copies of its input: the program may change its bytes as soon as the call has returned. */
#include "runtime/bind/crypto/crypto.h"

#include <openssl/hmac.h>
#include <stdlib.h>
#include <string.h>

struct message_job {
  struct js_job job;
  EVP_MD *digest;
  EVP_CIPHER *cipher;
  unsigned char *key, *iv, *data, *extra, *out;
  size_t key_length, iv_length, data_length, extra_length, out_length;
  size_t tag_length;
  unsigned counter_bits;
  bool encrypts, own_length;
};

static void release(struct js_job *job) {
  struct message_job *message = (struct message_job *)job;
  EVP_MD_free(message->digest);
  EVP_CIPHER_free(message->cipher);
  OPENSSL_clear_free(message->key, message->key_length);
  free(message->iv);
  free(message->data);
  free(message->extra);
  free(message->out);
  free(message);
}

static JSValueRef finish(JSContextRef context, struct js_job *job) {
  struct message_job *message = (struct message_job *)job;
  unsigned char *out = message->out;
  message->out = NULL;
  return js_buffer_adopt(context, out, message->out_length);
}

static struct message_job *new_job(void (*run)(struct js_job *), const char *otherwise) {
  struct message_job *message = calloc(1, sizeof *message);
  if (message == NULL)
    return NULL;
  message->job.run = run;
  message->job.what = "digest";
  message->job.finish = finish;
  message->job.release = release;
  message->job.otherwise = otherwise;
  return message;
}

/* Secrets are wiped when the job is released. */
static unsigned char *copy_key(JSContextRef context, JSValueRef value, size_t *length) {
  unsigned char *bytes;
  *length = 0;
  if (!js_borrow_bytes(context, value, &bytes, length))
    return NULL;
  unsigned char *copy = OPENSSL_malloc(*length + 1);
  if (copy != NULL && *length > 0)
    memcpy(copy, bytes, *length);
  return copy;
}

/* ---------------------------------------------------------------- digests */

static void run_digest(struct js_job *job) {
  struct message_job *message = (struct message_job *)job;
  EVP_MD_CTX *hash = EVP_MD_CTX_new();
  int ok = hash != NULL && EVP_DigestInit_ex(hash, message->digest, NULL) == 1 &&
           EVP_DigestUpdate(hash, message->data, message->data_length) == 1;
  if (!message->own_length)
    message->out_length = js_crypto_digest_size(message->digest);
  message->out = ok ? malloc(message->out_length + 1) : NULL;
  unsigned written = 0;
  job->ok = ok && message->out != NULL &&
            (!message->own_length && !js_crypto_is_extendable(message->digest)
                 ? EVP_DigestFinal_ex(hash, message->out, &written) == 1
             : message->out_length > 0 ? EVP_DigestFinalXOF(hash, message->out, message->out_length) == 1
                                       : true);
  EVP_MD_CTX_free(hash);
}

static bool join(JSContextRef context, JSObjectRef list, unsigned count, struct message_job *message) {
  unsigned char *bytes;
  size_t length, total = 0;
  for (unsigned i = 0; i < count; i++) {
    if (!js_borrow_bytes(context, JSObjectGetPropertyAtIndex(context, list, i, NULL), &bytes, &length))
      return false;
    total += length;
  }
  message->data = malloc(total + 1);
  if (message->data == NULL)
    return false;
  /* Shared memory may have grown meanwhile. */
  for (unsigned i = 0; i < count; i++) {
    size_t room = total - message->data_length;
    if (!js_borrow_bytes(context, JSObjectGetPropertyAtIndex(context, list, i, NULL), &bytes, &length))
      return false;
    length = length < room ? length : room;
    memcpy(message->data + message->data_length, bytes, length);
    message->data_length += length;
  }
  return true;
}

static EVP_MD *fetch_digest(JSContextRef context, JSValueRef value) {
  char *name = js_to_text(context, value, NULL);
  EVP_MD *digest = name != NULL ? EVP_MD_fetch(NULL, name, NULL) : NULL;
  free(name);
  return digest;
}

/* messageDigest(id, name, list of bytes, its length, length of an extendable one or undefined) -> bytes */
static JSValueRef message_digest(JSContextRef context, struct js_frame *frame) {
  struct message_job *message = new_job(run_digest, "Digest job failed");
  if (message == NULL)
    return js_throw_text(context, "out of memory");
  message->digest = fetch_digest(context, js_arg(context, frame, 1));
  unsigned count = (unsigned)js_to_integer(context, js_arg(context, frame, 3));
  if (message->digest == NULL || !join(context, (JSObjectRef)js_arg(context, frame, 2), count, message)) {
    release(&message->job);
    return js_crypto_throw(context, "Digest method not supported");
  }
  message->own_length = JSValueIsNumber(context, js_arg(context, frame, 4));
  if (message->own_length)
    message->out_length = (size_t)js_to_number(context, js_arg(context, frame, 4));
  return js_job_start(context, &message->job, js_arg(context, frame, 0));
}

static void run_hmac(struct js_job *job) {
  struct message_job *message = (struct message_job *)job;
  unsigned length = 0;
  message->out = malloc(EVP_MAX_MD_SIZE);
  job->ok = message->out != NULL && HMAC(message->digest, message->key, (int)message->key_length, message->data,
                                         message->data_length, message->out, &length) != NULL;
  message->out_length = length;
}

/* messageHmac(id, digest, key, data) -> bytes */
static JSValueRef message_hmac(JSContextRef context, struct js_frame *frame) {
  struct message_job *message = new_job(run_hmac, "HMAC job failed");
  if (message == NULL)
    return js_throw_text(context, "out of memory");
  message->digest = fetch_digest(context, js_arg(context, frame, 1));
  message->key = copy_key(context, js_arg(context, frame, 2), &message->key_length);
  message->data = js_crypto_copy(context, js_arg(context, frame, 3), &message->data_length);
  if (message->digest == NULL || message->key == NULL || message->data == NULL) {
    release(&message->job);
    return js_crypto_throw(context, "Digest method not supported");
  }
  return js_job_start(context, &message->job, js_arg(context, frame, 0));
}

/* ---------------------------------------------------------------- ciphers */

/* One run of a cipher over `length` bytes at `in`; the output is appended. */
static bool encipher(struct message_job *message, const unsigned char *iv, const unsigned char *in, size_t length) {
  EVP_CIPHER_CTX *state = EVP_CIPHER_CTX_new();
  int encrypts = message->encrypts, written = 0, mode = EVP_CIPHER_get_mode(message->cipher);
  if (state == NULL)
    return false;
  if (mode == EVP_CIPH_WRAP_MODE)
    EVP_CIPHER_CTX_set_flags(state, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
  size_t tag = message->tag_length;
  int ok = EVP_CipherInit_ex(state, message->cipher, NULL, NULL, NULL, encrypts) == 1;
  if (ok && tag > 0) {
    ok = EVP_CIPHER_CTX_ctrl(state, EVP_CTRL_AEAD_SET_IVLEN, (int)message->iv_length, NULL) == 1;
    if (ok && mode == EVP_CIPH_OCB_MODE)
      ok = EVP_CIPHER_CTX_ctrl(state, EVP_CTRL_AEAD_SET_TAG, (int)tag, NULL) == 1;
    if (ok && !encrypts) {
      ok = length >= tag;
      length -= ok ? tag : 0;
      ok = ok && EVP_CIPHER_CTX_ctrl(state, EVP_CTRL_AEAD_SET_TAG, (int)tag, (void *)(in + length)) == 1;
    }
  }
  ok = ok && EVP_CipherInit_ex(state, NULL, NULL, message->key, iv, encrypts) == 1;
  if (ok && message->extra_length > 0)
    ok = EVP_CipherUpdate(state, NULL, &written, message->extra, (int)message->extra_length) == 1;
  unsigned char *at = message->out + message->out_length;
  written = 0;
  if (ok && (length > 0 || mode == EVP_CIPH_WRAP_MODE)) {
    ok = EVP_CipherUpdate(state, at, &written, in, (int)length) == 1;
    at += ok ? written : 0;
  }
  if (ok) {
    ok = EVP_CipherFinal_ex(state, at, &written) == 1;
    at += ok ? written : 0;
  }
  if (ok && encrypts && tag > 0) {
    ok = EVP_CIPHER_CTX_ctrl(state, EVP_CTRL_AEAD_GET_TAG, (int)tag, at) == 1;
    at += tag;
  }
  message->out_length = (size_t)(at - message->out);
  EVP_CIPHER_CTX_free(state);
  return ok;
}

/* How many blocks may follow until the lowest bits of the counter are zero again, and the counter with these bits zero.
 * 0 means more than any message has. */
static uint64_t blocks_until_wrap(const unsigned char *counter, unsigned bits, unsigned char *wrapped) {
  memcpy(wrapped, counter, 16);
  uint64_t low = 0;
  bool is_far = false;
  for (unsigned i = 0; i < bits; i++) {
    unsigned byte = 15 - i / 8;
    bool is_set = (counter[byte] >> (i % 8)) & 1;
    wrapped[byte] &= (unsigned char)~(1u << (i % 8));
    if (i < 63)
      low |= (uint64_t)is_set << i;
    else
      is_far = is_far || !is_set;
  }
  return is_far ? 0 : ((uint64_t)1 << (bits < 63 ? bits : 63)) - low;
}

static void run_cipher(struct js_job *job) {
  struct message_job *message = (struct message_job *)job;
  message->out = malloc(message->data_length + 64);
  if (message->out == NULL)
    return;
  unsigned char wrapped[16];
  uint64_t blocks = (message->data_length + 15) / 16, left = 0;
  if (message->counter_bits > 0 && message->counter_bits < 128)
    left = blocks_until_wrap(message->iv, message->counter_bits, wrapped);
  /* A counter value must not repeat. */
  if (message->counter_bits > 0 && message->counter_bits < 63 && blocks > (uint64_t)1 << message->counter_bits)
    return;
  if (left == 0 || blocks <= left) {
    job->ok = encipher(message, message->iv, message->data, message->data_length);
    return;
  }
  size_t first = (size_t)left * 16;
  job->ok = encipher(message, message->iv, message->data, first) &&
            encipher(message, wrapped, message->data + first, message->data_length - first);
}

/* messageCipher(id, encrypts, cipher, key, iv, data, additional data, tag length in bytes, bits of the counter) ->
 * bytes
 */
static JSValueRef message_cipher(JSContextRef context, struct js_frame *frame) {
  struct message_job *message = new_job(run_cipher, "Cipher job failed");
  if (message == NULL)
    return js_throw_text(context, "out of memory");
  message->encrypts = js_to_boolean(context, js_arg(context, frame, 1));
  char *name = js_to_text(context, js_arg(context, frame, 2), NULL);
  message->cipher = name != NULL ? EVP_CIPHER_fetch(NULL, name, NULL) : NULL;
  free(name);
  message->key = copy_key(context, js_arg(context, frame, 3), &message->key_length);
  message->iv = js_crypto_copy(context, js_arg(context, frame, 4), &message->iv_length);
  message->data = js_crypto_copy(context, js_arg(context, frame, 5), &message->data_length);
  message->extra = js_crypto_copy(context, js_arg(context, frame, 6), &message->extra_length);
  message->tag_length = (size_t)js_to_integer(context, js_arg(context, frame, 7));
  message->counter_bits = (unsigned)js_to_integer(context, js_arg(context, frame, 8));
  if (message->cipher == NULL || message->key == NULL || message->data == NULL || message->data_length > 0x7FFFFF00 ||
      (message->counter_bits > 0 && message->iv_length != 16)) {
    release(&message->job);
    return js_crypto_throw(context, "Cipher job failed");
  }
  return js_job_start(context, &message->job, js_arg(context, frame, 0));
}

const struct js_method js_crypto_message_methods[] = {
    {"messageDigest", message_digest, 5},
    {"messageHmac", message_hmac, 4},
    {"messageCipher", message_cipher, 9},
    {NULL, NULL, 0},
};
