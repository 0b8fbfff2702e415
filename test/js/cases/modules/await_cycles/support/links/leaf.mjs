export let y
