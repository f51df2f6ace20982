import { useLocation, type UNSAFE_RouteModules as RouteModules } from '@remix-run/react';
import { useEffect } from 'react';
import { MODULE_FAILED } from '#app/domain/messages.ts';

/** Whether the code of a page is on its way; what the loading bar says. */
let pending = 0;
const listeners = new Set<() => void>();

function change(by: number): void {
  pending += by;
  for (const listener of listeners) listener();
}

/** Counts a piece of code as on its way until the returned function is called. */
function moduleOnItsWay(): () => void {
  change(1);
  return () => change(-1);
}

export const isModuleOnItsWay = (): boolean => pending > 0;

export function watchModules(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The code of a page did not come, whatever was tried. */
export class ModuleLoadError extends Error {
  override name = 'ModuleLoadError';
  constructor(cause: unknown) {
    super(MODULE_FAILED, { cause });
  }
}

export interface RetryOptions {
  retries: number;
  pauseMs: number;
}

/** Three more tries, one second apart. */
export const MODULE_RETRY: RetryOptions = { retries: 3, pauseMs: 1000 };

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Loads a module, trying again when it does not come. Each further try has an address of its own, because browsers may
 * remember that a module could not be loaded.
 * @throws ModuleLoadError after the last try
 */
export async function loadWithRetry<Module>(
  address: string,
  load: (address: string) => Promise<Module>,
  { retries, pauseMs }: RetryOptions = MODULE_RETRY,
): Promise<Module> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await load(attempt === 0 ? address : `${address}?retry=${attempt}`);
    } catch (error) {
      if (attempt === retries) throw new ModuleLoadError(error);
      await pause(pauseMs);
    }
  }
}

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
