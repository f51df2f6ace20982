import { currentZone } from '#app/domain/time/zoned-time.ts';
import { useSyncExternalStore } from 'react';
import { deviceTimeZone } from './device-time-zone.ts';

const never = () => () => {};

/** The device's IANA zone under its current name; empty until scripts run. */
export function useTimeZone(): string {
  return useSyncExternalStore(
    never,
    () => currentZone(deviceTimeZone()),
    () => '',
  );
}
