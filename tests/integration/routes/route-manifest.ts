import { readBrowserManifest } from '../../../scripts/javascript-size.mjs';

/** A route of the built application. */
export interface ManifestRoute {
  id: string;
  /** Its whole path, with `:names` for parameters. */
  pattern: string;
  /** It only frames other routes. */
  isLayout: boolean;
  hasAction: boolean;
}

/** Every route of the build, as the router has them. */
export function readManifest(): ManifestRoute[] {
  const { routes } = readBrowserManifest('build/client');
  const patternOf = ({ parentId, path: own = '' }: (typeof routes)[string]): string => {
    const parent = parentId === undefined ? undefined : routes[parentId];
    return `${parent ? patternOf(parent) : ''}${own ? `/${own}` : ''}`;
  };
  const parents = new Set(Object.values(routes).map(({ parentId }) => parentId));
  return Object.values(routes).map((route) => ({
    id: route.id,
    pattern: patternOf(route) || '/',
    isLayout: parents.has(route.id),
    hasAction: route.hasAction,
  }));
}
