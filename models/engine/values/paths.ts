const INDEX = /^(?:0|[1-9]\d{0,8})$/;

/** True for a part that can address an array element: digits without a leading zero. */
export function isIndex(part: string): boolean {
  return INDEX.test(part);
}
