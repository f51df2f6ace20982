import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HistoryQueryInput, HistorySort } from '#app/domain/calculator/history.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { deleteCalculation, listCalculations } from '#app/features/calculator/calculations.server.ts';
import { saveAll } from '#tests/support/calculations.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { newPerson } from '#tests/support/people.ts';

let db: TestDatabase;
let ctx: Ctx;

// Few names and concentrations, so that every sort order has ties; several also share an instant.
const NAMES = ['TB-500', 'BPC-157', undefined, 'bpc-157', 'Äpfel', 'GHK-Cu (copper)'];

beforeAll(async () => {
  db = await openTestDatabase();
  const person = await newPerson(db, 'history@example.org', { plan: 'trial' });
  ctx = person.ctx;
  for (let index = 0; index < 47; index += 1) {
    if (index % 3 === 0) db.clock.advance(60_000);
    const notes = index % 5 === 0 ? `Week ${index}: 100% done (a+)+$ [ok] a.b` : undefined;
    await saveAll(ctx, [{ peptideName: NAMES[index % 6], peptideAmount: String(1 + (index % 4)), notes }]);
  }
});
afterAll(() => db.dispose());

const idsOf = async (query: HistoryQueryInput) =>
  (await listCalculations(ctx, query)).items.map(({ id }) => id);

async function walk(
  query: HistoryQueryInput,
  direction: 'next' | 'previous',
  start = 1,
): Promise<string[][]> {
  const pages: string[][] = [];
  let page = await listCalculations(ctx, { ...query, page: start });
  for (;;) {
    pages.push(page.items.map(({ id }) => id));
    const cursor = page[direction];
    if (cursor === null) return pages;
    page = await listCalculations(ctx, { ...query, cursor });
  }
}

describe.each<HistorySort>(['date', 'name', 'concentration'])('the history sorted by %s', (sort) => {
  it('is in order, with the newest first among equals', async () => {
    const { items } = await listCalculations(ctx, { sort, limit: 100 });
    expect(items).toHaveLength(47);
    const key = {
      date: () => 0,
      name: (index: number) => items[index]?.peptideName?.toLowerCase() ?? '\uffff',
      concentration: (index: number) => -(items[index]?.concentration ?? 0),
    }[sort];
    for (let index = 1; index < items.length; index += 1) {
      const [a, b] = [items[index - 1], items[index]];
      const order = key(index - 1) === key(index) ? 0 : key(index - 1) < key(index) ? -1 : 1;
      expect(order).toBeLessThanOrEqual(0);
      if (order === 0) {
        const ages = [a?.createdAt.getTime() ?? 0, b?.createdAt.getTime() ?? 0] as const;
        expect(ages[0]).toBeGreaterThanOrEqual(ages[1]);
        if (ages[0] === ages[1]) expect((a?.id ?? '') > (b?.id ?? '')).toBe(true);
      }
    }
  });

  it('gives the same pages by number and by cursor, forwards and backwards', async () => {
    const limit = 7;
    const whole = await idsOf({ sort, limit: 100 });
    const pages = Math.ceil(whole.length / limit);
    const expected = Array.from({ length: pages }, (_, index) =>
      whole.slice(index * limit, (index + 1) * limit),
    );
    const numbered = [];
    for (let page = 1; page <= pages; page += 1) numbered.push(await idsOf({ sort, limit, page }));
    expect(numbered).toEqual(expected);
    expect(await walk({ sort, limit }, 'next')).toEqual(expected);
    expect((await walk({ sort, limit }, 'previous', pages)).reverse()).toEqual(expected);
  });
});

describe('paging the history', () => {
  it('has 20 entries per page and shows the position', async () => {
    const first = await listCalculations(ctx);
    expect(first).toMatchObject({ total: 47, page: 1, pages: 3, limit: 20, previous: null });
    const last = await listCalculations(ctx, { page: 3 });
    expect(last).toMatchObject({ page: 3, next: null });
    expect(last.items).toHaveLength(7);
  });

  it('shows the last page for a number beyond it, and the first for nonsense', async () => {
    expect((await listCalculations(ctx, { page: 99 })).page).toBe(3);
    for (const page of ['0', '-1', 'x', '1.5', undefined])
      expect((await listCalculations(ctx, { page })).page).toBe(1);
    const odd = { sort: 'size', search: ['a'], limit: '1e9', cursor: 'AAAA' } as unknown as HistoryQueryInput;
    expect(await listCalculations(ctx, odd)).toMatchObject({ sort: 'date', search: '', limit: 20, page: 1 });
  });

  it('does not lose or repeat rows when one before the cursor is deleted', async () => {
    const page = await listCalculations(ctx, { limit: 5 });
    const [doomed] = await saveAll(ctx, [{ peptideName: 'short-lived' }]);
    await deleteCalculation(ctx, doomed?.id ?? '');
    const next = await listCalculations(ctx, { limit: 5, cursor: page.next ?? '' });
    expect(next.items.map(({ id }) => id)).toEqual((await idsOf({ limit: 100 })).slice(5, 10));
  });
});

describe('searching the history', () => {
  it.each([
    ['bpc', 16],
    ['  BPC-157 ', 16],
    ['äpf', 8],
    ['ÄPF', 8],
    ['week 1', 2],
    ['100% done', 10],
    ['(a+)+$', 10],
    ['[ok]', 10],
    ['a.b', 10],
    ['a.c', 0],
    ['.*', 0],
    ['(copper)', 7],
    ['nothing of the kind', 0],
  ])('finds %j in names and notes', async (search, total) => {
    const page = await listCalculations(ctx, { search, limit: 100 });
    expect(page.total).toBe(total);
    expect(page.items).toHaveLength(total);
  });

  it('pages its results', async () => {
    const whole = await idsOf({ search: 'bpc', sort: 'name', limit: 100 });
    expect((await walk({ search: 'bpc', sort: 'name', limit: 5 }, 'next')).flat()).toEqual(whole);
  });
});
