import { describe, expect, it } from 'vitest';
import type { Answer, OutboxEntry } from '#app/domain/offline/entry.ts';
import { readAnswer, addEntry, listEntries, replaceEntry, sendEntries } from '#app/offline/outbox.ts';
import { writeItem, claimStore, type Owner } from '#app/offline/device-store.ts';
import { memoryDeviceStore } from '#tests/support/memory-device-store.ts';

const NOW = 1_795_334_400_000;
const AT = '2026-11-22T08:00:00.000Z';
const PROBLEM = { code: 'INVALID_INPUT', message: 'Enter a date and time', fields: {}, confirm: [] };

/** A user's device store with numbered entries. */
async function lineOf(...names: string[]) {
  const store = memoryDeviceStore();
  const account = { userId: 'ada', sessionId: 's' };
  await claimStore(store, account, () => Promise.resolve({ ...account, email: 'a@x.org', secret: 'S' }));
  for (const id of names) await addEntry(store, { id, kind: 'site', at: AT, about: '', fields: {} }, NOW);
  return { store, left: async () => (await listEntries(store)).map(({ entry }) => entry.id) };
}

/** Sends with the given answer for each entry; `written` by default. */
async function sendWith(store: Parameters<typeof sendEntries>[0], answers: Record<string, Answer> = {}) {
  const asked: OutboxEntry[] = [];
  const send = (entry: OutboxEntry): Promise<Answer> => {
    asked.push(entry);
    return Promise.resolve(answers[entry.id] ?? { kind: 'written' });
  };
  return {
    sent: await sendEntries(store, send, () => NOW),
    asked: asked.map(({ id }) => id),
    entries: asked,
  };
}

describe('sending the outbox', () => {
  it('sends entries in order, with their original times, and empties the outbox', async () => {
    const { store, left } = await lineOf('one', 'two', 'three');
    const { sent, asked, entries } = await sendWith(store);
    expect(asked).toEqual(['one', 'two', 'three']);
    expect(entries.every(({ at, userId }) => at === AT && userId === 'ada')).toBe(true);
    expect(sent).toEqual({ written: 3, refused: 0, stopped: null });
    expect(await left()).toEqual([]);
    expect((await sendWith(store)).asked).toEqual([]);
  });

  it('stops at the first entry without an answer; that one and the rest wait', async () => {
    const { store, left } = await lineOf('one', 'two', 'three');
    const { sent, asked } = await sendWith(store, { two: { kind: 'later' } });
    expect([sent, asked]).toEqual([{ written: 1, refused: 0, stopped: 'later' }, ['one', 'two']]);
    expect(await left()).toEqual(['two', 'three']);
    expect((await sendWith(store)).asked).toEqual(['two', 'three']);
  });

  it('keeps a refused entry for its owner, sends the rest, and does not resend the refused one', async () => {
    const { store, left } = await lineOf('one', 'two');
    const { sent } = await sendWith(store, { one: { kind: 'refused', problem: PROBLEM } });
    expect(sent).toEqual({ written: 1, refused: 1, stopped: null });
    expect(await left()).toEqual(['one']);
    expect((await sendWith(store)).asked).toEqual([]);
    const [queued] = await listEntries(store);
    expect(queued?.entry.problem).toEqual(PROBLEM);
    if (queued) await replaceEntry(store, { ...queued, entry: { ...queued.entry, problem: null } }, NOW);
    expect((await sendWith(store)).asked).toEqual(['one']);
  });

  it('removes readable data and keeps waiting entries if nobody is signed in', async () => {
    const { store, left } = await lineOf('one');
    await writeItem(store, store.owner as Owner, { name: 'vials', value: 'v', now: NOW });
    expect((await sendWith(store, { one: { kind: 'signed-out' } })).sent.stopped).toBe('signed-out');
    expect(store.items.size).toBe(0);
    expect(await left()).toEqual(['one']);
  });

  it('wipes everything if someone else is signed in', async () => {
    const { store } = await lineOf('one', 'two');
    expect((await sendWith(store, { one: { kind: 'other-user' } })).asked).toEqual(['one']);
    expect([store.owner, store.waiting.size]).toEqual([undefined, 0]);
  });
});

describe('the outbox', () => {
  it('drops only the entry that cannot be read', async () => {
    const { store, left } = await lineOf('one', 'two', 'three');
    const bytes = new Uint8Array(store.waiting.get(2)?.data ?? new ArrayBuffer(1));
    bytes[5] = (bytes[5] ?? 0) ^ 1;
    expect(await left()).toEqual(['one', 'three']);
    expect(store.waiting.size).toBe(2);
  });

  it('accepts no entry while nobody is signed in or the disk is full', async () => {
    const entry = { id: 'x', kind: 'site' as const, at: AT, about: '', fields: {} };
    await expect(addEntry(memoryDeviceStore(), entry, NOW)).rejects.toThrow('Nobody is signed in');
    const full = memoryDeviceStore(1);
    const account = { userId: 'ada', sessionId: 's' };
    await claimStore(full, account, () => Promise.resolve({ ...account, email: 'a@x.org', secret: 'S' }));
    await expect(addEntry(full, entry, NOW)).rejects.toThrow('disk is full');
    expect(await listEntries(full)).toEqual([]);
  });

  it('does not restore an entry that was sent while its owner changed it', async () => {
    const { store, left } = await lineOf('one');
    const [queued] = await listEntries(store);
    await sendWith(store);
    if (queued) await replaceEntry(store, queued, NOW);
    expect(await left()).toEqual([]);
  });
});

describe('the server’s answer to an entry', () => {
  const json = (body: unknown, status = 200, headers = {}) => Response.json(body, { status, headers });
  const refused = (code: string, message: string) => ({ error: code, message });

  it.each([
    ['written', json({ done: true }), { kind: 'written' }],
    ['a failure of the server', json({ message: 'x' }, 500), { kind: 'later' }],
    ['too many', json(refused('RATE_LIMITED', 'x'), 429), { kind: 'later' }],
    ['still running', json(refused('KEY_IN_USE', 'x'), 409, { 'Retry-After': '1' }), { kind: 'later' }],
    ['a page of some proxy', new Response('<html>'), { kind: 'later' }],
    ['not signed in', json({}, 401), { kind: 'signed-out' }],
    ['somebody else', json(refused('FORBIDDEN', 'x'), 403), { kind: 'other-user' }],
  ])('%s', async (_name, answer, expected) => {
    expect(await readAnswer(answer)).toEqual(expected);
  });

  it('contains message and fields when the entry is refused', async () => {
    const body = { error: 'INVALID_INPUT', message: 'No', fields: { pain: ['No'] } };
    expect(await readAnswer(json(body, 400))).toEqual({
      kind: 'refused',
      problem: { code: 'INVALID_INPUT', message: 'No', fields: { pain: ['No'] }, confirm: [] },
    });
  });

  it('contains the warnings to confirm when there is a question', async () => {
    const body = { done: false, warnings: [{ code: 'TOO_SOON', message: 'Too soon.' }] };
    expect(await readAnswer(json(body))).toMatchObject({
      kind: 'refused',
      problem: { code: 'QUESTION', message: 'Too soon.', confirm: ['TOO_SOON'] },
    });
  });
});
