// Variables of a module that has not run yet, by the modules that it imports; attributes that are not known.
export { early } from './support/early.mjs';
export const constant = 1;
export let variable = 2;
export class Class {}
export function hoisted() { return typeof hoisted; }
const shown = (error) => console.log(error.code, error.message.replace(/(?:file:.*|\/)\/support\//, ''));
const attributes = [{ type: 'css' }, { type: 'xml' }].map((given) => ({ with: given }));
import('node:fs', attributes[0]).catch(shown)
  .then(() => import('node:fs', attributes[1])).catch(shown)
  .then(() => import('./support/early.mjs', attributes[0])).catch(shown)
  .then(() => import('./support/early.mjs', attributes[1])).catch(shown);
