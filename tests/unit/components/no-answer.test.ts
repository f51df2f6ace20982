import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { decode } from 'turbo-stream';
import {
  endNavigation,
  helpsItself,
  noActionData,
  type LostRouter,
  shownAhead,
  guardedFetch,
  type NoAnswerError,
} from '#app/ui/connection/no-answer.ts';

const ORIGIN = 'https://vialbook.test';

function guarded(plain: typeof fetch) {
  const told: { error: NoAnswerError; method: string }[] = [];
  const fetching = guardedFetch(plain, {
    origin: ORIGIN,
    timeoutMs: 30_000,
    onNoAnswer: (error, { method }) => {
      told.push({ error, method });
      return Promise.resolve(noActionData());
    },
  });
  return { fetching, told };
}

/** A server that never responds, and notices aborted requests. */
const silent: typeof fetch = (_input, init) =>
  new Promise((_resolve, reject) => {
    const give = () => reject(new DOMException('given up', 'AbortError'));
    if (init?.signal?.aborted) give();
    init?.signal?.addEventListener('abort', give);
  });
const unreached: typeof fetch = () => Promise.reject(new TypeError('Failed to fetch'));

describe('a request of a page', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('without a response for 30 s is a server timeout, in the specified words', async () => {
    const { fetching, told } = guarded(silent);
    const answer = fetching(`${ORIGIN}/dashboard/vials.data`);
    await vi.advanceTimersByTimeAsync(29_999);
    expect(told).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await answer;
    expect(told[0]?.error).toMatchObject({
      title: 'Server Timeout',
      message:
        'Server is taking too long to respond. It may be starting up. Please try again in a few moments.',
    });
  });

  it('that cannot reach the server is a network error', async () => {
    const { fetching, told } = guarded(unreached);
    await fetching(`${ORIGIN}/dashboard/vials.data`, { method: 'post' });
    expect(told[0]).toMatchObject({
      method: 'POST',
      error: { title: 'Network Error', message: 'Failed to connect to server' },
    });
  });

  it.each([
    [502, 'Bad Gateway', 'text/html', '<html>', 'HTTP 502: Bad Gateway'],
    [503, '', 'text/html; charset=utf-8', '<html>', 'HTTP 503: Service Unavailable'],
    [429, '', 'text/html', '<html>', 'HTTP 429: Too Many Requests'],
    [418, '', 'text/html', '', 'HTTP 418: no reason given'],
    [503, '', 'text/plain; charset=utf-8', 'Vialbook is starting.\n', 'Vialbook is starting.'],
    [502, '', 'text/plain', 'x'.repeat(1000), 'HTTP 502: Bad Gateway'],
    [200, 'OK', 'text/html', '<html>', 'HTTP 200: OK'],
  ])('that something else answers with %i %s %s failed, in the specified words', async (...answered) => {
    const [status, statusText, type, body, message] = answered;
    const answer = new Response(body, { status, statusText, headers: { 'Content-Type': type } });
    const { fetching, told } = guarded(() => Promise.resolve(answer));
    await fetching(`${ORIGIN}/dashboard/vials.data`, { method: 'POST' });
    expect(told).toMatchObject([{ method: 'POST', error: { title: 'Request failed', message } }]);
  });

  it('that the application answers is unchanged, whatever its status', async () => {
    const answers = [
      new Response('[]', { status: 500, headers: { 'Content-Type': 'text/x-script; charset=utf-8' } }),
      new Response('[]', { status: 429, headers: { 'Content-Type': 'text/x-script' } }),
      new Response(null, { status: 204 }),
    ];
    for (const answer of answers) {
      const { fetching, told } = guarded(() => Promise.resolve(answer));
      expect(await fetching(`${ORIGIN}/dashboard/vials.data`, { method: 'POST' })).toBe(answer);
      expect(told).toEqual([]);
    }
  });

  it('with a file has no time limit', async () => {
    const { fetching, told } = guarded(silent);
    const own = new AbortController();
    const body = new FormData();
    const answer = fetching(`${ORIGIN}/a.data`, { method: 'POST', body, signal: own.signal });
    await vi.advanceTimersByTimeAsync(120_000);
    expect(told).toEqual([]);
    own.abort();
    await expect(answer).rejects.toThrow('given up');
  });

  it('aborted by its caller is not an error', async () => {
    const { fetching, told } = guarded(silent);
    const own = new AbortController();
    const answer = fetching(`${ORIGIN}/a.data`, { signal: own.signal });
    own.abort();
    await expect(answer).rejects.toThrow('given up');
    expect(told).toEqual([]);
  });

  it('is guarded, but other requests are unchanged', async () => {
    const { fetching, told } = guarded(unreached);
    await expect(fetching(`${ORIGIN}/dashboard/reminders/check`)).rejects.toThrow('Failed to fetch');
    await expect(fetching('https://elsewhere.test/a.data')).rejects.toThrow('Failed to fetch');
    expect(told).toEqual([]);
  });
});

describe('the substitute response to a form', () => {
  it('can be read by Remix, with a status after which it does not revalidate', async () => {
    const answer = noActionData();
    expect(answer.status).toBeGreaterThanOrEqual(400);
    if (!answer.body) throw new Error('no body');
    expect((await decode(answer.body)).value).toEqual({ data: null });
  });

  it('is not used for the sign-in, which handles errors itself', () => {
    const sent = (path: string, method: string) => helpsItself({ url: new URL(path, ORIGIN), method });
    expect(sent('/login.data', 'POST')).toBe(true);
    expect(sent('/login.data', 'GET')).toBe(false);
    expect(sent('/login/code.data', 'POST')).toBe(false);
  });
});

describe('a navigation without a response', () => {
  const here = { pathname: '/dashboard/vials', search: '?page=2', hash: '' };
  const going = (to?: Partial<typeof here>) => {
    const went: unknown[] = [];
    const goal = { ...here, ...to, key: 'k1' };
    const navigation = to ? { state: 'loading', location: goal } : { state: 'idle' };
    const router: LostRouter = { state: { location: here, navigation }, navigate: (at) => went.push(at) };
    return { router, went };
  };

  it('is cancelled, and the current page stays', () => {
    const { router, went } = going({ pathname: '/dashboard/profile', search: '' });
    expect(endNavigation(router, here)).toBe('ended');
    expect(went).toEqual([{ ...here, hash: '#main' }]);
  });

  it('is loaded by the browser if the address has already changed', () => {
    const { router, went } = going({ pathname: '/dashboard', search: '' });
    expect(endNavigation(router, { pathname: '/dashboard', search: '' })).toBe('reload');
    expect(went).toEqual([]);
  });

  it('that only cancels another one is left alone, hidden', () => {
    const { router, went } = going({ hash: '#main' });
    expect(endNavigation(router, here)).toEqual({ hidden: 'k1' });
    expect(went).toEqual([]);
  });

  it('in the background changes nothing', () => {
    expect(endNavigation(going().router, here)).toBe('none');
  });
});

describe('an optimistic form', () => {
  const formData = new FormData();
  it('is shown while the form is sent and until the page is revalidated', () => {
    expect(shownAhead({ state: 'submitting', formData, data: undefined })).toBe(formData);
    expect(shownAhead({ state: 'loading', formData, data: { isGone: true } })).toBe(formData);
  });

  it('is undone without a response, and shown again at the next attempt', () => {
    expect(shownAhead({ state: 'loading', formData, data: null })).toBeUndefined();
    expect(shownAhead({ state: 'submitting', formData, data: null })).toBe(formData);
    expect(shownAhead({ state: 'idle', formData: undefined, data: null })).toBeUndefined();
  });
});
