import { each } from '../../steps.mjs';
console.log(each.name);
export const first = async (text) => `first ${text}`;
export const second = async () => 'second';
