import { currentZone } from '#app/domain/time/zoned-time.ts';
import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** What is used of `Temporal` (TC39), which TypeScript does not describe yet. */
interface WithTemporal {
  Temporal?: { Now: { timeZoneId(): string } };
}

/** The device's IANA zone, as the browser calls it. Its first format takes a browser 25 ms, so `Temporal` goes first. */
export function deviceTimeZone(): string {
  const { Temporal } = globalThis as WithTemporal;
  return Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The device's IANA zone by its present name; empty until scripts run. */
export function useTimeZone(): string {
  return useSyncExternalStore(
    never,
    () => currentZone(deviceTimeZone()),
    () => '',
  );
}
