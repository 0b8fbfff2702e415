#include "runtime/engine/jobs/count.h"

#include "runtime/engine/jobs/dispatch.h"
#include "runtime/engine/uses/probes.h"

static uint64_t (*next_identity)(void);

/* Later releases have that counter, too, but their jobs take nothing from it. */
const struct js_symbol js_jobs_symbols[] = {
    JS_DISPATCH_SYMBOLS_2_54,
    JS_SYMBOLS_OR,
    JS_DISPATCH_SYMBOLS_2_52,
    JS_SYMBOLS_OR,
    {"_ZN3WTF38ObjectIdentifierThreadSafeAccessTraitsImE26generateIdentifierInternalEv", &next_identity},
    {NULL, NULL}};

bool js_jobs_are_numbered(void) {
  return js_uses(JS_USE_JOBS) && next_identity != NULL;
}

void js_jobs_count(JSContextRef context) {
  if (next_identity == NULL)
    js_dispatch_count(context);
}

uint64_t js_jobs_queued(void) {
  return next_identity != NULL ? next_identity() : js_dispatch_counted();
}

int js_probe_jobs(JSGlobalContextRef context) {
  js_jobs_count(context);
  uint64_t before = js_jobs_queued();
  js_check_evaluate(context, "n = 0; Promise.resolve().then(() => n++).then(() => n++).then(() => n++); 0");
  js_check_drain(context);
  return js_jobs_queued() - before - 1 == 3 && js_check_holds(context, "n === 3") ? 0 : 23;
}
