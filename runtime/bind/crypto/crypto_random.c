/* Random bytes, primes, and keys derived from secrets: all of these may run in the pool. */
#include "runtime/bind/crypto/crypto.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <stdlib.h>
#include <string.h>

struct fill_job {
  struct js_job job;
  unsigned char *bytes;
  size_t length;
};

static void free_job(struct js_job *job) {
  free(job);
}

static void run_fill(struct js_job *job) {
  struct fill_job *fill = (struct fill_job *)job;
  job->ok = true;
  for (size_t at = 0; at < fill->length && job->ok;) {
    size_t part = fill->length - at < 0x40000000 ? fill->length - at : 0x40000000;
    job->ok = RAND_bytes(fill->bytes + at, (int)part) == 1;
    at += part;
  }
}

static JSValueRef finish_nothing(JSContextRef context, struct js_job *job) {
  (void)job;
  return js_undefined(context);
}

/* randomFill(id, bytes, offset, size) */
static JSValueRef random_fill(JSContextRef context, struct js_frame *frame) {
  JSValueRef target = js_arg(context, frame, 1);
  unsigned char *bytes;
  size_t length;
  double offset = js_to_number(context, js_arg(context, frame, 2)),
         size = js_to_number(context, js_arg(context, frame, 3));
  bool sync = js_to_number(context, js_arg(context, frame, 0)) < 0;
  if (!(sync ? js_borrow_bytes(context, target, &bytes, &length) : js_pin_bytes(context, target, &bytes, &length)) ||
      offset < 0 || size < 0 || offset + size > (double)length)
    return js_throw_text(context, "not a buffer of that size");
  struct fill_job *fill = calloc(1, sizeof *fill);
  if (fill == NULL)
    return js_throw_text(context, "out of memory");
  fill->bytes = bytes + (size_t)offset;
  fill->length = (size_t)size;
  fill->job.kept = target;
  fill->job.otherwise = "no random bytes";
  fill->job.run = run_fill;
  fill->job.what = "randomFill";
  fill->job.finish = finish_nothing;
  fill->job.release = free_job;
  return js_job_start(context, &fill->job, js_arg(context, frame, 0));
}

struct derive_job {
  struct js_job job;
  enum js_derivation kind;
  const EVP_MD *digest;
  unsigned char *secret, *salt, *info, *out;
  size_t secret_length, salt_length, info_length, out_length;
  uint64_t iterations, cost, block, parallel, memory;
};

static void run_derive(struct js_job *job) {
  struct derive_job *derive = (struct derive_job *)job;
  if (derive->kind == JS_DERIVATION_PBKDF2) {
    job->ok =
        PKCS5_PBKDF2_HMAC((char *)derive->secret, (int)derive->secret_length, derive->salt, (int)derive->salt_length,
                          (int)derive->iterations, derive->digest, (int)derive->out_length, derive->out) == 1;
    return;
  }
  if (derive->kind == JS_DERIVATION_SCRYPT) {
    job->ok =
        EVP_PBE_scrypt((char *)derive->secret, derive->secret_length, derive->salt, derive->salt_length, derive->cost,
                       derive->block, derive->parallel, derive->memory, derive->out, derive->out_length) == 1;
    return;
  }
  EVP_KDF *kdf = EVP_KDF_fetch(NULL, "HKDF", NULL);
  EVP_KDF_CTX *kdf_context = EVP_KDF_CTX_new(kdf);
  OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)EVP_MD_get0_name(derive->digest), 0),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, derive->secret, derive->secret_length),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, derive->salt, derive->salt_length),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, derive->info, derive->info_length),
      OSSL_PARAM_construct_end(),
  };
  job->ok = kdf_context != NULL && EVP_KDF_derive(kdf_context, derive->out, derive->out_length, parameters) == 1;
  EVP_KDF_CTX_free(kdf_context);
  EVP_KDF_free(kdf);
}

static JSValueRef finish_derive(JSContextRef context, struct js_job *job) {
  struct derive_job *derive = (struct derive_job *)job;
  unsigned char *out = derive->out;
  derive->out = NULL;
  return js_buffer_adopt(context, out, derive->out_length);
}

static void free_derive(struct js_job *job) {
  struct derive_job *derive = (struct derive_job *)job;
  free(derive->secret);
  free(derive->salt);
  free(derive->info);
  free(derive->out);
  free(derive);
}

/* derive(id, one of `derivation`, secret, salt, length, digest, info, iterations or cost, block, parallel, memory) ->
 * null when there is no such digest */
static JSValueRef derive_bits(JSContextRef context, struct js_frame *frame) {
  struct derive_job *derive = calloc(1, sizeof *derive);
  if (derive == NULL)
    return js_throw_text(context, "out of memory");
  derive->kind = (enum js_derivation)js_to_integer(context, js_arg(context, frame, 1));
  if (derive->kind != JS_DERIVATION_SCRYPT) {
    char *name = js_to_text(context, js_arg(context, frame, 5), NULL);
    derive->digest = name != NULL ? EVP_get_digestbyname(name) : NULL;
    free(name);
    if (derive->digest == NULL) {
      free(derive);
      return js_null(context);
    }
  }
  derive->secret = js_crypto_copy(context, js_arg(context, frame, 2), &derive->secret_length);
  derive->salt = js_crypto_copy(context, js_arg(context, frame, 3), &derive->salt_length);
  derive->info = js_crypto_copy(context, js_arg(context, frame, 6), &derive->info_length);
  derive->out_length = (size_t)js_to_integer(context, js_arg(context, frame, 4));
  derive->out = malloc(derive->out_length + 1);
  derive->iterations = derive->cost = (uint64_t)js_to_integer(context, js_arg(context, frame, 7));
  derive->block = (uint64_t)js_to_integer(context, js_arg(context, frame, 8));
  derive->parallel = (uint64_t)js_to_integer(context, js_arg(context, frame, 9));
  derive->memory = (uint64_t)js_to_integer(context, js_arg(context, frame, 10));
  derive->job.otherwise = "derivation failed";
  derive->job.what = derive->kind == JS_DERIVATION_SCRYPT   ? "scrypt"
                     : derive->kind == JS_DERIVATION_PBKDF2 ? "pbkdf2"
                                                            : "hkdf";
  derive->job.run = run_derive;
  derive->job.finish = finish_derive;
  derive->job.release = free_derive;
  return js_job_start(context, &derive->job, js_arg(context, frame, 0));
}

/* scryptFits(cost, block, parallel, memory) -> whether OpenSSL accepts these */
static JSValueRef scrypt_fits(JSContextRef context, struct js_frame *frame) {
  uint64_t numbers[4];
  for (int i = 0; i < 4; i++)
    numbers[i] = (uint64_t)js_to_integer(context, js_arg(context, frame, i));
  int ok = EVP_PBE_scrypt(NULL, 0, NULL, 0, numbers[0], numbers[1], numbers[2], numbers[3], NULL, 0);
  unsigned long error = ERR_peek_last_error();
  char text[256] = "";
  if (ok != 1 && error != 0)
    ERR_error_string_n(error, text, sizeof text);
  ERR_clear_error();
  return ok == 1 ? js_undefined(context) : js_string(context, text);
}

struct prime_job {
  struct js_job job;
  BIGNUM *prime, *add, *remainder;
  int bits, checks;
  bool safe, generate, is_prime;
};

static void run_prime(struct js_job *job) {
  struct prime_job *prime = (struct prime_job *)job;
  if (prime->generate) {
    job->ok = BN_generate_prime_ex(prime->prime, prime->bits, prime->safe, prime->add, prime->remainder, NULL) == 1;
    return;
  }
  BN_CTX *scratch = BN_CTX_new();
  int result = BN_is_prime_ex(prime->prime, prime->checks, scratch, NULL);
  BN_CTX_free(scratch);
  job->ok = result >= 0;
  prime->is_prime = result == 1;
}

static JSValueRef finish_prime(JSContextRef context, struct js_job *job) {
  struct prime_job *prime = (struct prime_job *)job;
  if (!prime->generate)
    return js_boolean(context, prime->is_prime);
  size_t length = (size_t)BN_num_bytes(prime->prime);
  unsigned char *bytes = malloc(length + 1);
  if (bytes == NULL)
    return js_undefined(context);
  BN_bn2bin(prime->prime, bytes);
  return js_buffer_adopt(context, bytes, length);
}

static void free_prime(struct js_job *job) {
  struct prime_job *prime = (struct prime_job *)job;
  BN_free(prime->prime);
  BN_free(prime->add);
  BN_free(prime->remainder);
  free(prime);
}

static BIGNUM *number_of(JSContextRef context, JSValueRef value) {
  unsigned char *bytes;
  size_t length;
  return js_borrow_bytes(context, value, &bytes, &length) ? BN_bin2bn(bytes, (int)length, NULL) : NULL;
}

/* generatePrime(id, bits, safe, add, remainder) */
static JSValueRef generate_prime(JSContextRef context, struct js_frame *frame) {
  struct prime_job *prime = calloc(1, sizeof *prime);
  if (prime == NULL)
    return js_throw_text(context, "out of memory");
  prime->generate = true;
  prime->prime = BN_new();
  prime->bits = (int)js_to_integer(context, js_arg(context, frame, 1));
  prime->safe = js_to_boolean(context, js_arg(context, frame, 2));
  prime->add = number_of(context, js_arg(context, frame, 3));
  prime->remainder = number_of(context, js_arg(context, frame, 4));
  prime->job.otherwise = "no prime found";
  prime->job.what = "generatePrime";
  prime->job.run = run_prime;
  prime->job.finish = finish_prime;
  prime->job.release = free_prime;
  return js_job_start(context, &prime->job, js_arg(context, frame, 0));
}

/* checkPrime(id, bytes, checks) */
static JSValueRef check_prime(JSContextRef context, struct js_frame *frame) {
  struct prime_job *prime = calloc(1, sizeof *prime);
  if (prime == NULL)
    return js_throw_text(context, "out of memory");
  prime->prime = number_of(context, js_arg(context, frame, 1));
  if (prime->prime == NULL) {
    free_prime(&prime->job);
    return js_crypto_throw(context, "not a number");
  }
  prime->checks = (int)js_to_integer(context, js_arg(context, frame, 2));
  prime->job.otherwise = "not a number";
  prime->job.what = "checkPrime";
  prime->job.run = run_prime;
  prime->job.finish = finish_prime;
  prime->job.release = free_prime;
  return js_job_start(context, &prime->job, js_arg(context, frame, 0));
}

static JSValueRef timing_safe_equal(JSContextRef context, struct js_frame *frame) {
  unsigned char *a, *b;
  size_t a_length, b_length;
  if (!js_borrow_bytes(context, js_arg(context, frame, 0), &a, &a_length) ||
      !js_borrow_bytes(context, js_arg(context, frame, 1), &b, &b_length) || a_length != b_length)
    return js_boolean(context, false);
  return js_boolean(context, CRYPTO_memcmp(a, b, a_length) == 0);
}

const struct js_method js_crypto_random_methods[] = {
    {"randomFill", random_fill, 4},
    {"derive", derive_bits, 11},
    {"scryptFits", scrypt_fits, 4},
    {"generatePrime", generate_prime, 5},
    {"checkPrime", check_prime, 3},
    {"timingSafeEqual", timing_safe_equal, 2},
    {NULL, NULL, 0},
};
