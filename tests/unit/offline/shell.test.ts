import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { serveShell, type Shell } from '#app/offline/app-shell.ts';
import { missingSince } from '#app/ui/connection/missing-page.ts';
import type { RequestEvent, ShellScope, WaitingEvent } from '#app/offline/worker-scope.ts';

const ORIGIN = 'https://vialbook.example';
const SHELL: Shell = {
  version: 'two',
  files: [
    { url: '/offline', revision: 'two' },
    { url: '/assets/entry-a1.js', revision: null },
  ],
};

/** In-memory caches. Every page and file responds with its own URL until the network is cut. */
function world(beforePage: () => Promise<void> = () => Promise.resolve()) {
  const stored = new Map<string, Map<string, Response>>([['vialbook-shell-one', new Map()]]);
  const listeners: Record<string, (event: never) => void> = {};
  const asked: Request[] = [];
  const state = { offline: false, missing: false, claimed: false, tookOver: false };
  const network = (request: Request) => {
    asked.push(request);
    if (state.offline) return Promise.reject(new TypeError('Failed to fetch'));
    const status = state.missing ? 404 : 200;
    return Promise.resolve(new Response(`network ${new URL(request.url).pathname}`, { status }));
  };
  const cacheOf = (name: string) => {
    const entries = stored.get(name) ?? new Map<string, Response>();
    stored.set(name, entries);
    return {
      match: (path: string) => Promise.resolve(entries.get(path)?.clone()),
      addAll: async (requests: Request[]) => {
        for (const request of requests) entries.set(new URL(request.url).pathname, await network(request));
      },
    };
  };
  const scope: ShellScope = {
    location: { origin: ORIGIN },
    clients: { claim: () => Promise.resolve(void (state.claimed = true)) },
    caches: {
      open: (name: string) => Promise.resolve(cacheOf(name) as unknown as Cache),
      keys: () => Promise.resolve([...stored.keys(), 'of-something-else']),
      delete: (name: string) => Promise.resolve(stored.delete(name)),
    },
    fetch: network,
    skipWaiting: () => Promise.resolve(void (state.tookOver = true)),
    addEventListener: (type: string, listener: (event: never) => void) =>
      void Object.assign(listeners, { [type]: listener }),
  };
  serveShell(scope, SHELL, beforePage);
  const life = async (type: 'install' | 'activate') => {
    let work: Promise<unknown> | undefined;
    listeners[type]?.({ waitUntil: (promise) => void (work = promise) } satisfies WaitingEvent as never);
    await work;
  };
  /** The worker's response; null if it leaves the request to the browser. */
  const ask = async (path: string, { method = 'GET', mode = 'navigate', destination = '' } = {}) => {
    let answer: Promise<Response> | null = null;
    const request = new Request(new URL(path, ORIGIN), { method });
    Object.defineProperties(request, { mode: { value: mode }, destination: { value: destination } });
    const event: RequestEvent = { request, respondWith: (given) => void (answer = given) };
    listeners['fetch']?.(event as never);
    return answer as Promise<Response> | null;
  };
  return {
    state,
    stored,
    asked,
    life,
    ask,
    say: (data: unknown) => listeners['message']?.({ data } as never),
  };
}

describe('a new version of the service worker', () => {
  it('fetches all files without cookies, so that it caches the pages for visitors', async () => {
    const { life, stored, asked } = world();
    await life('install');
    expect([...(stored.get('vialbook-shell-two')?.keys() ?? [])]).toEqual([
      '/offline',
      '/assets/entry-a1.js',
    ]);
    expect(asked.map(({ credentials }) => credentials)).toEqual(['omit', 'omit']);
    expect(asked.map(({ cache }) => cache)).toEqual(['reload', 'default']);
  });

  it('is not installed if a file cannot be fetched, and the older version stays', async () => {
    const { life, state, stored } = world();
    state.offline = true;
    await expect(life('install')).rejects.toThrow('Failed to fetch');
    expect(stored.has('vialbook-shell-one')).toBe(true);
  });

  it('takes over only when told to, and then deletes older caches', async () => {
    const { life, say, state, stored } = world();
    await life('install');
    say('hello');
    say({ type: 'TAKE_OVER' });
    expect(state.tookOver).toBe(false);
    say('TAKE_OVER');
    expect(state.tookOver).toBe(true);
    await life('activate');
    expect([...stored.keys()]).toEqual(['vialbook-shell-two']);
    expect(state.claimed).toBe(true);
  });

  it('takes control of a page that asks for it', () => {
    const { say, state } = world();
    say('hello');
    expect(state.claimed).toBe(false);
    say('TAKE_ME');
    expect(state.claimed).toBe(true);
  });
});

describe('a page requested through the service worker', () => {
  it('comes from the server and is not cached', async () => {
    const { ask, life, stored } = world();
    await life('install');
    expect(await (await ask('/dashboard/vials'))?.text()).toBe('network /dashboard/vials');
    expect([...(stored.get('vialbook-shell-two')?.keys() ?? [])]).not.toContain('/dashboard/vials');
  });

  it('redirects to the offline page without a connection, naming the requested page', async () => {
    const { ask, life, state } = world();
    await life('install');
    state.offline = true;
    const answer = await ask('/dashboard/vials?page=2');
    expect(answer?.status).toBe(302);
    expect(answer?.headers.get('Location')).toBe(
      `${ORIGIN}/offline?from=%2Fdashboard%2Fvials%3Fpage%3D2#vials`,
    );
    expect(await (await ask('/offline?from=%2Fdashboard'))?.text()).toBe('network /offline');
  });

  it('fails as it would without a worker if the offline page is no longer cached', async () => {
    const { ask, state } = world();
    state.offline = true;
    await expect(ask('/dashboard')).rejects.toThrow('Failed to fetch');
  });

  it('waits for pending work first, and loads even if that fails', async () => {
    const order: string[] = [];
    const { ask, asked } = world(async () => {
      await Promise.resolve();
      order.push(`before ${asked.length}`);
      throw new Error('no store');
    });
    expect((await ask('/dashboard'))?.ok).toBe(true);
    expect(order).toEqual(['before 0']);
  });
});

describe('other requests through the service worker', () => {
  it('for files of the offline page are answered from the cache', async () => {
    const { ask, life, state } = world();
    await life('install');
    state.offline = true;
    const file = await ask('/assets/entry-a1.js', { mode: 'cors' });
    expect(await file?.text()).toBe('network /assets/entry-a1.js');
  });

  it.each([
    ['/dashboard/calculator', 'POST', 'navigate'],
    ['/api/calculations', 'GET', 'cors'],
    ['/dashboard/vials.data', 'GET', 'cors'],
    ['https://elsewhere.example/x', 'GET', 'navigate'],
  ])('%s (%s) are left alone', async (path, method, mode) => {
    expect(await world().ask(path, { method, mode })).toBeNull();
  });
});

describe('a script of a page requested through the service worker', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const script = { mode: 'cors', destination: 'script' };

  it('is requested up to three more times, a second apart', async () => {
    const { ask, asked, state } = world();
    state.offline = true;
    const answer = ask('/assets/vials-b2.js', script);
    await vi.advanceTimersByTimeAsync(2999);
    expect(asked).toHaveLength(3);
    state.offline = false;
    await vi.advanceTimersByTimeAsync(1);
    expect(await (await answer)?.text()).toBe('network /assets/vials-b2.js');
    expect(asked).toHaveLength(4);
  });

  it.each(['offline', 'missing'] as const)('is replaced by one that says so when %s', async (reason) => {
    const { ask, asked, state } = world();
    state[reason] = true;
    const pending = ask('/assets/vials-b2.js', script);
    const failedAt = Date.now() + 3000;
    await vi.advanceTimersByTimeAsync(3000);
    const answer = await pending;
    expect(asked).toHaveLength(4);
    expect(answer?.headers.get('Content-Type')).toBe('text/javascript');
    expect(answer?.headers.get('Cache-Control')).toBe('no-store');
    const code = encodeURIComponent((await answer?.text()) ?? '');
    const module = (await import(`data:text/javascript,${code}`)) as { default: () => never };
    const thrown = (() => {
      try {
        return module.default();
      } catch (error) {
        return error;
      }
    })();
    expect(String(thrown)).toContain('Component Loading Error');
    expect(missingSince(thrown)).toBe(failedAt);
    expect(missingSince(new Error('Component Loading Error'))).toBeNull();
  });

  it('of another place, or something else than a script, is left to the browser', async () => {
    const { ask, asked } = world();
    expect(await ask('/elsewhere/a.js', script)).toBeNull();
    expect(await ask('/assets/app-c3.css', { mode: 'cors', destination: 'style' })).toBeNull();
    expect(asked).toEqual([]);
  });
});
