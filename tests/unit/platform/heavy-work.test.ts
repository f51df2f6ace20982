import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { isReaderTooSlow } from '#app/platform/http/file-response.server.ts';
import { heavyFile, heavyWork, nextTurn } from '#app/platform/heavy-work.server.ts';
import { bytesOf, textOf } from '#tests/support/streams.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => vi.useRealTimers());

/** The part of a context that identifies the work's owner. */
const as = (id: string) => ({ actor: { kind: 'user', id } }) as Ctx;
const TERMINAL = { actor: { kind: 'cli', osUser: 'operator' } } as unknown as Ctx;

/** Endless text that counts reads, and notices when it is closed. */
function endless() {
  const state = { pieces: 0, isOver: false };
  async function* pieces(): AsyncGenerator<string> {
    try {
      for (;;) {
        state.pieces += 1;
        yield await Promise.resolve('x'.repeat(70_000));
      }
    } finally {
      state.isOver = true;
    }
  }
  return { state, pieces };
}

async function* text(...pieces: string[]): AsyncGenerator<string> {
  for (const piece of pieces) yield await Promise.resolve(piece);
}

const refused = (message: string) =>
  expect.objectContaining({ code: 'RATE_LIMITED', retryAfterSeconds: 10, message });
const BUSY = refused('Your last file is still being created. Wait until it has downloaded, then try again.');
const FULL = refused('Many files are being created at the moment. Try again shortly.');

async function close(file: Readable): Promise<void> {
  file.destroy();
  await once(file, 'close');
}

/** A file in progress, of which the client has read only the first piece. */
async function underWay(who: string): Promise<Readable> {
  const file = await heavyFile(as(who), endless().pieces);
  await once(file, 'readable');
  return file;
}

it('the second file of an account waits for the first; another account does not', async () => {
  const first = await underWay('one');
  let isOpen = false;
  const second = heavyFile(as('one'), () => text('second')).then((file) => {
    isOpen = true;
    return file;
  });
  expect(await textOf(heavyFile(as('two'), () => text('an', 'other')))).toBe('another');
  expect(isOpen).toBe(false);
  await close(first);
  expect(await textOf(second)).toBe('second');
});

it('a file that waits too long, or as the fourth, is rejected', async () => {
  const first = await underWay('one');
  const waiting = [1, 2, 3].map(() => heavyFile(as('one'), () => text('late')));
  const told = Promise.all(waiting.map((file) => expect(file).rejects.toEqual(BUSY)));
  await expect(heavyFile(as('one'), () => text('fourth'))).rejects.toEqual(BUSY);
  await vi.advanceTimersByTimeAsync(5000);
  await told;
  await close(first);
  expect(await textOf(heavyFile(as('one'), () => text('again')))).toBe('again');
});

it('eight files are created at once, the next in order of request', async () => {
  const open = await Promise.all(Array.from({ length: 8 }, (_, index) => underWay(`many ${index}`)));
  const order: string[] = [];
  const waiting = ['a', 'b'].map(async (who) => {
    const file = await heavyFile(as(who), () => text(who));
    order.push(who);
    return textOf(file);
  });
  await close(open[0] as Readable);
  expect(await Promise.all(waiting)).toEqual(['a', 'b']);
  expect(order).toEqual(['a', 'b']);
  const ninth = await underWay('ninth');
  const told = expect(heavyFile(as('tenth'), () => text('late'))).rejects.toEqual(FULL);
  await vi.advanceTimersByTimeAsync(5000);
  await told;
  await Promise.all([ninth, ...open.slice(1)].map(close));
});

it('a visitor has one card at a time, and takes no place of a file', async () => {
  const visitor = (address: string) => ({ actor: { kind: 'visitor' }, client: { address } }) as Ctx;
  const card = await heavyFile(visitor('a'), endless().pieces, 'card');
  const waiting = [1, 2, 3].map(() => heavyFile(visitor('a'), () => text('late'), 'card'));
  await expect(heavyFile(visitor('a'), () => text('fourth'), 'card')).rejects.toMatchObject({
    code: 'RATE_LIMITED',
  });
  expect(await textOf(heavyFile(visitor('b'), () => text('other'), 'card'))).toBe('other');
  expect(await textOf(heavyFile(as('a'), () => text('a file')))).toBe('a file');
  await close(card);
  for (const late of waiting) expect(await textOf(late)).toBe('late');
});

it('a file is read no faster than its client reads, and ends with its client', async () => {
  const { state, pieces } = endless();
  const file = await heavyFile(as('slow'), pieces);
  await once(file, 'readable');
  for (let turn = 0; turn < 50; turn += 1) await nextTurn();
  expect(state).toEqual({ pieces: 1, isOver: false });
  await close(file);
  expect(state.isOver).toBe(true);
});

it('a client that reads nothing for a minute loses its place', async () => {
  const { state, pieces } = endless();
  const file = await heavyFile(as('asleep'), pieces);
  await once(file, 'readable');
  const gone = expect(once(file, 'close')).rejects.toSatisfy(isReaderTooSlow);
  await vi.advanceTimersByTimeAsync(60_000);
  await gone;
  expect(state.isOver).toBe(true);
  expect(await textOf(heavyFile(as('asleep'), () => text('awake')))).toBe('awake');
});

it('an unused place is freed, and nothing is read', async () => {
  let isOpened = false;
  const file = await heavyFile(as('unread'), () => {
    isOpened = true;
    return text('never');
  });
  await close(file);
  expect(isOpened).toBe(false);
  expect(await textOf(heavyFile(as('unread'), () => text('next')))).toBe('next');
});

it('a file that fails frees its place', async () => {
  async function* failing(): AsyncGenerator<string> {
    yield await Promise.resolve('x'.repeat(70_000));
    throw new Error('the database went away');
  }
  await expect(bytesOf(heavyFile(as('unlucky'), failing))).rejects.toThrow('the database went away');
  expect(await textOf(heavyFile(as('unlucky'), () => text('luck')))).toBe('luck');
});

it('the terminal never waits', async () => {
  const [one, two] = [
    await heavyFile(TERMINAL, endless().pieces),
    await heavyFile(TERMINAL, endless().pieces),
  ];
  await Promise.all([once(one, 'readable'), once(two, 'readable')]);
  await Promise.all([close(one), close(two)]);
});

it('everyone’s work together yields after each piece', async () => {
  let pieces = 0;
  async function* busy(): AsyncGenerator<string> {
    for (let piece = 0; piece < 20; piece += 1) {
      pieces += 1;
      yield await Promise.resolve('x'.repeat(70_000));
    }
  }
  const made = ['p', 'q', 'r'].map(async (who) => bytesOf(heavyFile(as(who), busy)));
  let isOver = false;
  const all = Promise.all(made).then(() => (isOver = true));
  let most = 0;
  while (!isOver) {
    const before = pieces;
    await new Promise((resolve) => setImmediate(resolve));
    most = Math.max(most, pieces - before);
  }
  await all;
  // Three that begin, then one at a time with what it reads ahead.
  expect(most).toBeLessThanOrEqual(3);
  expect(pieces).toBe(60);
});

it('one report per account is created at a time beside its file, and its place is freed even after a failure', async () => {
  const file = await underWay('one');
  let finish = (_text: string) => {};
  const first = heavyWork('report', 'one', () => new Promise<string>((resolve) => (finish = resolve)));
  const second = heavyWork('report', 'one', () => Promise.reject(new Error('second')));
  const told = expect(second).rejects.toThrow('second');
  await nextTurn();
  finish('first');
  expect(await first).toBe('first');
  await told;
  expect(await heavyWork('report', 'one', () => Promise.resolve('third'))).toBe('third');
  await close(file);
});
