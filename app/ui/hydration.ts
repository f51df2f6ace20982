import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** True once scripts run. Until then, hide what needs them rather than show it without effect. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

/** Calls `run` when the browser is idle. @returns a function that cancels it */
export function whenIdle(run: () => void): () => void {
  // Safari has no idle callback.
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(run, 1500);
    return () => clearTimeout(timer);
  }
  const id = requestIdleCallback(run, { timeout: 5000 });
  return () => cancelIdleCallback(id);
}
