/* TurboSHAKE and KangarooTwelve (RFC 9861), which OpenSSL does not have: Keccak with twelve rounds, and a tree of it.
 */
#include "runtime/bind/crypto/crypto.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 25, ROUNDS = 12, CHUNK = 8192, BLOCK_MOST = 168 };

struct sponge {
  uint64_t lanes[LANES];
  size_t rate, at;
};

static uint64_t rotate(uint64_t value, unsigned by) {
  return by == 0 ? value : value << by | value >> (64 - by);
}

/* Rotations of the lanes, and the order in which the lanes are moved, along one path through all but the first. */
static const unsigned char turns[] = {1,  3,  6,  10, 15, 21, 28, 36, 45, 55, 2,  14,
                                      27, 41, 56, 8,  25, 43, 62, 18, 39, 61, 20, 44};
static const unsigned char path[] = {10, 7,  11, 17, 18, 3, 5,  16, 8,  21, 24, 4,
                                     15, 23, 19, 13, 12, 2, 20, 14, 22, 9,  6,  1};
/* The last twelve of Keccak's constants. */
static const uint64_t constants[ROUNDS] = {
    0x000000008000808B, 0x800000000000008B, 0x8000000000008089, 0x8000000000008003,
    0x8000000000008002, 0x8000000000000080, 0x000000000000800A, 0x800000008000000A,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};

static void permute(uint64_t *lanes) {
  for (unsigned round = 0; round < ROUNDS; round++) {
    uint64_t columns[5], row[5];
    for (unsigned x = 0; x < 5; x++)
      columns[x] = lanes[x] ^ lanes[x + 5] ^ lanes[x + 10] ^ lanes[x + 15] ^ lanes[x + 20];
    for (unsigned x = 0; x < 5; x++) {
      uint64_t change = columns[(x + 4) % 5] ^ rotate(columns[(x + 1) % 5], 1);
      for (unsigned y = 0; y < LANES; y += 5)
        lanes[x + y] ^= change;
    }
    uint64_t carried = lanes[1];
    for (unsigned i = 0; i < sizeof path; i++) {
      uint64_t next = lanes[path[i]];
      lanes[path[i]] = rotate(carried, turns[i]);
      carried = next;
    }
    for (unsigned y = 0; y < LANES; y += 5) {
      memcpy(row, lanes + y, sizeof row);
      for (unsigned x = 0; x < 5; x++)
        lanes[x + y] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5]);
    }
    lanes[0] ^= constants[round];
  }
}

static void mix(struct sponge *sponge, size_t at, unsigned char byte) {
  sponge->lanes[at / 8] ^= (uint64_t)byte << (at % 8 * 8);
}

static void absorb(struct sponge *sponge, const unsigned char *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) {
    mix(sponge, sponge->at++, bytes[i]);
    if (sponge->at == sponge->rate) {
      permute(sponge->lanes);
      sponge->at = 0;
    }
  }
}

static void squeeze(struct sponge *sponge, unsigned char domain, unsigned char *out, size_t length) {
  mix(sponge, sponge->at, domain);
  mix(sponge, sponge->rate - 1, 0x80);
  permute(sponge->lanes);
  sponge->at = 0;
  for (size_t i = 0; i < length; i++) {
    if (sponge->at == sponge->rate) {
      permute(sponge->lanes);
      sponge->at = 0;
    }
    out[i] = (unsigned char)(sponge->lanes[sponge->at / 8] >> (sponge->at % 8 * 8));
    sponge->at++;
  }
}

struct keccak_job {
  struct js_job job;
  unsigned char *data, *out, domain;
  size_t rate, data_length, out_length;
};

static void run_turbo(struct js_job *job) {
  struct keccak_job *keccak = (struct keccak_job *)job;
  struct sponge sponge = {.rate = keccak->rate};
  absorb(&sponge, keccak->data, keccak->data_length);
  squeeze(&sponge, keccak->domain, keccak->out, keccak->out_length);
  job->ok = true;
}

/* The first chunk belongs to the root; each other one is a leaf, whose digest the root absorbs. */
static void run_kangaroo(struct js_job *job) {
  static const unsigned char mark[8] = {3}, end[2] = {0xFF, 0xFF};
  struct keccak_job *keccak = (struct keccak_job *)job;
  struct sponge root = {.rate = keccak->rate};
  size_t length = keccak->data_length, digest_length = keccak->rate == BLOCK_MOST ? 32 : 64;
  job->ok = true;
  if (length <= CHUNK) {
    absorb(&root, keccak->data, length);
    squeeze(&root, 0x07, keccak->out, keccak->out_length);
    return;
  }
  absorb(&root, keccak->data, CHUNK);
  absorb(&root, mark, sizeof mark);
  uint64_t leaves = 0;
  for (size_t at = CHUNK; at < length; at += CHUNK, leaves++) {
    unsigned char digest[64];
    struct sponge leaf = {.rate = keccak->rate};
    absorb(&leaf, keccak->data + at, length - at < CHUNK ? length - at : CHUNK);
    squeeze(&leaf, 0x0B, digest, digest_length);
    absorb(&root, digest, digest_length);
  }
  /* The number of leaves, in as few bytes as possible, and the number of these bytes. */
  unsigned char count[9];
  unsigned char size = 0;
  for (int shift = 56; shift >= 0; shift -= 8)
    if (size > 0 || leaves >> shift != 0)
      count[size++] = (unsigned char)(leaves >> shift);
  count[size] = size;
  absorb(&root, count, (size_t)size + 1);
  absorb(&root, end, sizeof end);
  squeeze(&root, 0x06, keccak->out, keccak->out_length);
}

static JSValueRef finish(JSContextRef context, struct js_job *job) {
  struct keccak_job *keccak = (struct keccak_job *)job;
  unsigned char *out = keccak->out;
  keccak->out = NULL;
  return js_buffer_adopt(context, out, keccak->out_length);
}

static void release(struct js_job *job) {
  struct keccak_job *keccak = (struct keccak_job *)job;
  free(keccak->data);
  free(keccak->out);
  free(keccak);
}

static JSValueRef start(JSContextRef context, struct js_frame *frame, void (*run)(struct js_job *), int domain,
                        int length) {
  struct keccak_job *keccak = calloc(1, sizeof *keccak);
  if (keccak == NULL)
    return js_throw_text(context, "out of memory");
  keccak->rate = (size_t)js_to_integer(context, js_arg(context, frame, 1));
  keccak->data = js_crypto_copy(context, js_arg(context, frame, 2), &keccak->data_length);
  keccak->domain = domain >= 0 ? (unsigned char)js_to_integer(context, js_arg(context, frame, domain)) : 0;
  keccak->out_length = (size_t)js_to_number(context, js_arg(context, frame, length));
  keccak->out = malloc(keccak->out_length + 1);
  keccak->job.run = run;
  keccak->job.what = "digest";
  keccak->job.finish = finish;
  keccak->job.release = release;
  keccak->job.otherwise = "Digest job failed";
  if (keccak->data == NULL || keccak->out == NULL || keccak->rate > BLOCK_MOST || keccak->rate % 8 != 0) {
    release(&keccak->job);
    return js_throw_text(context, "Digest job failed");
  }
  return js_job_start(context, &keccak->job, js_arg(context, frame, 0));
}

/* messageTurbo(id, rate, data, domain, length) -> bytes */
static JSValueRef message_turbo(JSContextRef context, struct js_frame *frame) {
  return start(context, frame, run_turbo, 3, 4);
}

/* messageKangaroo(id, rate, message with customization and its length, length) -> bytes */
static JSValueRef message_kangaroo(JSContextRef context, struct js_frame *frame) {
  return start(context, frame, run_kangaroo, -1, 3);
}

const struct js_method js_crypto_keccak_methods[] = {
    {"messageTurbo", message_turbo, 5}, {"messageKangaroo", message_kangaroo, 4}, {NULL, NULL, 0}};
