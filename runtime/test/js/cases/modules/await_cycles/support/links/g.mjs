import * as n from './c2.mjs'; console.log(n)
