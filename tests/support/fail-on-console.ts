import { afterEach, expect, vi } from 'vitest';

/** An unexpected `console.error` or `console.warn` fails the test; a test that expects one must spy on it. */
const error = vi.spyOn(console, 'error');
const warn = vi.spyOn(console, 'warn');

afterEach(() => {
  const calls = [...error.mock.calls, ...warn.mock.calls];
  error.mockClear();
  warn.mockClear();
  expect(calls, 'unexpected console output').toEqual([]);
});
