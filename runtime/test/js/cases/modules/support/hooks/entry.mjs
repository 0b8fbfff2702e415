import dep from './dep.mjs';
import virtual from 'virtual:hello';
export { dep, virtual };
