export { constant as passed } from '../../early.mjs';
