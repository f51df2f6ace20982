import { afterEach, expect, it, vi } from 'vitest';
import { deviceTimeZone } from '#app/ui/device-time-zone.ts';

afterEach(() => vi.unstubAllGlobals());

it('the device’s time zone comes from Temporal, without creating a format', () => {
  vi.stubGlobal('Temporal', { Now: { timeZoneId: () => 'Asia/Kathmandu' } });
  const format = vi.spyOn(Intl, 'DateTimeFormat');
  expect(deviceTimeZone()).toBe('Asia/Kathmandu');
  expect(format).not.toHaveBeenCalled();
  format.mockRestore();
});

it('the device’s time zone comes from a format in a browser without Temporal', () => {
  vi.stubGlobal('Temporal', undefined);
  expect(deviceTimeZone()).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);
});
