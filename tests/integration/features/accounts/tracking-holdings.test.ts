import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scheduleDeletion, purgeDueAccounts } from '#app/features/accounts/account-deletion.server.ts';
import { downloadData } from '#app/features/export/data-download.server.ts';
import { openTestDatabase, TERMINAL, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { newPerson } from '#tests/support/people.ts';
import { useSupplies } from '#tests/integration/models/walks/supplies.ts';
import { buyVials } from '#tests/integration/models/walks/vendors.ts';
import { measure, noteEffects, rotateSites } from '#tests/integration/models/walks/tracking.ts';
import { textOf } from '#tests/support/streams.ts';

/** The full download and the deletion of an account include tracking and order data. */
const COLLECTIONS = [
  'injection_sites',
  'lots',
  'measurements',
  'nutrition',
  'orders',
  'paper_room',
  'papers.chunks',
  'papers.files',
  'picture_room',
  'pictures.chunks',
  'pictures.files',
  'products',
  'side_effects',
  'suppliers',
  'supplies',
  'tracking_choices',
];

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

async function tracker(email: string) {
  const person = await newPerson(db, email, { plan: 'trial' });
  await rotateSites(person);
  await noteEffects(person);
  await measure(person);
  await buyVials(person);
  await useSupplies(person);
  return person;
}

async function filled(userId: string): Promise<string[]> {
  const counts = await Promise.all(
    COLLECTIONS.map((name) => testConnection(db).collection(name).countDocuments({ userId })),
  );
  return COLLECTIONS.filter((_, index) => (counts[index] ?? 0) > 0);
}

describe('tracking and order data', () => {
  it('is in the full download, including pictures, and is deleted with the account', async () => {
    const [leaves, stays] = [await tracker('leaves@example.org'), await tracker('stays@example.org')];
    const { id } = leaves.signedIn.user;
    expect(await filled(id)).toEqual(COLLECTIONS);
    const text = await textOf((await downloadData(leaves.ctx)).open());
    const { collections } = JSON.parse(text) as { collections: Record<string, { data?: string }[]> };
    for (const name of COLLECTIONS) expect(collections[name]?.length, name).toBeGreaterThan(0);
    const [chunk] = collections['pictures.chunks'] ?? [];
    const jpeg = Buffer.from(String(chunk?.data), 'base64');
    expect([...jpeg.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
    const [paper] = collections['papers.chunks'] ?? [];
    expect(Buffer.from(String(paper?.data), 'base64').toString('latin1')).toMatch(/^%PDF-1/);
    await scheduleDeletion(leaves.ctx, { email: leaves.email });
    db.clock.advance(48 * 3_600_000);
    expect(await purgeDueAccounts(db.ctx(TERMINAL))).toBe(1);
    expect(await filled(id)).toEqual([]);
    expect(await filled(stays.signedIn.user.id)).toEqual(COLLECTIONS);
  });
});
