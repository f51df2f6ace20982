import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** True once scripts run. What needs them is hidden before, not dead. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
