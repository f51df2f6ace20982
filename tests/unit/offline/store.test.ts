import { describe, expect, it } from 'vitest';
import { addEntry, listEntries } from '#app/offline/outbox/queue.ts';
import { KEPT_MS, readItem, writeItem } from '#app/offline/store/items.ts';
import { ownStore, type Secret } from '#app/offline/store/ownership.ts';
import type { Owner } from '#app/offline/store/store.ts';
import { memoryShelf, type MemoryShelf } from '#tests/support/memory-shelf.ts';

const NOW = 1_795_334_400_000;

const ada = { userId: 'ada', sessionId: 'first' };
const secretOf = (account: typeof ada): Secret => ({
  ...account,
  email: `${account.userId}@x.org`,
  secret: 'S',
});
const own = (shelf: MemoryShelf, account = ada) =>
  ownStore(shelf, account, () => Promise.resolve(secretOf(account)));

async function adasShelf(room?: number): Promise<{ shelf: MemoryShelf; owner: Owner }> {
  const shelf = memoryShelf(room);
  expect(await own(shelf)).toBe(true);
  return { shelf, owner: shelf.owner as Owner };
}

const site = {
  id: 'a-name-of-its-own',
  kind: 'site' as const,
  at: '2026-11-22T08:00:00.000Z',
  about: '',
  fields: {},
};

describe('what was seen', () => {
  it('is there again, until its time is over', async () => {
    const { shelf, owner } = await adasShelf();
    await writeItem(shelf, owner, { name: 'vials', value: [1, 2], now: NOW });
    expect(await readItem(shelf, 'vials', NOW + KEPT_MS - 1)).toMatchObject({
      value: [1, 2],
      timestamp: NOW,
    });
    expect(await readItem(shelf, 'vials', NOW + KEPT_MS)).toBeNull();
    expect(shelf.items.size).toBe(0);
  });

  it('survives a clock that is set back', async () => {
    const { shelf, owner } = await adasShelf();
    await writeItem(shelf, owner, { name: 'vials', value: 'v', now: NOW });
    expect((await readItem(shelf, 'vials', NOW - 10 * KEPT_MS))?.value).toBe('v');
  });

  it('that was tampered with is removed and counts as missing; the rest stays', async () => {
    const { shelf, owner } = await adasShelf();
    await writeItem(shelf, owner, { name: 'vials', value: 'v', now: NOW });
    await writeItem(shelf, owner, { name: 'history', value: 'h', now: NOW });
    const bytes = new Uint8Array(shelf.items.get('vials')?.data ?? new ArrayBuffer(1));
    bytes[0] = (bytes[0] ?? 0) ^ 255;
    expect(await readItem(shelf, 'vials', NOW)).toBeNull();
    expect([...shelf.items.keys()]).toEqual(['history']);
    expect((await readItem(shelf, 'history', NOW))?.value).toBe('h');
  });

  it('is nowhere in clear', async () => {
    const { shelf, owner } = await adasShelf();
    await writeItem(shelf, owner, { name: 'vials', value: 'Semaglutide', now: NOW });
    const stored = [...shelf.items.values()].map(({ data }) => Buffer.from(data).toString('latin1')).join('');
    expect(stored).not.toContain('Semaglutide');
    expect(JSON.stringify(shelf.owner)).not.toContain('@');
  });

  it('is refused by a full disk with an error, and what was there stays', async () => {
    const { shelf, owner } = await adasShelf(2);
    await writeItem(shelf, owner, { name: 'vials', value: 'v', now: NOW });
    await expect(writeItem(shelf, owner, { name: 'history', value: 'h', now: NOW })).rejects.toThrow(
      'disk is full',
    );
    expect((await readItem(shelf, 'vials', NOW))?.value).toBe('v');
  });
});

describe('whose store it is', () => {
  it('asks for a secret once in a session', async () => {
    const shelf = memoryShelf();
    let asked = 0;
    const ask = () => {
      asked += 1;
      return Promise.resolve(secretOf(ada));
    };
    await ownStore(shelf, ada, ask);
    await ownStore(shelf, ada, ask);
    expect(asked).toBe(1);
  });

  it('another person finds nothing of the one before, not even without an answer of the server', async () => {
    const { shelf, owner } = await adasShelf();
    await writeItem(shelf, owner, { name: 'vials', value: 'v', now: NOW });
    await addEntry(shelf, site, NOW);
    const bob = { userId: 'bob', sessionId: 'second' };
    await expect(ownStore(shelf, bob, () => Promise.reject(new TypeError('offline')))).rejects.toThrow();
    expect([shelf.owner, shelf.items.size, shelf.waiting.size]).toEqual([undefined, 0, 0]);
    expect(await own(shelf, bob)).toBe(true);
    expect(await listEntries(shelf)).toEqual([]);
  });

  it('the same person in a new session keeps what waits, under a new key, and nothing else', async () => {
    const { shelf, owner } = await adasShelf();
    await writeItem(shelf, owner, { name: 'vials', value: 'v', now: NOW });
    await addEntry(shelf, site, NOW);
    await addEntry(shelf, { ...site, id: 'another-name-of-its' }, NOW);
    await own(shelf, { ...ada, sessionId: 'second' });
    expect(shelf.owner?.key).not.toBe(owner.key);
    expect(shelf.items.size).toBe(0);
    expect((await listEntries(shelf)).map(({ place, entry }) => [place, entry.id])).toEqual([
      [1, 'a-name-of-its-own'],
      [2, 'another-name-of-its'],
    ]);
  });

  it.each([
    ['nobody is signed in', null],
    ['somebody else is', { ...secretOf(ada), userId: 'eve' }],
  ])('stays nobody’s when at the server %s', async (_name, answer) => {
    const shelf = memoryShelf();
    expect(await ownStore(shelf, ada, () => Promise.resolve(answer))).toBe(false);
    expect(shelf.owner).toBeUndefined();
  });

  it('a page of the one before that is still open cannot put anything in that could be read', async () => {
    const { shelf, owner } = await adasShelf();
    await own(shelf, { userId: 'bob', sessionId: 'second' });
    await writeItem(shelf, owner, { name: 'vials', value: 'of ada', now: NOW });
    expect(await readItem(shelf, 'vials', NOW)).toBeNull();
    expect(shelf.items.size).toBe(0);
  });
});
