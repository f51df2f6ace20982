import { describe, expect, it } from 'vitest';
import { addEntry, listEntries } from '#app/offline/outbox.ts';
import {
  ITEM_LIFE_MS,
  readItem,
  writeItem,
  claimStore,
  type Secret,
  type Owner,
} from '#app/offline/device-store.ts';
import { memoryDeviceStore, type MemoryDeviceStore } from '#tests/support/memory-device-store.ts';

const NOW = 1_795_334_400_000;

const ada = { userId: 'ada', sessionId: 'first' };
const secretOf = (account: typeof ada): Secret => ({
  ...account,
  email: `${account.userId}@x.org`,
  secret: 'S',
});
const own = (store: MemoryDeviceStore, account = ada) =>
  claimStore(store, account, () => Promise.resolve(secretOf(account)));

async function adasStore(room?: number): Promise<{ store: MemoryDeviceStore; owner: Owner }> {
  const store = memoryDeviceStore(room);
  expect(await own(store)).toBe(true);
  return { store, owner: store.owner as Owner };
}

const site = {
  id: 'a-name-of-its-own',
  kind: 'site' as const,
  at: '2026-11-22T08:00:00.000Z',
  about: '',
  fields: {},
};

describe('data in the offline store', () => {
  it('can be read until it expires', async () => {
    const { store, owner } = await adasStore();
    await writeItem(store, owner, { name: 'vials', value: [1, 2], now: NOW });
    expect(await readItem(store, 'vials', NOW + ITEM_LIFE_MS - 1)).toMatchObject({
      value: [1, 2],
      timestamp: NOW,
    });
    expect(await readItem(store, 'vials', NOW + ITEM_LIFE_MS)).toBeNull();
    expect(store.items.size).toBe(0);
  });

  it('survives a clock that is set back', async () => {
    const { store, owner } = await adasStore();
    await writeItem(store, owner, { name: 'vials', value: 'v', now: NOW });
    expect((await readItem(store, 'vials', NOW - 10 * ITEM_LIFE_MS))?.value).toBe('v');
  });

  it('counts as missing and is removed if it was tampered with; the rest stays', async () => {
    const { store, owner } = await adasStore();
    await writeItem(store, owner, { name: 'vials', value: 'v', now: NOW });
    await writeItem(store, owner, { name: 'history', value: 'h', now: NOW });
    const bytes = new Uint8Array(store.items.get('vials')?.data ?? new ArrayBuffer(1));
    bytes[0] = (bytes[0] ?? 0) ^ 255;
    expect(await readItem(store, 'vials', NOW)).toBeNull();
    expect([...store.items.keys()]).toEqual(['history']);
    expect((await readItem(store, 'history', NOW))?.value).toBe('h');
  });

  it('is not stored in plain text', async () => {
    const { store, owner } = await adasStore();
    await writeItem(store, owner, { name: 'vials', value: 'Semaglutide', now: NOW });
    const stored = [...store.items.values()].map(({ data }) => Buffer.from(data).toString('latin1')).join('');
    expect(stored).not.toContain('Semaglutide');
    expect(JSON.stringify(store.owner)).not.toContain('@');
  });

  it('cannot be written to a full disk, and the old data stays', async () => {
    const { store, owner } = await adasStore(2);
    await writeItem(store, owner, { name: 'vials', value: 'v', now: NOW });
    await expect(writeItem(store, owner, { name: 'history', value: 'h', now: NOW })).rejects.toThrow(
      'disk is full',
    );
    expect((await readItem(store, 'vials', NOW))?.value).toBe('v');
  });
});

describe('the owner of the offline store', () => {
  it('needs the secret only once per session', async () => {
    const store = memoryDeviceStore();
    let asked = 0;
    const ask = () => {
      asked += 1;
      return Promise.resolve(secretOf(ada));
    };
    await claimStore(store, ada, ask);
    await claimStore(store, ada, ask);
    expect(asked).toBe(1);
  });

  it('cannot find another user’s data, even if the server does not answer', async () => {
    const { store, owner } = await adasStore();
    await writeItem(store, owner, { name: 'vials', value: 'v', now: NOW });
    await addEntry(store, site, NOW);
    const bob = { userId: 'bob', sessionId: 'second' };
    await expect(claimStore(store, bob, () => Promise.reject(new TypeError('offline')))).rejects.toThrow();
    expect([store.owner, store.items.size, store.waiting.size]).toEqual([undefined, 0, 0]);
    expect(await own(store, bob)).toBe(true);
    expect(await listEntries(store)).toEqual([]);
  });

  it('keeps only waiting entries in a new session, encrypted with a new key', async () => {
    const { store, owner } = await adasStore();
    await writeItem(store, owner, { name: 'vials', value: 'v', now: NOW });
    await addEntry(store, site, NOW);
    await addEntry(store, { ...site, id: 'another-name-of-its' }, NOW);
    await own(store, { ...ada, sessionId: 'second' });
    expect(store.owner?.key).not.toBe(owner.key);
    expect(store.items.size).toBe(0);
    expect((await listEntries(store)).map(({ place, entry }) => [place, entry.id])).toEqual([
      [1, 'a-name-of-its-own'],
      [2, 'another-name-of-its'],
    ]);
  });

  it.each([
    ['nobody is signed in', null],
    ['somebody else is signed in', { ...secretOf(ada), userId: 'eve' }],
  ])('is not set when the server says that %s', async (_name, answer) => {
    const store = memoryDeviceStore();
    expect(await claimStore(store, ada, () => Promise.resolve(answer))).toBe(false);
    expect(store.owner).toBeUndefined();
  });

  it('cannot read what a still open page of another user writes', async () => {
    const { store, owner } = await adasStore();
    await own(store, { userId: 'bob', sessionId: 'second' });
    await writeItem(store, owner, { name: 'vials', value: 'of ada', now: NOW });
    expect(await readItem(store, 'vials', NOW)).toBeNull();
    expect(store.items.size).toBe(0);
  });
});
