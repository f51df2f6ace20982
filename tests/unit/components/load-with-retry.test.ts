import { describe, expect, it, vi } from 'vitest';
import { loadWithRetry, ModuleLoadError, MODULE_RETRY } from '#app/ui/connection/route-modules.ts';

describe('loading a page’s code', () => {
  it('is retried three times, one second apart', () => {
    expect(MODULE_RETRY).toEqual({ retries: 3, pauseMs: 1000 });
  });

  it('succeeds at the third attempt, with a new address for each retry', async () => {
    const asked: string[] = [];
    const load = (address: string) => {
      asked.push(address);
      return asked.length < 3 ? Promise.reject(new TypeError('no')) : Promise.resolve('module');
    };
    expect(await loadWithRetry('/assets/a.js', load, { retries: 3, pauseMs: 0 })).toBe('module');
    expect(asked).toEqual(['/assets/a.js', '/assets/a.js?retry=1', '/assets/a.js?retry=2']);
  });

  it('fails with the last error', async () => {
    const load = vi.fn(() => Promise.reject(new TypeError('no')));
    const failed = loadWithRetry('/assets/a.js', load, { retries: 3, pauseMs: 0 });
    await expect(failed).rejects.toThrow(ModuleLoadError);
    await expect(failed).rejects.toThrow('Component Loading Error');
    expect(load).toHaveBeenCalledTimes(4);
  });
});
