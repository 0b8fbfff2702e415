export {q as p} from './c1.mjs'
