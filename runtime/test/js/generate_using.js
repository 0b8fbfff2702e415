'use strict';

// Random programs with `using` and `await using`, for comparing with Node: `generate_using.js SEED [esm]` prints one. Blocks, loops, switch
// statements, generators and functions of every kind are nested; resources fail at random; a second chain of promises counts the
// turns, so that an await too many or too few shows.

let state = Number(process.argv[2] ?? 1) * 2654435761 % 2 ** 32;
function random(n) {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  state >>>= 0;
  return state % n;
}
const pick = (list) => list[random(list.length)];
const chance = (percent) => random(100) < percent;

let names = 0;
const fresh = () => `v${names++}`;

function resource(isLater) {
  const name = fresh();
  const kinds = isLater ? ['later', 'later', 'both', 'now', 'slow'] : ['now', 'now', 'both'];
  if (chance(12)) return pick(['null', 'undefined']);
  if (chance(4)) return pick(['5', '{}', '"text"', '{ [Symbol.dispose]: 1 }']);
  return `make('${name}', '${pick(kinds)}', ${chance(20)})`;
}

function declaration(context) {
  const isLater = context.isAsync && chance(50);
  const count = chance(25) ? 2 : 1;
  const list = Array.from({ length: count }, () => `${fresh()} = ${resource(isLater)}`);
  return `${isLater ? 'await using' : 'using'} ${list.join(', ')};`;
}

function exits(context) {
  const list = [`throw new Error('${fresh()}');`];
  if (context.inFunction) list.push(`return '${fresh()}';`);
  if (context.inLoop) list.push('break;', 'continue;');
  return chance(50) ? `if (coin()) ${pick(list)}` : `if (coin()) { ${pick(list)} }`;
}

function statement(context, depth) {
  const inner = (more) => block({ ...context, ...more }, depth - 1);
  const options = [() => `log('${fresh()}');`, () => declaration(context), () => declaration(context), () => exits(context)];
  if (context.isAsync) options.push(() => `await log('${fresh()}');`);
  if (context.isGenerator) options.push(() => `yield '${fresh()}';`);
  if (depth > 0) {
    const isLater = context.isAsync && chance(40);
    const word = isLater ? 'await using' : 'using';
    options.push(
      () => inner({}),
      () => `try ${inner({})} catch (e) { log(tell(e)); }`,
      () => `try ${inner({})} finally { log('${fresh()}'); }`,
      () => `for (let i = 0; i < 2; i++) ${inner({ inLoop: true })}`,
      () => `for (${word} ${fresh()} of [${resource(isLater)}, ${resource(isLater)}]) ${chance(80) ? inner({ inLoop: true }) : `log('${fresh()}');`}`,
      () => {
        // Nothing in it throws: V8 would dispose of the resources of such a loop twice.
        const label = `L${names++}`;
        const kind = isLater ? 'later' : 'now';
        return `${label}: for (${word} ${fresh()} = make('${fresh()}', '${kind}', false), n${names} = counter(); n${names++}.more(); ) ` +
          `{ log('${fresh()}'); if (coin()) ${pick(['break', 'continue', `break ${label}`, `continue ${label}`])}; log('${fresh()}'); }`;
      },
      () => `switch (1) { case 1: ${inner({})} default: log('${fresh()}'); }`,
      () => routine(context, depth - 1),
    );
  }
  return pick(options)();
}

function block(context, depth) {
  const count = 1 + random(4);
  return `{ ${Array.from({ length: count }, () => statement(context, depth)).join(' ')} }`;
}

// A function, called at once.
function routine(context, depth) {
  const name = `f${names++}`;
  const isAsync = context.isAsync && chance(60);
  const isGenerator = chance(25);
  const body = block({ isAsync, isGenerator, inFunction: true }, depth);
  const head = `${isAsync ? 'async ' : ''}function${isGenerator ? '*' : ''} ${name}() ${body}`;
  if (!isGenerator) return `${head} log(${isAsync ? 'await ' : ''}${name}());`;
  const loop = isAsync ? 'for await' : 'for';
  return `${head} ${loop} (const item of ${name}()) { log(item); ${chance(30) ? 'break;' : ''} }`;
}

const isModule = process.argv[3] === 'esm';
const lines = [`
${isModule ? '' : "'use strict';"}
let flips = ${random(1000)};
const coin = () => (flips = (flips * 16807 + 7) % 2147483647) % 3 === 0;
const log = (text) => { console.log(text); return text; };
const tell = (e) => (e instanceof SuppressedError ? \`(\${tell(e.error)} over \${tell(e.suppressed)})\` : e instanceof Error ? e.message : String(e));
const counter = () => ({ left: 2, more() { return this.left-- > 0; }, [Symbol.dispose]() { log('counter'); } , async [Symbol.asyncDispose]() { log('counter later'); } });
function make(name, kind, fails) {
  log(\`make \${name}\`);
  const now = () => { log(\`now \${name}\`); if (fails) throw new Error(\`failed \${name}\`); };
  const later = async () => { log(\`later \${name}\`); if (fails) throw new Error(\`failed \${name}\`); };
  const slow = async () => { await null; await null; return later(); };
  const result = {};
  if (kind === 'now' || kind === 'both') result[Symbol.dispose] = now;
  if (kind === 'later' || kind === 'both') result[Symbol.asyncDispose] = later;
  if (kind === 'slow') result[Symbol.asyncDispose] = slow;
  return result;
}
let turns = 0;
let isOver = false;
(async () => { while (!isOver) { await null; turns++; } })();
`];
for (let i = 0; i < 6; i++) {
  lines.push(`async function part${i}() ${block({ isAsync: true, inFunction: true }, 3)}`);
  lines.push(`function plain${i}() ${block({ isAsync: false, inFunction: true }, 3)}`);
}
lines.push(`
async function main() {
  for (const part of [${Array.from({ length: 6 }, (_, i) => `part${i}, plain${i}`).join(', ')}]) {
    log(\`-- \${part.name}\`);
    const before = turns;
    try {
      log(\`gave \${await part()}\`);
    } catch (e) {
      log(\`threw \${tell(e)}\`);
    }
    log(turns - before);
  }
  isOver = true;
}
${isModule ? `await main();\n${declaration({ isAsync: true })}\n${declaration({ isAsync: true })}\nexport const seen = log('exported');` : 'main();'}
`);
console.log(lines.join('\n'));
