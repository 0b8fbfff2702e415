// Constructors of derived errors are no part of their stacks.
class WithConstructor extends Error { constructor(message) { super(message); } }
class Twice extends WithConstructor { constructor(message) { super(message); this.more = 1; } }
class Plain extends RangeError {}
class PlainOfOther extends WithConstructor {}
class Late extends TypeError { constructor(...all) { const text = `${all.length} given`; super(text); } }
class Together extends AggregateError { constructor() { super([], 'together'); } }
class Nested extends Error { constructor(again) { super('nested'); if (again) this.inner = new Nested(false); } }
function Reflected(message) { return Reflect.construct(Error, [message], Reflected); }
function Old(message) { const error = new Error(message); Object.setPrototypeOf(error, Old.prototype); return error; }

const names = (error) => error.stack.split('\n').slice(1, 3).map((line) => line.replace(/\(.*[/\\]/, '('));
function make(Kind) { return new Kind('text'); }
for (const Kind of [WithConstructor, Twice, Plain, PlainOfOther, Late, Together, Reflected, Old, Twice.bind(null), new Proxy(WithConstructor, {})]) {
  console.log(Kind.name, names(make(Kind)));
}
const nested = make(Nested);
console.log(names(nested), names(nested.inner));
console.log(Reflect.construct(Error, ['far'], function away() {}).stack);
Error.stackTraceLimit = 1;
console.log(names(make(Twice)));
Error.prepareStackTrace = (error, sites) => sites.map((site) => `${site.getFunctionName()} ${site.isConstructor()}`);
console.log(make(Twice).stack);
