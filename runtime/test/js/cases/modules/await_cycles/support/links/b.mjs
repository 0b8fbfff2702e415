import {x2} from './leaf.mjs'; import './main.mjs'
