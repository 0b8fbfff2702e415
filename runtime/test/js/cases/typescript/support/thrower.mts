export type Unused = { a: number };
export function fail(why: string): never {
  throw new Error(why as string);
}
