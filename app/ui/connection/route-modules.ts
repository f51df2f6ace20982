import { useLocation, type UNSAFE_RouteModules as RouteModules } from '@remix-run/react';
import { useEffect } from 'react';
import { MODULE_FAILED } from '#app/domain/messages.ts';

/** How many code modules are loading, for the loading bar. */
let pending = 0;
const listeners = new Set<() => void>();

function change(by: number): void {
  pending += by;
  for (const listener of listeners) listener();
}

/** Counts a module as loading until the returned function is called. */
function moduleOnItsWay(): () => void {
  change(1);
  return () => change(-1);
}

export const isModuleOnItsWay = (): boolean => pending > 0;

export function watchModules(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A page's code did not load, even after retries. */
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

/** Three retries, one second apart. */
export const MODULE_RETRY: RetryOptions = { retries: 3, pauseMs: 1000 };

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Loads a module, with retries. Each retry has its own address, because browsers may remember that a module could not be
 * loaded.
 * @throws ModuleLoadError after the last attempt
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
 * Replaces a page whose code did not load. Remix swallows a failed module, so this throws when the page renders: the nearest
 * error boundary shows it inside the frame. Returning later reloads the page.
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
 * Replaces Remix's own `loadRouteModule` (see `scripts/route-module-loader.ts`), which reloads the current page as soon as
 * one file fails to load: everything typed there is lost, and the requested page is not reached either. This one retries
 * first.
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
