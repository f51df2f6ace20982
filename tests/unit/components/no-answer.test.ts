import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clientAction, shownAhead } from '#app/ui/connection/client-action.ts';
import { answerOf, NoAnswerError } from '#app/ui/connection/no-answer.ts';

const ADDRESS = 'https://vialbook.test/dashboard/vials';
const form = () => new Request(ADDRESS, { method: 'POST', body: new URLSearchParams({ name: 'BPC-157' }) });
const silent = () => new Promise<never>(() => {});
const unreached = () => Promise.reject(new TypeError('Failed to fetch'));

/** A form that is sent as Remix sends it. */
const send = (serverAction: () => Promise<unknown>) =>
  clientAction({ request: form(), params: {}, serverAction } as Parameters<typeof clientAction>[0]);

describe('a request of a page', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('gets the answer of the application', async () => {
    expect(await answerOf(new Request(ADDRESS), () => Promise.resolve('data'))).toBe('data');
  });

  it('without an answer for 30 s is a server timeout, in the specified words', async () => {
    const failed = vi.fn();
    void answerOf(new Request(ADDRESS), silent).catch(failed);
    await vi.advanceTimersByTimeAsync(29_999);
    expect(failed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(failed.mock.lastCall?.[0]).toMatchObject({
      title: 'Server Timeout',
      message:
        'Server is taking too long to respond. It may be starting up. Please try again in a few moments.',
    });
  });

  it('that cannot reach the server is a network error', async () => {
    await expect(answerOf(form(), unreached)).rejects.toMatchObject({
      title: 'Network Error',
      message: 'Failed to connect to server',
    });
  });

  it('whose answer cannot be read failed, whatever the browser knows about it', async () => {
    const answered = answerOf(form(), () => Promise.reject(new Error('Unable to decode')));
    const expected = expect(answered).rejects.toMatchObject({
      title: 'Request failed',
      message: 'Failed to connect to server',
    });
    await vi.advanceTimersByTimeAsync(500);
    await expected;
  });

  it('gets what the application throws: a redirect, or a refusal with its message', async () => {
    const refusal = { status: 403, statusText: '', internal: false, data: { message: 'No' } };
    for (const thrown of [new Response(null, { status: 302 }), refusal]) {
      const refuse = async () => {
        throw thrown;
      };
      await expect(answerOf(form(), refuse)).rejects.toBe(thrown);
    }
  });

  it('with a file has no time limit', async () => {
    const body = new FormData();
    body.append('file', new File(['text'], 'a.txt'));
    const failed = vi.fn();
    void answerOf(new Request(ADDRESS, { method: 'POST', body }), silent).catch(failed);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(failed).not.toHaveBeenCalled();
  });

  it('that was given up is no missing answer', async () => {
    const own = new AbortController();
    const request = new Request(ADDRESS, { signal: own.signal });
    own.abort();
    await expect(answerOf(request, unreached)).rejects.toThrow('Failed to fetch');
    await expect(answerOf(request, unreached)).rejects.not.toBeInstanceOf(NoAnswerError);
  });
});

describe('a form', () => {
  it('gets the answer of its action', async () => {
    expect(await send(() => Promise.resolve({ isGone: true }))).toEqual({ isGone: true });
  });

  it('without an answer gets none, with a status after which Remix does not load the page again', async () => {
    const answer = await send(unreached);
    if (!(answer instanceof Response)) throw new Error('no response');
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(await answer.json()).toBeNull();
  });

  it('follows the redirect of its action', async () => {
    const redirect = new Response(null, { status: 302, headers: { Location: '/dashboard' } });
    const refuse = async () => {
      throw redirect;
    };
    await expect(send(refuse)).rejects.toBe(redirect);
  });

  it('of every page keeps what was typed', () => {
    const folder = path.resolve('app/routes');
    const pages = readdirSync(folder).filter((name) => name.endsWith('.tsx'));
    const without = pages.filter((name) => {
      const code = readFileSync(path.join(folder, name), 'utf8');
      return (
        /^export (const|async function) action\b/m.test(code) && !/^export .*\bclientAction\b/m.test(code)
      );
    });
    expect(without).toEqual([]);
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
