import * as main from '../../functions.mjs';
console.log(Reflect.ownKeys(main), main.ofMain('another'));
export default await (async () => 'an expression')();
