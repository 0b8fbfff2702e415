import './required_await_inner.mjs';
export default 1;
