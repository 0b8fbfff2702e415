export { default } from 'first';
