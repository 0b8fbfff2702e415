// A module that does not exist: the hint of the error.
import { pathToFileURL } from 'node:url';
const here = (text) => text?.replaceAll(import.meta.dirname, '');
const tries = ['./support/hooks/inner', './support/hooks', './support/hooks/', './nothing', 'no-such-package', 'no-such-package/file',
  pathToFileURL(`${import.meta.dirname}/support/hooks/inner`).href, './support/hooks/dep.mjs/x', './support/hooks/plain%2Fx'];
for (const specifier of tries) {
  await import(specifier).catch((error) => console.log(error.name, error.code, here(error.message), here(error.url)));
}
