import { afterEach, beforeEach, expect, it } from 'vitest';
import { sweepOutcomes } from '#models/engine/commands/outcomes.ts';
import { SESSION_TIMEOUT_MINUTES } from '#models/engine/commands/sessions.ts';
import { openStore, type Store } from '#models/engine/storage/index.ts';
import { encode } from '#models/engine/values/encode.ts';
import { temporaryDirectory } from '#tests/support/engine.ts';

let store: Store;
let remove: () => Promise<void>;

beforeEach(async () => {
  const directory = await temporaryDirectory();
  remove = directory.remove;
  store = await openStore({ dir: directory.dir });
});

afterEach(async () => {
  await store.close();
  await remove();
});

it('outcomes of retryable writes are removed once their session has ended, however many there are', async () => {
  const now = new Date();
  const ended = new Date(now.getTime() - (SESSION_TIMEOUT_MINUTES + 1) * 60_000);
  await store.write((txn) => {
    for (let n = 0; n < 1200; n += 1) txn.putMeta(`told${n}`, encode({ at: ended }));
    txn.putMeta('tnew', encode({ at: now }));
    txn.putMeta('other', encode({ at: ended }));
  });
  expect(await sweepOutcomes(store, now)).toBe(1200);
  const left = store.read((view) =>
    ['told1', 'told1199', 'tnew', 'other'].map((key) => view.getMeta(key) !== null),
  );
  expect(left).toEqual([false, false, true, true]);
  expect(await sweepOutcomes(store, now)).toBe(0);
});
