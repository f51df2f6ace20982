import { expect, it } from 'vitest';
import { newCatalogCache } from '#models/engine/storage/catalog/catalog.ts';
import type { Mapping } from '#models/engine/storage/env/mapping.ts';
import { WriteQueue } from '#models/engine/storage/write/queue.ts';

/** An environment whose every transaction fails as given. */
function failing(error: Error): Mapping {
  const db: Pick<Mapping['db'], 'transaction'> = { transaction: () => Promise.reject(error) };
  return { environment: { db } } as unknown as Mapping;
}

function queueOver(error: Error): { queue: WriteQueue; broken: string[] } {
  const broken: string[] = [];
  const queue = new WriteQueue(
    failing(error),
    newCatalogCache(),
    () => undefined,
    ({ message }) => broken.push(message),
  );
  return { queue, broken };
}

it('a store that cannot write reports it once to its owner, and to every caller', async () => {
  const { queue, broken } = queueOver(Object.assign(new Error('Input/output error'), { code: 5 }));
  await expect(queue.add(() => 1)).rejects.toThrow('Input/output error');
  await expect(queue.add(() => 1)).rejects.toThrow('program is restarted');
  await expect(queue.add(() => 1)).rejects.toThrow('program is restarted');
  expect(broken).toEqual([expect.stringContaining('Input/output error')]);
});

it('a full disk does not break the store for good', async () => {
  const { queue, broken } = queueOver(Object.assign(new Error('No space left on device'), { code: 28 }));
  await expect(queue.add(() => 1)).rejects.toMatchObject({ code: 14031 });
  await expect(queue.add(() => 1)).rejects.toMatchObject({ code: 14031 });
  expect(broken).toEqual([]);
});
