import type { ServerBuild } from '@remix-run/node';

/** The build's routes; a route's `path` is appended to its parent's. */
type Routes = ServerBuild['routes'];

/** How many segments of a path are compared; the router compares the rest. */
const DEPTH = 2;
/** A segment that no route names; only parameters match it. */
const OTHER = '*';
/** The end of a path; only optional segments match it. */
const END = '';

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

/** True if a route's segment is a parameter, a splat or optional. */
const isOpen = (segment: string): boolean => /^[:*]|\?$/.test(segment);

/** The segments of each route, including its parents'. */
function pathsOf(routes: Routes): Map<string, string[]> {
  const paths = new Map<string, string[]>();
  const pathOf = (id: string): string[] => {
    const known = paths.get(id);
    if (known) return known;
    const { parentId, path = '' } = routes[id] ?? {};
    const whole = [...(parentId === undefined ? [] : pathOf(parentId)), ...segmentsOf(path.toLowerCase())];
    paths.set(id, whole);
    return whole;
  };
  Object.keys(routes).forEach(pathOf);
  return paths;
}

/** True if a path that begins with the key's segments may belong to this route or one below it. */
function mayMatch(route: readonly string[], key: readonly string[]): boolean {
  const open = route.findIndex((segment) => segment.endsWith('?') || segment === '*');
  const fixed = open === -1 ? route : route.slice(0, open);
  return key.every((segment, at) => {
    const own = fixed[at];
    return own === undefined || own === segment || (segment !== END && isOpen(own));
  });
}

/** The segments of a request's path, as the router compares them; null if they cannot be decoded. */
function askedSegments(pathname: string): string[] | null {
  // To the router this may be a segment called `.data`, or the data of the parent page.
  if (pathname.endsWith('/.data')) return null;
  const page = pathname.replace(/\.data$/, '').replace(/^\/_root$/, '/');
  try {
    return segmentsOf(page).map((segment) => decodeURIComponent(segment).toLowerCase());
  } catch {
    return null;
  }
}

/**
 * Splits a build into parts, each with the routes that can match a group of paths, and their parents. The router ranks all
 * routes again several times per request; with a few hundred routes that took a third of a page's time.
 */
export class RouteParts {
  readonly #build: ServerBuild;
  readonly #paths: Map<string, string[]>;
  /** Path beginnings that occur in routes. */
  readonly #named = new Set<string>();
  readonly #parts = new Map<string, ServerBuild>();

  constructor(build: ServerBuild) {
    this.#build = build;
    this.#paths = pathsOf(build.routes);
    for (const path of this.#paths.values()) {
      for (let depth = 1; depth <= Math.min(DEPTH, path.length); depth += 1) {
        const beginning = path.slice(0, depth);
        if (beginning.some(isOpen)) break;
        this.#named.add(beginning.join('/'));
      }
    }
  }

  /**
   * The part that handles a path exactly as the whole build would. The number of parts is limited by the path beginnings
   * that occur in routes, whatever is requested.
   * @param pathname as in the address, still escaped
   */
  partFor(pathname: string): ServerBuild {
    const key = this.#keyOf(pathname);
    if (key === null) return this.#build;
    const name = key.join('/');
    const known = this.#parts.get(name);
    if (known) return known;
    const part = this.#part(key);
    this.#parts.set(name, part);
    return part;
  }

  #keyOf(pathname: string): string[] | null {
    const asked = askedSegments(pathname);
    if (asked === null) return null;
    const [first, second] = asked;
    if (first === undefined) return [END];
    if (!this.#named.has(first)) return null;
    if (second === undefined) return [first, END];
    return [first, this.#named.has(`${first}/${second}`) ? second : OTHER];
  }

  #part(key: readonly string[]): ServerBuild {
    const kept = [...this.#paths].filter(([, path]) => mayMatch(path, key)).map(([id]) => id);
    const only = <Row>(rows: Record<string, Row>): Record<string, Row> =>
      Object.fromEntries(kept.flatMap((id) => (id in rows ? [[id, rows[id] as Row]] : [])));
    const { routes, assets } = this.#build;
    return {
      ...this.#build,
      routes: only(routes as Record<string, Routes[string]>) as Routes,
      assets: { ...assets, routes: only(assets.routes as Record<string, never>) } as ServerBuild['assets'],
    };
  }
}
