/* The initialization of OpenSSL: which configuration it reads, which providers it loads, and whether only approved
 * algorithms are available.
 *
 * Its configuration is the section `nodejs_conf` of the file, as in Node: the system's configuration for other programs
 * has no effect here, unless --openssl-shared-config asks for it. If an option cannot be fulfilled, the process ends
 * before anything runs. */
#include "runtime/bind/crypto/crypto.h"

#include <openssl/conf.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { EXIT_FAILED = 1, EXIT_CONFIGURATION = 101 };

static const struct js_option_words *options;
static bool is_configured;

static void configure(void) {
  OPENSSL_INIT_SETTINGS *settings = OPENSSL_INIT_new();
  if (settings == NULL)
    return;
  const char *file = js_words_value(options, "openssl-config");
  if (file != NULL)
    OPENSSL_INIT_set_config_filename(settings, file);
  OPENSSL_INIT_set_config_appname(settings,
                                  js_words_has(options, "openssl-shared-config") ? "openssl_conf" : "nodejs_conf");
  OPENSSL_INIT_set_config_file_flags(settings, CONF_MFLAGS_IGNORE_MISSING_FILE);
  ERR_clear_error();
  is_configured = OPENSSL_init_crypto(OPENSSL_INIT_LOAD_CONFIG, settings) == 1 && ERR_peek_error() == 0;
  OPENSSL_INIT_free(settings);
}

void js_crypto_start(const struct js_option_words *words) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  options = words;
  pthread_once(&once, configure);
}

static int fail(const char *program, const char *what, int code) {
  fprintf(stderr, "%s: %s\n", program, what);
  ERR_print_errors_fp(stderr);
  return code;
}

static int enable_fips(const char *program, const char *option) {
  if (!OSSL_PROVIDER_available(NULL, "fips")) {
    fprintf(stderr,
            "%s: --%s requires an active OpenSSL provider named \"fips\". FIPS mode is configured through OpenSSL; see "
            "https://nodejs.org/api/crypto.html#fips-mode\n",
            program, option);
    return EXIT_FAILED;
  }
  return EVP_default_properties_enable_fips(NULL, 1) == 1
             ? 0
             : fail(program, "OpenSSL error when trying to enable FIPS:", EXIT_FAILED);
}

int js_crypto_start_by_options(const struct js_option_words *words, const char *program) {
  bool legacy = js_words_has(words, "openssl-legacy-provider"), forced = js_words_has(words, "force-fips");
  bool fips = js_words_has(words, "enable-fips");
  if (!legacy && !forced && !fips && js_words_value(words, "openssl-config") == NULL)
    return 0; /* else at the first use */
  js_crypto_start(words);
  if (!is_configured)
    return fail(program, "OpenSSL configuration error:", EXIT_CONFIGURATION);
  /* A provider that is loaded by name replaces the default ones. */
  if (legacy && (OSSL_PROVIDER_load(NULL, "default") == NULL || OSSL_PROVIDER_load(NULL, "legacy") == NULL))
    return fail(program, "--openssl-legacy-provider: the provider \"legacy\" of OpenSSL cannot be loaded", EXIT_FAILED);
  return forced || fips ? enable_fips(program, forced ? "force-fips" : "enable-fips") : 0;
}

/* fips() -> whether only approved algorithms are available; fips(on) -> whether it succeeded */
static JSValueRef fips_mode(JSContextRef context, struct js_frame *frame) {
  if (js_argc(frame) == 0)
    return js_boolean(context, EVP_default_properties_is_fips_enabled(NULL) == 1);
  bool on = js_to_boolean(context, frame->arguments[0]);
  if (on && !OSSL_PROVIDER_available(NULL, "fips"))
    return js_boolean(context, false);
  return js_boolean(context, EVP_default_properties_enable_fips(NULL, on) == 1);
}

const struct js_method js_crypto_start_methods[] = {{"fips", fips_mode, 1}, {NULL, NULL, 0}};
