import { useLocation, type UNSAFE_RouteModules as RouteModules } from '@remix-run/react';
import { useEffect } from 'react';
import { loadWithRetry, ModuleLoadError } from './load-with-retry.ts';
import { moduleOnItsWay } from './module-status.ts';

interface RouteEntry {
  id: string;
  module: string;
}

/**
 * What stands for a page whose code did not come. Remix drops a module's failure on its way, so the failure is told when
 * the page is drawn: the nearest error boundary then shows it, with the frame around it. Coming back later loads the page anew.
 */
function missingModule(error: unknown): RouteModules[string] {
  let shownAt: string | undefined;
  function Missing() {
    const { key } = useLocation();
    shownAt ??= key;
    const isLater = shownAt !== key;
    useEffect(() => {
      if (isLater) window.location.reload();
    }, [isLater]);
    if (isLater) return null;
    throw error;
  }
  return { default: Missing };
}

/**
 * Stands in for Remix's own `loadRouteModule` (see `scripts/route-module-loader.ts`), which reloads the page that is shown
 * as soon as one file does not come: whatever was typed there is lost, and the page asked for is not reached either.
 * This one tries again first.
 */
export async function loadRouteModule(route: RouteEntry, cache: RouteModules) {
  const known = cache[route.id];
  if (known) return known;
  const arrived = moduleOnItsWay();
  try {
    cache[route.id] = await loadWithRetry(route.module, (address) => import(/* @vite-ignore */ address));
  } catch (error) {
    if (!(error instanceof ModuleLoadError)) throw error;
    cache[route.id] = missingModule(error);
  } finally {
    arrived();
  }
  return cache[route.id];
}
