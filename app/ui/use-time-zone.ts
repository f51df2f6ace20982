import { currentZone } from '#app/domain/time/zoned-time.ts';
import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** The part of `Temporal` (TC39) used here; TypeScript has no types for it yet. */
interface WithTemporal {
  Temporal?: { Now: { timeZoneId(): string } };
}

/** The device's IANA zone, as the browser names it. `Temporal` first: creating the first `DateTimeFormat` takes 25 ms. */
export function deviceTimeZone(): string {
  const { Temporal } = globalThis as WithTemporal;
  return Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The device's IANA zone under its current name; empty until scripts run. */
export function useTimeZone(): string {
  return useSyncExternalStore(
    never,
    () => currentZone(deviceTimeZone()),
    () => '',
  );
}
