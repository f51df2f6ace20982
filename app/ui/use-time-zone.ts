import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** The browser's IANA zone; empty until scripts run. */
export function useTimeZone(): string {
  return useSyncExternalStore(
    never,
    () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => '',
  );
}
