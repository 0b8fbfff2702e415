/* The command line: options before the script are ours, everything from the script on is the program's. */
#include "runtime/order/env.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is(const char *argument, const char *short_name, const char *long_name) {
  return (short_name != NULL && strcmp(argument, short_name) == 0) || strcmp(argument, long_name) == 0;
}

/* `--name value` and `--name=value` alike; NULL when this is another option or its value is missing. */
static const char *value_of(const char *short_name, const char *long_name, int argc, char **argv, int *at) {
  size_t length = strlen(long_name);
  if (strncmp(argv[*at], long_name, length) == 0 && argv[*at][length] == '=')
    return argv[*at] + length + 1;
  if (!is(argv[*at], short_name, long_name) || *at + 1 >= argc)
    return NULL;
  return argv[++*at];
}

/* Long options of Node's that may be given, whether they mean something here or not: who is concerned reads
 * process.execArgv. What is not among them is refused, as Node refuses it. */
static const char known_options[] =
    " "
    "abort-on-uncaught-exception addons allow-addons allow-child-process allow-ffi allow-fs-read allow-fs-write "
    "allow-inspector allow-natives-syntax allow-net allow-openssl-store allow-wasi allow-worker "
    "async-context-frame block-threshold build-sea build-snapshot build-snapshot-config completion-bash conditions "
    "cpu-prof "
    "cpu-prof-dir cpu-prof-interval cpu-prof-name deprecation diagnostic-dir disable-proto disable-sigusr1 "
    "disable-warning disable-wasm-trap-handler disallow-code-generation-from-strings dns-result-order "
    "enable-etw-stack-walking enable-fips enable-network-family-autoselection enable-source-maps engine-check "
    "entry-url env-file env-file-if-exists experimental-abortcontroller experimental-addon-modules "
    "experimental-config-file experimental-default-config-file experimental-default-type "
    "experimental-detect-module experimental-dtls experimental-eventsource experimental-fetch experimental-ffi "
    "experimental-global-customevent experimental-global-webcrypto experimental-import-meta-resolve "
    "experimental-import-text experimental-inspector-network-resource experimental-json-modules "
    "experimental-loader experimental-modules experimental-network-inspection experimental-package-map "
    "experimental-print-required-tla experimental-quic experimental-repl-await experimental-require-module "
    "experimental-sea-config experimental-shadow-realm experimental-specifier-resolution experimental-sqlite "
    "experimental-storage-inspection experimental-stream-iter experimental-strip-types "
    "experimental-test-coverage experimental-test-isolation experimental-test-module-mocks "
    "experimental-test-tag-filter experimental-top-level-await experimental-vfs experimental-vm-modules "
    "experimental-wasi-unstable-preview1 experimental-web-worker experimental-websocket experimental-webstorage "
    "experimental-worker-inspection expose-externalize-string expose-gc expose-internals "
    "extra-info-on-fatal-exception force-async-hooks-checks force-context-aware force-fips "
    "force-node-api-uncaught-exceptions-policy frozen-intrinsics gc-global gc-interval global-search-paths "
    "harmony harmony-shadow-realm heap-prof heap-prof-dir heap-prof-interval heap-prof-name heap-snapshot-on-oom "
    "heapsnapshot-near-heap-limit heapsnapshot-signal http-parser icu-data-dir import input-type "
    "insecure-http-parser inspect inspect-brk inspect-port inspect-publish-uid inspect-wait "
    "interpreted-frames-native-stack jitless js-float16array loader localstorage-file max-heap-size "
    "max-http-header-size max-old-space-size max-old-space-size-percentage max-semi-space-size "
    "network-family-autoselection network-family-autoselection-attempt-timeout no-addons no-async-context-frame "
    "no-concurrent-array-buffer-sweeping no-concurrent-recompilation no-deprecation no-experimental-default-type "
    "no-experimental-detect-module "
    "no-experimental-eventsource no-experimental-fetch no-experimental-global-customevent "
    "no-experimental-global-navigator no-experimental-global-webcrypto no-experimental-repl-await "
    "no-experimental-require-module no-experimental-sqlite no-experimental-strip-types no-experimental-websocket "
    "no-experimental-webstorage no-extra-info-on-fatal-exception no-force-async-hooks-checks "
    "no-force-node-api-uncaught-exceptions-policy "
    "no-global-search-paths no-network-family-autoselection no-node-snapshot no-opt no-require-module "
    "no-strip-types no-use-bundled-ca no-use-openssl-ca no-use-system-ca no-verify-base-objects no-warnings "
    "no-webstorage node-memory-debug openssl-config "
    "openssl-legacy-provider openssl-shared-config pending-deprecation perf-basic-prof "
    "perf-basic-prof-only-functions perf-prof perf-prof-unwinding-info permission permission-audit "
    "preserve-symlinks preserve-symlinks-main prof prof-process random-seed redirect-warnings report-compact "
    "report-dir report-exclude-env report-exclude-network report-filename report-on-fatalerror report-on-signal "
    "report-signal report-uncaught-exception require require-module run schedule-record schedule-replay "
    "schedule-seed schedule-without secure-heap secure-heap-min "
    "security-revert single-threaded snapshot-blob stack-size stack-trace-limit stats strip-types test "
    "test-concurrency test-coverage-branches test-coverage-exclude test-coverage-functions test-coverage-include "
    "test-coverage-include-all test-coverage-lines test-force-exit test-global-setup test-isolation "
    "test-name-pattern test-only test-random-seed test-randomize test-reporter test-reporter-destination "
    "test-rerun-failures test-shard test-skip-pattern test-timeout test-update-snapshots throw-deprecation title "
    "timeline tls-cipher-list tls-keylog tls-max-v1.2 tls-max-v1.3 tls-min-v1.0 tls-min-v1.1 tls-min-v1.2 tls-min-v1.3 "
    "trace trace-deprecation trace-env trace-env-js-stack trace-env-native-stack trace-event-categories "
    "trace-event-file-pattern trace-events-enabled trace-exit trace-gc trace-require-module trace-sigint "
    "trace-sync-io trace-tls trace-uncaught trace-warnings track-heap-objects no-turbo-fast-api-calls "
    "turbo-fast-api-calls "
    "unhandled-rejections "
    "use-bundled-ca use-env-proxy use-largepages use-openssl-ca use-system-ca v8-options v8-pool-size "
    "verify-base-objects virtual-time warnings watch watch-kill-signal watch-path watch-preserve-output webstorage "
    "zero-fill-buffers ";

/* `--name` and `--name=value`; underscores count as hyphens. */
static bool is_known(const char *argument) {
  char name[64] = " ";
  size_t length = strcspn(argument += 2, "=");
  if (length == 0 || length > sizeof name - 3)
    return false;
  for (size_t i = 0; i < length; i++)
    name[i + 1] = argument[i] == '_' ? '-' : argument[i];
  name[length + 1] = ' ';
  return strstr(known_options, name) != NULL;
}

bool js_option_is_known(const char *argument) {
  static const char letters[] = "eprcihvC";
  if (strncmp(argument, "--", 2) == 0)
    return is_known(argument);
  return argument[0] == '-' && argument[1] != 0 && strchr(letters, argument[1]) != NULL;
}

/* Options whose value may be the next argument; JavaScript reads them from process.execArgv. */
static const char value_options[] =
    " diagnostic-dir disable-warning dns-result-order env-file env-file-if-exists "
    "experimental-loader experimental-package-map icu-data-dir input-type loader "
    "localstorage-file max-http-header-size redirect-warnings stack-trace-limit "
    "test-concurrency test-global-setup test-isolation test-name-pattern test-random-seed test-reporter "
    "test-reporter-destination test-rerun-failures test-shard test-skip-pattern test-timeout "
    "title trace-event-categories trace-event-file-pattern unhandled-rejections watch-path ";

static bool takes_value(const char *argument) {
  char name[64];
  int length = snprintf(name, sizeof name, " %s ", argument + 2);
  return length < (int)sizeof name && strstr(value_options, name) != NULL;
}

static int bad(const char *program, const char *option, const char *what) {
  fprintf(stderr, "%s: %s %s\n", program, option, what);
  return 9;
}

/* A whole number of milliseconds, from 1 to a day; 0: it is none. */
static int milliseconds(const char *text) {
  char *end;
  long value = strtol(text, &end, 10);
  return end == text || *end != 0 || value < 1 || value > 86400000 ? 0 : (int)value;
}

/* `rota timeline`, `rota fuzz` and `rota why` stand where the script would: where the options begin, and how the
 * program is called.
 */
static int read_command(struct js_options *options, int argc, char **argv) {
  if (argc < 2)
    return 1;
  if (strcmp(argv[1], "timeline") == 0) {
    options->command = "internal/cli/timeline";
  } else if (strcmp(argv[1], "fuzz") == 0) {
    options->command = "internal/cli/fuzz";
  } else if (strcmp(argv[1], "why") == 0) {
    options->why = true;
    options->why_after_ms = 1000;
    return 2;
  }
  return 1;
}

/* The one value that is checked before anything runs, as in Node. */
static bool is_rejection_mode(const char *value) {
  return strstr(" strict warn throw warn-with-error-code none ", value) != NULL && strchr(value, ' ') == NULL &&
         *value != 0;
}

static bool names_code(const char *argument) {
  return strcmp(argument, "-e") == 0 || strcmp(argument, "--eval") == 0 || strncmp(argument, "--eval=", 7) == 0;
}

static bool is_given(const char *option, int from, int to, char **argv) {
  for (int i = from; i < to; i++)
    if (strcmp(argv[i], option) == 0)
      return true;
  return false;
}

int js_options_parse(struct js_options *options, int argc, char **argv) {
  memset(options, 0, sizeof *options);
  options->argc = argc;
  options->argv = argv;
  options->requires = calloc((size_t)argc, sizeof *options->requires);
  options->imports = calloc((size_t)argc, sizeof *options->imports);
  if (options->requires == NULL || options->imports == NULL)
    return 1;
  int i = read_command(options, argc, argv);
  if (options->command != NULL) {
    options->script_at = i;
    return 0;
  }
  for (; i < argc && argv[i][0] == '-' && argv[i][1] != 0; i++) {
    const char *value;
    if (strcmp(argv[i], "--") == 0) {
      i++;
      break;
    } else if (is(argv[i], "-h", "--help")) {
      options->help = true;
    } else if (is(argv[i], NULL, "--v8-options")) {
      options->engine_help = true;
    } else if (is(argv[i], "-v", "--version")) {
      options->version = true;
    } else if (is(argv[i], "-c", "--check")) {
      options->check_only = true;
    } else if (is(argv[i], "-i", "--interactive")) {
      options->interactive = true;
    } else if ((value = value_of("-r", "--require", argc, argv, &i)) != NULL) {
      options->requires[options->requires_count++] = value;
    } else if ((value = value_of(NULL, "--trace", argc, argv, &i)) != NULL) {
      options->trace = value;
    } else if ((value = value_of(NULL, "--timeline", argc, argv, &i)) != NULL) {
      options->timeline = value;
    } else if (is(argv[i], NULL, "--virtual-time")) {
      options->virtual_time = "1";
    } else if (strncmp(argv[i], "--virtual-time=", 15) == 0) {
      options->virtual_time = argv[i] + 15;
    } else if ((value = value_of(NULL, "--schedule-seed", argc, argv, &i)) != NULL) {
      options->schedule_seed = value;
    } else if ((value = value_of(NULL, "--schedule-record", argc, argv, &i)) != NULL) {
      options->schedule_record = value;
    } else if ((value = value_of(NULL, "--schedule-replay", argc, argv, &i)) != NULL) {
      options->schedule_replay = value;
    } else if ((value = value_of(NULL, "--schedule-without", argc, argv, &i)) != NULL) {
      options->schedule_without = value;
    } else if (is(argv[i], NULL, "--stats")) {
      options->stats = true;
    } else if ((value = value_of(NULL, "--block-threshold", argc, argv, &i)) != NULL) {
      options->block_threshold_ms = milliseconds(value);
      if (options->block_threshold_ms == 0)
        return bad(argv[0], "--block-threshold", "wants a number of milliseconds");
    } else if (options->why && (value = value_of(NULL, "--after", argc, argv, &i)) != NULL) {
      options->why_after_ms = milliseconds(value);
      if (options->why_after_ms == 0)
        return bad(argv[0], "--after", "wants a number of milliseconds");
    } else if (is(argv[i], NULL, "--trace") || is(argv[i], NULL, "--timeline") ||
               is(argv[i], NULL, "--block-threshold")) {
      return bad(argv[0], argv[i], "requires an argument");
    } else if ((value = value_of(NULL, "--import", argc, argv, &i)) != NULL) {
      options->imports[options->imports_count++] = value;
    } else if (is(argv[i], "-p", "--print") || is(argv[i], "-pe", "-pe") || is(argv[i], "-e", "--eval")) {
      options->print |= argv[i][1] == 'p' || strcmp(argv[i], "--print") == 0;
      if (i + 1 < argc && is(argv[i], "-p", "--print") && names_code(argv[i + 1]))
        continue; /* --print --eval CODE */
      if (i + 1 < argc && (!options->print || options->code == NULL))
        options->code = argv[++i];
      if (options->code == NULL) {
        fprintf(stderr, "%s: %s requires an argument\n", argv[0], argv[i]);
        return 9;
      }
    } else if ((value = value_of(NULL, "--eval", argc, argv, &i)) != NULL) {
      options->code = value;
    } else if ((value = value_of(NULL, "--print", argc, argv, &i)) != NULL) {
      options->code = value;
      options->print = true;
    } else if (is(argv[i], "-r", "--require") || is(argv[i], NULL, "--import")) {
      fprintf(stderr, "%s: %s requires an argument\n", argv[0], argv[i]);
      return 9;
    } else if ((value = value_of("-C", "--conditions", argc, argv, &i)) != NULL) {
      continue; /* JavaScript reads it from execArgv */
    } else if (strncmp(argv[i], "--", 2) != 0 || !is_known(argv[i])) {
      fprintf(stderr, "%s: bad option: %s\n", argv[0], argv[i]);
      return 9;
    } else if ((value = value_of(NULL, "--unhandled-rejections", argc, argv, &i)) != NULL) {
      if (!is_rejection_mode(value)) {
        fprintf(stderr, "%s: invalid value for --unhandled-rejections\n", argv[0]);
        return 9;
      }
    } else if (strncmp(argv[i], "--trace-require-module=", 23) == 0 && strcmp(argv[i] + 23, "all") != 0 &&
               strcmp(argv[i] + 23, "no-node-modules") != 0) {
      return bad(argv[0], "invalid value for", "--trace-require-module");
    } else if (takes_value(argv[i])) {
      i++;
    }
  }
  if (is_given("--tls-min-v1.3", 1, i, argv) && is_given("--tls-max-v1.2", 1, i, argv) &&
      !is_given("--tls-max-v1.3", 1, i, argv))
    return bad(argv[0], "either --tls-min-v1.3 or --tls-max-v1.2", "can be used, not both");
  if (i < argc && strcmp(argv[i], "-") == 0) {
    options->read_stdin = true;
    i++;
    options->script_at = i;
    return 0;
  }
  if (options->why && i >= argc && options->code == NULL)
    return bad(argv[0], "why", "wants a script: rota why script.js");
  options->script_at = i;
  if (is_given("--test", 1, i, argv) && options->code == NULL)
    options->command = "internal/cli/test";
  options->read_stdin = i >= argc && options->code == NULL && options->command == NULL;
  return 0;
}
