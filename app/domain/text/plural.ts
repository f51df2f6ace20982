/** Formatting the first number with `Intl` takes a phone 15 ms, and most counts need no separator. */
const figure = (count: number): string =>
  Number.isInteger(count) && count >= 0 && count < 1000 ? String(count) : count.toLocaleString('en');

/**
 * A count with its noun: "1 dose", "1,200 doses".
 * @param many the plural, when it is not `one` with an "s"
 */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${figure(count)} ${count === 1 ? one : many}`;
}
