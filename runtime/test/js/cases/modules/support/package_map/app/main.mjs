import { createRequire } from 'node:module';
import first from 'first';
import nested from './inner/index.mjs';
const require = createRequire(import.meta.url);
console.log(first, '|', require('first'), '|', require('first/lib/index'), '|', nested);
const here = (text) => text.replaceAll(import.meta.dirname.replace(/app$/, ''), '');
for (const specifier of ['other', 'lost', 'first/none']) {
  await import(specifier).catch((error) => console.log(error.code, here(error.message)));
  try {
    require(specifier);
  } catch (error) {
    console.log(error.code, here(error.message.split('\n')[0]));
  }
}
