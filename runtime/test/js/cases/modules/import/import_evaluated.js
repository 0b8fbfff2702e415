'use strict';

// import() in code that was made from text: relative to the file that made it.
const vm = require('vm');

const log = (name) => [(module) => console.log(name, module.named ?? typeof module.readFile), (error) => console.log(name, error.code, error.message)];

(async () => {
  const given = '../support/evaluated.mjs';
  await new Function('name', 'return import(name)')(given).then(...log('Function'));
  await (0, eval)(`import(${JSON.stringify(given)})`).then(...log('indirect eval'));
  await eval(`import(${JSON.stringify(given)})`).then(...log('eval'));
  const AsyncFunction = (async () => {}).constructor;
  await new AsyncFunction('return import("fs")')().then(...log('AsyncFunction'));
  await new Function('return import("../support/nowhere.mjs")')().catch((error) => console.log(error.code));
  await vm.runInThisContext('import("fs")').then(...log('script'));
  await vm.runInNewContext('import("fs")').then(...log('context'));
  await new vm.Script('import("fs")', { importModuleDynamically() {} }).runInThisContext().then(...log('own importer'));
  await new Promise((resolve) => setTimeout(resolve, 1));
  await new Function('name', 'return import(name)')(given).then(...log('later'));
})();
