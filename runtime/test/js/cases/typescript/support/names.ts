export interface Named { name: string }
export type Id = number | string;
export const list: Named[] = [{ name: 'a' }, { name: 'b' as string }];
export function first<T>(items: readonly T[]): T | undefined {
  return items[0];
}
export class Box<T> {
  readonly #value: T;
  private count?: number;
  declare later: string;
  constructor(value: T) {
    this.#value = value;
  }
  get value(): T { return this.#value!; }
  map<U>(this: Box<T>, f: (value: T) => U): Box<U> {
    return new Box<U>(f(this.value));
  }
}
export default (a: number, b?: number): number => a + (b ?? 0);
