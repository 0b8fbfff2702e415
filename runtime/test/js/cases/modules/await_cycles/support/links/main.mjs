import './a.mjs'; import {x0} from './leaf.mjs'; export {q as r} from './c1.mjs'
