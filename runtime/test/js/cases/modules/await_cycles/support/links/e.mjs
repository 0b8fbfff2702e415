export * from './c2.mjs'; import {p} from './e.mjs'
