import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { onStopSignal } from '#app/platform/stop-signal.server.ts';

const NAMES = ['SIGINT', 'SIGTERM'] as const;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('one call for all signals within a second; after that, a signal has its usual effect again', () => {
  const before = new Map(NAMES.map((name) => [name, process.listeners(name)]));
  const added = (name: (typeof NAMES)[number]) =>
    process.listeners(name).filter((listener) => !before.get(name)?.includes(listener));
  const send = (name: (typeof NAMES)[number]) => added(name).forEach((listener) => listener(name));

  const stop = vi.fn<(signal: string) => void>();
  onStopSignal(stop);
  send('SIGINT');
  vi.advanceTimersByTime(999);
  expect(NAMES.map((name) => added(name).length)).toEqual([1, 1]);
  send('SIGINT');
  send('SIGTERM');
  expect(stop.mock.calls).toEqual([['SIGINT']]);
  vi.advanceTimersByTime(1);
  expect(NAMES.map((name) => added(name).length)).toEqual([0, 0]);
});
