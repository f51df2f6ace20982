const BASE = 'https://vialbook.invalid';

/**
 * The path to go to after sign-in, if it is a path of this site; otherwise `fallback`.
 * Refuses `//host`, `/\host`, control characters, other schemes, and encodings of them (ASVS 3.7.2).
 */
export function safeRedirect(target: unknown, fallback = '/dashboard'): string {
  if (typeof target !== 'string' || target.length > 2000) return fallback;
  // eslint-disable-next-line no-control-regex -- browsers drop control characters from URLs, so none may pass
  if (!target.startsWith('/') || /[\\\u0000-\u001f\u007f]/.test(target)) return fallback;
  let decoded: string;
  try {
    decoded = decodeURIComponent(target);
  } catch {
    return fallback;
  }
  if (/^\/[/\\]/.test(target) || /^\/[/\\]/.test(decoded)) return fallback;
  const url = new URL(target, BASE);
  if (url.origin !== BASE || url.pathname.startsWith('//')) return fallback;
  return `${url.pathname}${url.search}${url.hash}`;
}

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
