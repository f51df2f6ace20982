/** An address of this site with some of its query changed; `null` takes a name out. */
export function pageAddress(
  path: string,
  search: URLSearchParams,
  changes: Record<string, string | null> = {},
): string {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  const query = next.toString();
  return query ? `${path}?${query}` : path;
}
