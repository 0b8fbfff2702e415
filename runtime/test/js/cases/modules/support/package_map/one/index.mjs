import other from 'other'; export default 'one, import, with ' + other;
