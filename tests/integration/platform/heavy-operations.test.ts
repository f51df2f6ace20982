import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listCalculations } from '#app/features/calculator/calculations.server.ts';
import { prepareExport } from '#app/features/export/export.server.ts';
import { readPrintedSections } from '#app/features/export/pages.server.ts';
import {
  applyImport,
  dryRunImport,
  getImport,
  prepareImport,
  runImport,
  undoImport,
} from '#app/features/import/import.server.ts';
import { clinicianReport } from '#app/features/reports/clinician-report.server.ts';
import {
  addSideEffectImage,
  addSideEffect,
  sideEffectReport,
} from '#app/features/tracking/side-effects/side-effects.server.ts';
import { addOrderDocument, addOrder } from '#app/features/vendors/orders.server.ts';
import { addSupplier } from '#app/features/vendors/suppliers.server.ts';
import { heavyWork, type HeavyKind } from '#app/platform/heavy-work.server.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { certificate } from '#tests/support/papers.ts';
import { newPerson, type Person } from '#tests/support/people.ts';
import { picture } from '#tests/support/pictures.ts';

/** Only one task of a kind that reads a whole account may run per account. */
let db: TestDatabase;
let busy: Person;
let other: Person;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '1000' } });
  [busy, other] = [
    await newPerson(db, 'busy@example.org', { plan: 'trial' }),
    await newPerson(db, 'other@example.org', { plan: 'trial' }),
  ];
});
afterAll(() => db.dispose());

const MARCH = { start: '2090-03-01', end: '2090-03-31' };

let files = 0;
const file = () => {
  files += 1;
  const row = { id: `calc_${files}x0000000000`, createdAt: '2026-01-05T08:00:00.000Z' };
  const calculations = [{ ...row, peptideAmount: 5, waterVolume: 2, desiredDose: 0.25 }];
  return { bytes: new TextEncoder().encode(JSON.stringify({ calculations })) };
};

/** Takes the account's place for a kind of work, and all waiting places. @returns a function that frees them */
async function occupied(kind: HeavyKind, { signedIn }: Person): Promise<() => Promise<void>> {
  let end = () => {};
  const running = heavyWork(kind, signedIn.user.id, () => new Promise<void>((resolve) => (end = resolve)));
  const waiting = Array.from({ length: 20 }, () =>
    codeOf(heavyWork(kind, signedIn.user.id, () => Promise.resolve())),
  );
  return async () => {
    end();
    await running;
    expect((await Promise.all(waiting)).slice(0, 3)).toEqual(['done', 'done', 'done']);
  };
}

/** Prepares a user's call of an operation. */
type Prepare = (person: Person) => Promise<() => Promise<unknown>>;

const OPERATIONS: Readonly<Record<string, readonly [HeavyKind, Prepare]>> = {
  'a search': ['search', ({ ctx }) => Promise.resolve(() => listCalculations(ctx, { search: 'BPC' }))],
  'a clinician report': ['report', ({ ctx }) => Promise.resolve(() => clinicianReport(ctx, MARCH))],
  'a report of side effects': ['report', ({ ctx }) => Promise.resolve(() => sideEffectReport(ctx, MARCH))],
  'a report that is printed': [
    'report',
    async ({ ctx }) => {
      const prepared = await prepareExport(ctx, {
        format: 'pdf',
        types: ['compounds'],
        includeMetadata: true,
      });
      if (ctx.actor.kind !== 'user') return expect.unreachable('not signed in');
      const { actor } = ctx;
      return () => readPrintedSections(actor, prepared);
    },
  ],
  'a dry run': ['import', ({ ctx }) => Promise.resolve(() => dryRunImport(ctx, file()))],
  'a file that is read': ['import', ({ ctx }) => Promise.resolve(() => prepareImport(ctx, file()))],
  'a file that is imported': [
    'import',
    async ({ ctx }) => {
      const { id } = await prepareImport(ctx, file());
      return () => applyImport(ctx, id);
    },
  ],
  'an import that is undone': [
    'import',
    async ({ ctx }) => {
      const { id } = await runImport(ctx, file());
      return () => undoImport(ctx, id);
    },
  ],
  'a picture': [
    'picture',
    async ({ ctx }) => {
      const { id } = await addSideEffect(ctx, { name: 'Rash', severity: 2, startedAt: '2090-03-09T08:00' });
      const bytes = await picture('png');
      return () => addSideEffectImage(ctx, id, bytes);
    },
  ],
  'a paper': [
    'picture',
    async ({ ctx }) => {
      const { id: supplierId } = await addSupplier(ctx, { name: `Acme ${(files += 1)}` });
      const line = { name: 'BPC-157', mgPerVial: '5', price: '29.90', currency: 'USD', quantity: '3' };
      const { id } = await addOrder(ctx, { supplierId, lines: [line] });
      return () => addOrderDocument(ctx, id, { fileName: 'coa.pdf', bytes: certificate() });
    },
  ],
};

describe('one heavy task of an account at a time', () => {
  it.each(Object.entries(OPERATIONS))('%s', async (_name, [kind, prepare]) => {
    const [call, elsewhere] = [await prepare(busy), await prepare(other)];
    const end = await occupied(kind, busy);
    expect(await codeOf(call())).toBe('RATE_LIMITED');
    expect(await codeOf(elsewhere())).toBe('done');
    await end();
    expect(await codeOf(call())).toBe('done');
  });

  it('leaves a rejected import unchanged', async () => {
    const { id } = await prepareImport(busy.ctx, file());
    const end = await occupied('import', busy);
    expect(await codeOf(applyImport(busy.ctx, id))).toBe('RATE_LIMITED');
    expect((await getImport(busy.ctx, id)).state).toBe('checked');
    await end();
  });

  it('a list without a search never waits', async () => {
    const end = await occupied('search', busy);
    expect(await codeOf(listCalculations(busy.ctx))).toBe('done');
    await end();
  });
});
