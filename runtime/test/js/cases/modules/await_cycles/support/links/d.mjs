import {q} from './c1.mjs'
