import './b.mjs'; import {x1} from './leaf.mjs';
