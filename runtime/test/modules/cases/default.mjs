import a from 'a'
export default /* value */
  (a, a)
