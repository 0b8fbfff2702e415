// What a program may do with os.constants.
const os = require('os');
const t = (n, o) => console.log(n, Object.isFrozen(o), Object.isExtensible(o), Object.isSealed(o), Object.getPrototypeOf(o) === null, JSON.stringify(Object.getOwnPropertyDescriptor(o, Object.keys(o)[0])));
t('os', os.constants); for (const k of Object.keys(os.constants)) if (typeof os.constants[k] === 'object') t(k, os.constants[k]);
os.constants.errno.MINE = 1;
console.log(os.constants.errno.MINE);
