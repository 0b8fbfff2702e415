'use strict';

// How many jobs each step of await, for await and asynchronous generators takes: a row of microtasks is counted beside it.

const tests = {
  async awaitNum(L) {await 1;L('a')},
  async awaitP(L) {await Promise.resolve(1);L('a')},
  async awaitThenable(L) {await {then(r){L('then');r(1)}};L('a')},
  async retP(L) {(async()=>Promise.resolve(1))().then(()=>L('a'))},
  async retThenable(L) {(async()=>({then(r){L('then');r(1)}}))().then(()=>L('a'))},
  async awaitRej(L) {try{await Promise.reject(1)}catch{L('a')}},
  async agEmpty(L) {(async function*(){})().next().then(()=>L('a'))},
  async agYield(L) {const g=(async function*(){L('s');yield 1;L('e')})();g.next().then(()=>L('a'));g.next().then(()=>L('b'));g.next().then(()=>L('c'))},
  async agYieldP(L) {const g=(async function*(){L('s');yield Promise.resolve(1);L('e')})();g.next().then(()=>L('a'));g.next().then(()=>L('b'));g.next().then(()=>L('c'))},
  async agYieldRej(L) {const g=(async function*(){L('s');try{yield Promise.reject(1)}catch{L('ct')}L('e')})();g.next().then(()=>L('a'));g.next().then(()=>L('b'));g.next().then(()=>L('c'))},
  async agRet(L) {const g=(async function*(){return 1})();g.next().then(()=>L('a'));g.next().then(()=>L('b'))},
  async agRetP(L) {const g=(async function*(){return Promise.resolve(1)})();g.next().then(()=>L('a'));g.next().then(()=>L('b'))},
  async agRetRej(L) {const g=(async function*(){return Promise.reject(1)})();g.next().catch(()=>L('a'));g.next().then(()=>L('b'))},
  async agThrow(L) {const g=(async function*(){throw 1})();g.next().catch(()=>L('a'));g.next().then(()=>L('b'))},
  async agReturnStart(L) {const g=(async function*(){yield 1})();g.return(5).then(()=>L('a'));g.next().then(()=>L('b'))},
  async agReturnStartP(L) {const g=(async function*(){yield 1})();g.return(Promise.resolve(5)).then(()=>L('a'));g.next().then(()=>L('b'))},
  async agReturnStartRej(L) {const g=(async function*(){yield 1})();g.return(Promise.reject(5)).catch(()=>L('a'));g.next().then(()=>L('b'))},
  async agReturnTh(L) {const g=(async function*(){yield 1})();g.return({then(r){L('th');r(1)}}).then(()=>L('a'));g.next().then(()=>L('b'))},
  async agReturnGetThrow(L) {const g=(async function*(){yield 1})();g.return({get then(){throw 1}}).catch(()=>L('a'));g.next().then(()=>L('b'))},
  async agThrowStart(L) {const g=(async function*(){yield 1})();g.throw(5).catch(()=>L('a'));g.next().then(()=>L('b'))},
  async agReturnMid(L) {const g=(async function*(){try{yield 1}finally{L('f')}})();g.next().then(()=>L('a'));g.return(2).then(()=>L('b'));g.next().then(()=>L('c'))},
  async agReturnMidP(L) {const g=(async function*(){try{yield 1}finally{L('f')}})();g.next().then(()=>L('a'));g.return(Promise.resolve(2)).then(()=>L('b'));g.next().then(()=>L('c'))},
  async agReturnMidRej(L) {const g=(async function*(){try{yield 1}catch(e){L('c'+e)}finally{L('f')}})();g.next().then(()=>L('a'));g.return(Promise.reject(2)).then(()=>L('b'));g.next().then(()=>L('c'))},
  async agReturnMidAwait(L) {const g=(async function*(){try{yield 1}finally{L('f');await 1;L('g')}})();g.next().then(()=>L('a'));g.return(2).then(()=>L('b'));g.next().then(()=>L('c'))},
  async agReturnYieldFin(L) {const g=(async function*(){try{yield 1}finally{L('f');yield 7;L('g')}})();g.next().then(()=>L('a'));g.return(2).then(()=>L('b'));g.next().then(()=>L('c'));g.next().then(()=>L('d'))},
  async agThrowMid(L) {const g=(async function*(){try{yield 1}catch{L('f')}})();g.next().then(()=>L('a'));g.throw(2).then(()=>L('b'));g.next().then(()=>L('c'))},
  async agThrowMid2(L) {const g=(async function*(){yield 1})();g.next().then(()=>L('a'));g.throw(2).catch(()=>L('b'));g.next().then(()=>L('c'))},
  async agAfterDone(L) {const g=(async function*(){})();await g.next();L('s');g.return(Promise.resolve(2)).then(()=>L('a'));g.throw(2).catch(()=>L('b'));g.next().then(()=>L('c'))},
  async agAfterDone2(L) {const g=(async function*(){})();await g.next();L('s');g.return(3).then(()=>L('a'));g.return({then(r){L('th');r(1)}}).then(()=>L('b'));g.next().then(()=>L('c'))},
  async forAwaitArr(L) {for await(const x of [1,2])L('x'+x);L('e')},
  async forAwaitArrP(L) {for await(const x of [Promise.resolve(1),2])L('x'+x);L('e')},
  async forAwaitArrRej(L) {try{for await(const x of [1,Promise.reject(2)])L('x'+x)}catch{L('c')};L('e')},
  async forAwaitTh(L) {for await(const x of [{then(r){L('th');r(1)}},2])L('x'+x);L('e')},
  async forAwaitBreak(L) {for await(const x of [1,2])break;L('e')},
  async forAwaitBreakG(L) {for await(const x of (function*(){try{yield 1}finally{L('f')}})())break;L('e')},
  async forAwaitBreakAG(L) {for await(const x of (async function*(){try{yield 1}finally{L('f')}})())break;L('e')},
  async forAwaitBreakAG2(L) {for await(const x of (async function*(){try{yield 1}finally{L('f');await 2}})())break;L('e')},
  async forAwaitThrowAG(L) {try{for await(const x of (async function*(){try{yield 1}finally{L('f')}})())throw 1}catch{L('e')}},
  async forAwaitRetAG(L) {await(async()=>{for await(const x of (async function*(){try{yield 1}finally{L('f')}})())return 1})();L('e')},
  async forAwaitRetAGp(L) {await(async()=>{for await(const x of (async function*(){try{yield 1}finally{L('f')}})())return Promise.resolve(1)})();L('e')},
  async forAwaitInAGret(L) {const g=(async function*(){for await(const x of (async function*(){try{yield 1}finally{L('f')}})())return Promise.resolve(1)})();g.next().then(()=>L('n'));},
  async forAwaitThrowSync(L) {try{for await(const x of (function*(){try{yield 1}finally{L('f')}})())throw 1}catch{L('e')}},
  async forAwaitManual(L) {for await(const x of {[Symbol.asyncIterator](){let i=0;return{next(){L('n');return{value:i,done:i++>1}}}}})L('x'+x);L('e')},
  async forAwaitManualRet(L) {for await(const x of {[Symbol.asyncIterator](){let i=0;return{next(){L('n');return{value:i,done:i++>1}},return(){L('r');return {}}}}})break;L('e')},
  async forAwaitManualRetBad(L) {try{for await(const x of {[Symbol.asyncIterator](){let i=0;return{next(){L('n');return{value:i,done:i++>1}},return(){L('r');return 1}}}})break;}catch(e){L('e'+e.name)}},
  async forAwaitManualThrowRet(L) {try{for await(const x of {[Symbol.asyncIterator](){let i=0;return{next(){L('n');return{value:i,done:i++>1}},return(){L('r');return Promise.reject(5)}}}})throw 4;}catch(e){L('e'+e)}},
  async forAwaitNextBad(L) {try{for await(const x of {[Symbol.asyncIterator](){let i=0;return{next(){L('n');return 1},return(){L('r');return Promise.reject(5)}}}})throw 4;}catch(e){L('e'+e.name)}},
  async forAwaitSyncRejClose(L) {try{for await(const x of (function*(){try{yield Promise.reject(1)}finally{L('f')}})());}catch(e){L('e'+e)}},
  async forAwaitSyncGetThrow(L) {try{for await(const x of (function*(){try{yield {get then(){throw 3}}}finally{L('f')}})());}catch(e){L('e'+e)}},
  async forAwaitSyncNoRet(L) {try{for await(const x of {[Symbol.iterator](){return{next(){return{value:Promise.reject(1)}}}}});}catch(e){L('e'+e)}},
  async ctorThrow(L) {try{await Object.defineProperty(Promise.resolve(1),'constructor',{get(){throw 3}})}catch(e){L('e'+e)}},
  async ctorThrowYield(L) {const g=(async function*(){try{yield Object.defineProperty(Promise.resolve(1),'constructor',{get(){throw 3}})}catch(e){L('e'+e)}})();g.next().then(()=>L('a'))},
  async ctorThrowRetAG(L) {const g=(async function*(){try{return Object.defineProperty(Promise.resolve(1),'constructor',{get(){throw 3}})}catch(e){L('e'+e)}})();g.next().then(()=>L('a'))},
  async ctorThrowReturn(L) {const g=(async function*(){try{yield 1}catch(e){L('e'+e)}})();await g.next();g.return(Object.defineProperty(Promise.resolve(1),'constructor',{get(){throw 3}})).then(()=>L('a'),()=>L('r'))},
  async ctorThrowReturnDone(L) {const g=(async function*(){})();await g.next();g.return(Object.defineProperty(Promise.resolve(1),'constructor',{get(){throw 3}})).then(()=>L('a'),()=>L('r'))},
  async ctorThrowForAwait(L) {try{for await(const x of (function*(){try{yield Object.defineProperty(Promise.resolve(1),'constructor',{get(){throw 3}})}finally{L('f')}})());}catch(e){L('e'+e)}},
  async ysArr(L) {const g=(async function*(){L('v'+(yield* [1,Promise.resolve(2)]))})();g.next().then(()=>L('a'));g.next().then(()=>L('b'));g.next().then(()=>L('c'))},
  async ysAG(L) {const g=(async function*(){L('v'+(yield* (async function*(){yield 1;yield 2;return 3})()))})();g.next().then(()=>L('a'));g.next().then(()=>L('b'));g.next().then(()=>L('c'))},
  async ysAGret(L) {const g=(async function*(){L('v'+(yield* (async function*(){try{yield 1;yield 2}finally{L('f')}})()))})();g.next().then(()=>L('a'));g.return(9).then(()=>L('b'));g.next().then(()=>L('c'))},
  async ysAGretP(L) {const g=(async function*(){L('v'+(yield* (async function*(){try{yield 1;yield 2}finally{L('f')}})()))})();g.next().then(()=>L('a'));g.return(Promise.resolve(1)).then(()=>L('b'));g.next().then(()=>L('c'))},
  async ysAGthrow(L) {const g=(async function*(){L('v'+(yield* (async function*(){try{yield 1;yield 2}catch{L('f')}})()))})();g.next().then(()=>L('a'));g.throw(1).then(()=>L('b'));g.next().then(()=>L('c'))},
  async ysAGthrow2(L) {const g=(async function*(){try{yield* (async function*(){yield 1;yield 2})()}catch{L('ct')}})();g.next().then(()=>L('a'));g.throw(1).then(()=>L('b'));g.next().then(()=>L('c'))},
  async ysManual(L) {const g=(async function*(){L('v'+(yield* {[Symbol.asyncIterator](){let i=0;return{next(v){L('n'+v);return{value:Promise.resolve(1),done:i++>0}},return(v){L('r');return{value:Promise.resolve(3),done:true}}}}}))})();g.next(1).then(v=>L('a'+(v.value instanceof Promise)));g.return(2).then(v=>L('b'+(v.value instanceof Promise)));g.next(3).then(()=>L('c'))},
  async ysManualNoRet(L) {const g=(async function*(){yield* {[Symbol.asyncIterator](){let i=0;return{next(v){L('n'+v);return{value:Promise.resolve(1),done:false}}}}}})();g.next(1).then(v=>L('a'));g.return(Promise.resolve(2)).then(v=>L('b'+v.value));g.next(3).then(()=>L('c'))},
  async ysManualNoThrow(L) {const g=(async function*(){try{yield* {[Symbol.asyncIterator](){let i=0;return{next(v){L('n'+v);return{value:Promise.resolve(1),done:false}},return(){L('r');return {}}}}}}catch(e){L('c'+e.name)}})();g.next(1).then(v=>L('a'));g.throw(2).then(v=>L('b'+v.value));g.next(3).then(()=>L('c'))},
  async ysManualNotDoneRet(L) {const g=(async function*(){yield* {[Symbol.asyncIterator](){let i=0;return{next(v){L('n'+v);return{value:Promise.resolve(1),done:false}},return(){L('r');return {value:8,done:false}}}}}})();g.next(1).then(v=>L('a'));g.return(2).then(v=>L('b'+v.value));g.next(3).then(()=>L('c'))},
  async ysSyncGenRet(L) {const g=(async function*(){yield* (function*(){try{yield 1}finally{L('f')}})()})();g.next(1).then(v=>L('a'));g.return(2).then(v=>L('b'+v.value));g.next(3).then(()=>L('c'))},
  async ysSyncGenThrow(L) {const g=(async function*(){yield* (function*(){try{yield 1}finally{L('f')}})()})();g.next(1).then(v=>L('a'));g.throw(2).catch(v=>L('b'+v));g.next(3).then(()=>L('c'))},
  async ysSyncNoThrow(L) {const g=(async function*(){try{yield* {[Symbol.iterator](){return{next(){return{value:1}},return(){L('r');return{}}}}}}catch(e){L('c'+e.name)}})();g.next(1).then(v=>L('a'));g.throw(2).then(v=>L('b'+v.value));g.next(3).then(()=>L('c'))},
  async ysRejValue(L) {const g=(async function*(){try{yield* (function*(){try{yield Promise.reject(1)}finally{L('f')}})()}catch(e){L('c'+e)}})();g.next(1).then(v=>L('a'));g.next(3).then(()=>L('c'))},
  async all(L) {Promise.all([1,Promise.resolve(2),{then(r){L('th');r(3)}}]).then(()=>L('a'))},
  async allEmpty(L) {Promise.all([]).then(()=>L('a'))},
  async allSettled(L) {Promise.allSettled([1,Promise.reject(2)]).then(()=>L('a'))},
  async any(L) {Promise.any([Promise.reject(1),Promise.reject(2)]).catch(()=>L('a'))},
  async race(L) {Promise.race([1,Promise.reject(2)]).then(()=>L('a'))},
  async fin(L) {Promise.resolve(1).finally(()=>L('f')).then(()=>L('a'))},
  async finP(L) {Promise.resolve(1).finally(()=>Promise.resolve(L('f'))).then(()=>L('a'))},
  async finRej(L) {Promise.reject(1).finally(()=>L('f')).catch(()=>L('a'))},
  async ptry(L) {Promise.try(()=>Promise.resolve(1)).then(()=>L('a'));Promise.try(()=>1).then(()=>L('b'));Promise.try(()=>{throw 1}).catch(()=>L('c'))},
  async thenRetP(L) {Promise.resolve().then(()=>Promise.resolve()).then(()=>L('a'))},
  async thenRetTh(L) {Promise.resolve().then(()=>({then(r){L('t');r()}})).then(()=>L('a'))},
  async resolveSelf(L) {const w=Promise.withResolvers();w.resolve(w.promise);w.promise.catch(()=>L('a'))},
  async subAwait(L) {class S extends Promise{};await S.resolve(1);L('a')},
  async subThenOver(L) {class S extends Promise{then(a,b){L('then');return super.then(a,b)}};await S.resolve(1);L('a')},
  async subAsyncRet(L) {class S extends Promise{then(a,b){L('then');return super.then(a,b)}};(async()=>S.resolve(1))().then(()=>L('a'))},
  async ownThen(L) {await Object.assign(Promise.resolve(1),{then(r){L('then');r(3)}});L('a')},
  async ownCtor(L) {await Object.assign(Promise.resolve(1),{constructor:Object});L('a')},
  async fromAsync(L) {await Array.fromAsync([1,Promise.resolve(2)]);L('a')},
  async fromAsync2(L) {await Array.fromAsync((async function*(){yield 1;yield 2})(),async x=>x);L('a')},
  async fromAsync3(L) {await Array.fromAsync({length:2,0:Promise.resolve(1),1:2});L('a')},
  async fromAsync5(L) {try{await Array.fromAsync([1,2],x=>{throw x})}catch(e){L('e'+e)}},
};

async function measure(name) {
  const seen = [];
  let jobs = 0;
  const count = () => { if (++jobs < 40) queueMicrotask(count); };
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', () => seen.push('unhandled'));
  await new Promise((resolve) => setImmediate(resolve));
  tests[name]((text) => seen.push(text + jobs));
  queueMicrotask(count);
  await new Promise((resolve) => setImmediate(resolve));
  console.log(name, seen.join(' '));
}

(async () => {
  for (const name in tests) await measure(name);
})();
