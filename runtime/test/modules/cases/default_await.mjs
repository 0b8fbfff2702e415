import { EOL as end } from 'os';
export const list = [await 1, await (await end)];
export default await new Promise((resolve) => resolve(list));
