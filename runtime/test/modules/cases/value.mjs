import a from 'a'
export default a
/* no semicolon */
a()
