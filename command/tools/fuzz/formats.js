'use strict';

// The results of a search as JSON, JUnit's XML, SARIF 2.1.0, and the commands by which a job on GitHub annotates lines.

const kControls = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu; // XML has no way to write these
const kSarifSchema = 'https://json.schemastore.org/sarif-2.1.0.json';
const kRule = 'race';
const kRuleWords =
  'The program ends, prints, or fails a test differently in an order of callbacks that Node does not exclude';

// What there is to say of a find, in lines.
function linesOf(find) {
  const { title, message, end, usualEnd, label, count, decisions, before, early, late, passes, fails } = find;
  const lines = [`${title} (undisturbed, ${usualEnd})`];
  if (message !== '' && message !== title && !title.endsWith(`: ${message}`)) lines.push(message);
  lines.push(
    `found by ${/^\d+$/.test(label) ? 'seed' : 'run'} ${label}; in ${count} of the schedules that were tried: ${end}`,
  );
  if (early !== undefined && late !== undefined) {
    const made = ({ words, maker }) => (maker === undefined ? words : `${words}, made by ${maker}`);
    lines.push(`first callbacks whose order differs: ${made(early)} | ${made(late)}`);
    lines.push(`undisturbed: ${passes.join(', ')}`, `in this run: ${fails.join(', ')}`);
  }
  if (decisions.length > 0) {
    lines.push(`${decisions.length} of ${before} decisions:`);
    for (const { words } of decisions.slice(0, 20)) lines.push(`  ${words}`);
  }
  if (!find.isSteady) lines.push('the same schedule, run again, lets it pass: it depends on more than the schedule');
  if (find.replay !== undefined) lines.push(`to see it again: ${find.replay}`);
  if (find.page !== undefined) lines.push(`both runs side by side: ${find.page}`);
  return lines;
}

// What cannot be told by finds: the program cannot be run, or fails undisturbed.
const isBroken = ({ exitCode }) => exitCode !== 0 && exitCode !== 1;

// ---- JSON ----

function json(summary) {
  return `${JSON.stringify({ format: 1, tool: 'rota fuzz', ...summary }, null, 2)}\n`;
}

// ---- JUnit ----

const xml = (text) =>
  String(text)
    .replace(kControls, '\uFFFD')
    .replace(/[&<>"\n\r\t]/g, (char) => `&#${char.charCodeAt(0)};`);
const content = (text) =>
  String(text)
    .replace(kControls, '\uFFFD')
    .replace(/[&<>\r]/g, (char) => `&#${char.charCodeAt(0)};`);

function junit({ name, shard, finds, tried, seconds, why, ...summary }) {
  const time = seconds.toFixed(3);
  const whole = `${tried} schedules${shard === undefined ? '' : `, shard ${shard}`}`;
  const broken = isBroken(summary)
    ? [`\n      <error message="${xml(why ?? '')}" type="not tried">${content(why ?? '')}</error>\n    `]
    : [];
  const cases = [
    `<testcase classname="${xml(name)}" name="${xml(whole)}" time="${time}">${broken.join('')}</testcase>`,
  ];
  for (const find of finds) {
    const head = `classname="${xml(name)}" name="${xml(find.test ?? find.title)}" time="0"`;
    const text = content(linesOf(find).join('\n'));
    const inner =
      find.accepted === undefined
        ? `<failure message="${xml(find.title)}" type="${kRule}">${text}</failure>`
        : `<skipped message="${xml(`accepted: ${find.accepted.why || find.title}`)}"/>`;
    cases.push(`<testcase ${head}>\n      ${inner}\n    </testcase>`);
  }
  const skipped = finds.filter(({ accepted }) => accepted !== undefined).length;
  const counts = `tests="${cases.length}" failures="${finds.length - skipped}" errors="${broken.length}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="rota fuzz" ${counts} time="${time}">
  <testsuite name="${xml(name)}" ${counts} skipped="${skipped}" time="${time}">
    ${cases.join('\n    ')}
  </testsuite>
</testsuites>
`;
}

// ---- SARIF ----

const uriOf = (file) => file.split('/').map(encodeURIComponent).join('/');

function place({ file, line }, text) {
  const physicalLocation = {
    artifactLocation: { uri: uriOf(file), uriBaseId: '%SRCROOT%' },
    region: { startLine: Math.max(1, line) },
  };
  return text === undefined ? { physicalLocation } : { physicalLocation, message: { text } };
}

function sarifResult(find) {
  const related = [find.early, find.late].filter((step) => step?.file !== undefined && !step.file.startsWith('/'));
  return {
    ruleId: kRule,
    ruleIndex: 0,
    level: 'error',
    message: { text: linesOf(find).join('\n') },
    locations: find.location === undefined ? [] : [place(find.location)],
    relatedLocations: related.map((step, i) => ({ id: i + 1, ...place(step, step.words) })),
    partialFingerprints: { 'rotaFind/v1': find.id },
    ...(find.accepted === undefined
      ? {}
      : { suppressions: [{ kind: 'external', justification: find.accepted.why || 'in the baseline' }] }),
  };
}

function sarif({ finds, why, exitCode, isInterrupted, ...summary }) {
  const notifications = isBroken({ exitCode }) && why !== undefined ? [{ level: 'error', message: { text: why } }] : [];
  const run = {
    tool: {
      driver: {
        name: 'rota fuzz',
        rules: [
          {
            id: kRule,
            name: 'Race',
            shortDescription: { text: 'A race between callbacks' },
            fullDescription: { text: kRuleWords },
            defaultConfiguration: { level: 'error' },
          },
        ],
      },
    },
    invocations: [
      {
        executionSuccessful: !isBroken({ exitCode }) && !isInterrupted,
        ...(exitCode === undefined ? {} : { exitCode }),
        toolExecutionNotifications: notifications,
      },
    ],
    columnKind: 'utf16CodeUnits',
    originalUriBaseIds: { '%SRCROOT%': { description: { text: 'the folder of the sources' } } },
    automationDetails: {
      id: `rota-fuzz/${summary.name}${summary.shard === undefined ? '' : `/${summary.shard.replace('/', 'of')}`}/`,
    },
    results: finds.map(sarifResult),
  };
  return `${JSON.stringify({ $schema: kSarifSchema, version: '2.1.0', runs: [run] }, null, 2)}\n`;
}

// ---- annotations of GitHub ----

const escapeData = (text) => text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
const escapeProperty = (text) => escapeData(text).replace(/:/g, '%3A').replace(/,/g, '%2C');

function command(level, properties, text) {
  const words = Object.entries(properties)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  return `::${level} ${words.join(',')}::${escapeData(text)}\n`;
}

function github(summary) {
  const lines = summary.finds.map((find) => {
    const title = `${find.accepted === undefined ? 'a race' : 'an accepted race'}: ${find.title}`;
    const level = find.accepted === undefined ? 'error' : 'notice';
    return command(level, { ...find.location, title }, linesOf(find).join('\n'));
  });
  if (isBroken(summary) && summary.why !== undefined) lines.push(command('error', { title: 'rota fuzz' }, summary.why));
  return lines.join('');
}

const kFormats = { json, junit, sarif, github };

module.exports = { kFormats };
