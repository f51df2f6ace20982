/** A name by its letters and digits alone: "bpc 157", "BPC-157" and "Bpc157" are one. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
