import path from 'node:path';
import { pathToFileURL } from 'node:url';

interface BuiltRoute {
  id: string;
  parentId?: string;
  path?: string;
  index?: boolean;
  module: { loader?: unknown; action?: unknown; default?: unknown };
}

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
export async function readManifest(): Promise<ManifestRoute[]> {
  const file = pathToFileURL(path.resolve('build/server/remix.js')).href;
  const { routes } = (await import(file)) as { routes: Record<string, BuiltRoute> };
  const patternOf = ({ parentId, path: own = '' }: BuiltRoute): string => {
    const parent = parentId === undefined ? undefined : routes[parentId];
    return `${parent ? patternOf(parent) : ''}${own ? `/${own}` : ''}`;
  };
  const parents = new Set(Object.values(routes).map(({ parentId }) => parentId));
  return Object.values(routes).map((route) => ({
    id: route.id,
    pattern: patternOf(route) || '/',
    isLayout: parents.has(route.id),
    hasAction: route.module.action !== undefined,
  }));
}
