import type { ServerBuild } from '@remix-run/node';

/** A route as the build lists it; `path` is what it adds to its parent's. */
type Routes = ServerBuild['routes'];

/** Segments of a path that is looked at; deeper ones are left to the router. */
const DEPTH = 2;
/** Stands for a segment that no route names: only parameters match it. */
const OTHER = '*';
/** Stands after the last segment: only what may be missing matches it. */
const END = '';

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

/** True when the segment of a route matches others than itself: a parameter, the rest of a path, one that may be missing. */
const isOpen = (segment: string): boolean => /^[:*]|\?$/.test(segment);

/** The segments of each route with its parents'. */
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

/** True when a path that begins with the segments of the key may be this route's, or that of a page below it. */
function mayMatch(route: readonly string[], key: readonly string[]): boolean {
  const open = route.findIndex((segment) => segment.endsWith('?') || segment === '*');
  const fixed = open === -1 ? route : route.slice(0, open);
  return key.every((segment, at) => {
    const own = fixed[at];
    return own === undefined || own === segment || (segment !== END && isOpen(own));
  });
}

/** The segments that a request asks for, as the router compares them; null when they cannot be read. */
function askedSegments(pathname: string): string[] | null {
  // To the router this may be a segment called `.data` as well as the data of the page before it.
  if (pathname.endsWith('/.data')) return null;
  const page = pathname.replace(/\.data$/, '').replace(/^\/_root$/, '/');
  try {
    return segmentsOf(page).map((segment) => decodeURIComponent(segment).toLowerCase());
  } catch {
    return null;
  }
}

/**
 * Parts of a build, each with the routes that can match a group of paths and those that frame them. The router ranks all
 * routes anew for each question about a path, several times a request: with a few hundred of them that took a third of
 * the time of a page.
 */
export class RouteParts {
  readonly #build: ServerBuild;
  readonly #paths: Map<string, string[]>;
  /** Beginnings of paths that routes name. */
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
   * The part that answers a path as the whole build would. There are at most as many as beginnings of paths that routes
   * name, whatever is asked for.
   * @param pathname as in the address, escapes included
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
