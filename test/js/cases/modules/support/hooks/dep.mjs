export default 'dep';
