export default function
  * () { yield arguments }
