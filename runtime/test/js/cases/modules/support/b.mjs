export let x = 1; export const y = 'why'; export function inc() { x++; }
export default function () { return 'def' + hoisted(); }
import { later } from './cyc.mjs';
function hoisted() { return later; }
export * from './cyc.mjs';
export * as cyc from './cyc.mjs';
