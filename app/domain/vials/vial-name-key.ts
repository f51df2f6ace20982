/** The form in which vials of one compound find each other: capitals, blanks and ways of writing make no difference. */
export function vialNameKey(name: string): string {
  return name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}
