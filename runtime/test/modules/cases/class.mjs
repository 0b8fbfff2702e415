import a from 'a'; export default class extends a { m() { return a } }
