import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VIAL_SORTS, type VialQueryInput } from '#app/domain/vials/vial-list-schema.ts';
import {
  correctRemaining,
  discardVial,
  addVial,
  pageOfVials,
  listVials,
} from '#app/features/vials/vials.server.ts';
import { openTestDatabase, TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { newPerson, type Person } from '#tests/support/people.ts';

let db: TestDatabase;
let ada: Person;
let ownerId: string;
beforeAll(async () => {
  db = await openTestDatabase();
  ada = await newPerson(db, 'ada@example.org', { plan: 'trial' });
  ownerId = ada.signedIn.user.id;
  const make = async (name: string, more: object = {}) => {
    db.clock.advance(1000);
    return addVial(ada.ctx, {
      name,
      totalAmount: '5',
      waterMl: '2',
      reconstitutionDate: '2090-03-05',
      ...more,
    });
  };
  await make('delta', { lot: 'XY-9' });
  await make('Alpha', { expirationDate: '2090-03-09' });
  const low = await make('charlie', { notes: 'In the (left) door' });
  await correctRemaining(ada.ctx, low.id, { remainingAmount: '0.9' });
  await make('Bravo', { reconstitutionDate: null, totalAmount: '10' });
  const gone = await make('echo', { notes: `${'a'.repeat(60)}!` });
  await discardVial(ada.ctx, gone.id);
  const empty = await make('foxtrot', { expirationDate: '2090-03-01', reconstitutionDate: '2090-02-20' });
  await correctRemaining(ada.ctx, empty.id, { remainingAmount: '0' });
  const other = await newPerson(db, 'other@example.org', { plan: 'trial' });
  await addVial(other.ctx, { name: 'alpha', totalAmount: '5', waterMl: '2' });
});
afterAll(() => db.dispose());

const names = async (query: VialQueryInput) =>
  (await listVials(ada.ctx, ownerId, query)).items.map(({ name }) => name);

describe('a list of vials', () => {
  it.each([
    ['active', ['Alpha', 'delta', 'charlie', 'Bravo']],
    ['open', ['Alpha', 'delta', 'charlie']],
    ['low', ['charlie']],
    ['expired', ['Alpha']],
    ['final', ['foxtrot', 'echo']],
  ] as const)('%s', async (filter, expected) => {
    const found = await names({ filter });
    expect(found.toSorted()).toEqual(expected.toSorted());
    const { paging } = await pageOfVials(ada.ctx, ownerId, { filter, page: 1, limit: 1 });
    expect(paging.total).toBe(expected.length);
  });

  it.each([
    ['name', ['Alpha', 'Bravo', 'charlie', 'delta', 'echo', 'foxtrot']],
    ['added', ['foxtrot', 'echo', 'Bravo', 'charlie', 'Alpha', 'delta']],
    ['remaining', ['charlie', 'Bravo']],
    ['expiry', ['foxtrot', 'Alpha']],
  ] as const)('by %s', async (sort, expected) => {
    const found = await names({ sort, filter: 'all' });
    expect(found).toHaveLength(6);
    if (expected.length === 6) expect(found).toEqual(expected);
    if (sort === 'remaining') expect([found[2], found.at(-1)]).toEqual(expected);
    if (sort === 'expiry') expect(found.slice(0, 2)).toEqual(expected);
  });

  it('can be searched by name, lot and notes, with every character taken literally', async () => {
    expect(await names({ search: 'ALPH' })).toEqual(['Alpha']);
    expect(await names({ search: 'xy-9' })).toEqual(['delta']);
    expect(await names({ search: '(left)' })).toEqual(['charlie']);
    expect(await names({ search: '.*' })).toEqual([]);
    // As a regular expression it would never finish on one of the notes.
    expect(await names({ search: '(a+)+$', filter: 'all' })).toEqual([]);
  });

  it.each(VIAL_SORTS)('sorted by %s is the same page by page, forwards and back', async (sort) => {
    for (const filter of ['all', 'active', 'expired'] as const) {
      const whole = await names({ sort, filter });
      const pages: string[][] = [];
      let page = await listVials(ada.ctx, ownerId, { sort, filter, limit: 2 });
      pages.push(page.items.map(({ name }) => name));
      expect(page.previous).toBeNull();
      while (page.next !== null) {
        page = await listVials(ada.ctx, ownerId, { sort, filter, limit: 2, cursor: page.next });
        pages.push(page.items.map(({ name }) => name));
      }
      expect(pages.flat()).toEqual(whole);
      expect(page.page).toBe(pages.length);
      for (let index = pages.length - 2; index >= 0; index -= 1) {
        page = await listVials(ada.ctx, ownerId, { sort, filter, limit: 2, cursor: page.previous ?? '' });
        expect(page.items.map(({ name }) => name)).toEqual(pages[index]);
      }
      expect(page.previous).toBeNull();
    }
  });

  it.each([
    '',
    'x',
    'bm90IGpzb24',
    Buffer.from('["name",false,1,5,"x"]').toString('base64url'),
    Buffer.from('["added",false,1,9e99,"x"]').toString('base64url'),
  ])('begins at its beginning with the cursor %j', async (cursor) => {
    expect(await names({ sort: 'name', cursor })).toEqual(['Alpha', 'Bravo', 'charlie', 'delta']);
    expect(await names({ sort: 'added', cursor })).toHaveLength(4);
  });

  it('can be read by its owner and the terminal only', async () => {
    const bob = await newPerson(db, 'bob@example.org');
    await expect(listVials(bob.ctx, ownerId)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(listVials(db.ctx(), ownerId)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect((await listVials(db.ctx(TERMINAL), ownerId)).items).toHaveLength(4);
  });
});
