export {p as q} from './c2.mjs'
