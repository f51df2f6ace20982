/** The most different names. Words of routes can be combined at will by whoever sends requests. */
const MOST_NAMES = 1000;

/**
 * Names the route of a request for the metrics: its path, with `:id` for every part that is not a word of any route, such as an
 * id or a secret. Requests that no route took, and those beyond {@link MOST_NAMES}, are `other`.
 * @param paths the paths of all routes, with parameters such as `:id` or `{id}`
 */
export function routeNames(paths: Iterable<string>): (path: string, status: number) => string {
  const words = new Set(
    [...paths].flatMap((path) => path.split('/')).filter((part) => /^[\w.-]+$/.test(part)),
  );
  const names = new Set<string>();
  return (path, status) => {
    if (status === 404 || status === 405) return 'other';
    // Remix asks for a page's data under the page's address with this ending.
    const parts = path
      .replace(/\.data$/, '')
      .split('/')
      .filter((part) => part !== '');
    const name = `/${parts.map((part) => (words.has(part) ? part : ':id')).join('/')}`;
    if (!names.has(name) && names.size >= MOST_NAMES) return 'other';
    names.add(name);
    return name;
  };
}
