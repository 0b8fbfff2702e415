export default async function () { return await 1 }
await import('x'); const é = await f(await 2), 名前 = { é }; for await (const x of y) x
import f, { y } from './é.mjs'
if (await f) { await y } else await f()
export const arrow = async () => { await f }, object = { async f() { await f } }
late(); import { late } from 'late'; function shadow(late) { return late }
