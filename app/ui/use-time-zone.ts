import { currentZone } from '#app/domain/time/time-zone.ts';
import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** The browser's IANA zone by its present name; empty until scripts run. */
export function useTimeZone(): string {
  return useSyncExternalStore(
    never,
    () => currentZone(Intl.DateTimeFormat().resolvedOptions().timeZone),
    () => '',
  );
}
