import { afterEach, expect, vi } from 'vitest';

/** An unexpected `console.error` or `console.warn` is a failure: a test that expects one spies on it itself. */
const error = vi.spyOn(console, 'error');
const warn = vi.spyOn(console, 'warn');

afterEach(() => {
  const calls = [...error.mock.calls, ...warn.mock.calls];
  error.mockClear();
  warn.mockClear();
  expect(calls, 'unexpected console output').toEqual([]);
});
