/**
 * A count with its noun: "1 dose", "1,200 doses".
 * @param many the plural, when it is not `one` with an "s"
 */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
