import { prepareExport } from '#app/features/export/export.server.ts';
import { stockReport } from '#app/features/vials/stock-forecast.server.ts';
import { applyStockDraws, planStockDraws, returnStockDraws } from '#app/features/vials/vial-writes.server.ts';
import {
  correctRemaining,
  discardVial,
  reconstituteVial,
  spillVial,
  addVial,
  deleteVial,
  getVial,
  getVialRoom,
  updateVial,
  pageOfVials,
  listVials,
} from '#app/features/vials/vials.server.ts';
import { VIAL_FILTERS, VIAL_SORTS } from '#app/domain/vials/vial-list-schema.ts';
import { TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { newPerson } from '#tests/support/people.ts';
import { textOf } from '#tests/support/streams.ts';
import { pageThrough } from './pages.ts';

const SEALED = { name: 'BPC-157', totalAmount: '5' };

/** Vials added, looked through, drawn from, changed and thrown away, by a free account and at the terminal. */
export async function keepStock(db: TestDatabase): Promise<void> {
  const { ctx, email, signedIn } = await newPerson(db, 'stocks@example.org');
  const ownerId = signedIn.user.id;
  const { id } = await addVial(ctx, SEALED, { idempotencyKey: 'key' });
  await addVial(ctx, SEALED, { idempotencyKey: 'key' });
  const other = await addVial(ctx, SEALED);
  await addVial(ctx, SEALED);
  await addVial(ctx, SEALED).catch(() => undefined);
  await getVialRoom(ctx);
  for (const sort of VIAL_SORTS) {
    for (const filter of VIAL_FILTERS) {
      const page = await listVials(ctx, ownerId, { sort, filter, search: 'b', limit: 1 });
      const next = await listVials(ctx, ownerId, { sort, filter, limit: 1, cursor: page.next ?? undefined });
      await listVials(ctx, ownerId, { sort, filter, limit: 1, cursor: next.previous ?? undefined });
      await pageThrough((page) => pageOfVials(ctx, ownerId, { sort, filter, ...page }));
    }
  }
  await pageThrough((page) => pageOfVials(ctx, ownerId, { ...page, updatedSince: new Date(0) }));
  await reconstituteVial(ctx, id, { reconstitutionDate: '2090-03-01', waterMl: '2' });
  const { draws } = await planStockDraws(ctx, ownerId, {
    name: 'BPC-157',
    doseMg: '1',
    syringe: 'u100-1ml',
    preferredCompoundId: id,
  });
  await planStockDraws(ctx, ownerId, { name: 'Other', doseMg: '1', syringe: 'u100-1ml', compoundId: id });
  await applyStockDraws(ctx, ownerId, { key: 'k', draws, at: db.clock.now() });
  await returnStockDraws(ctx, ownerId, { key: 'k', draws, at: db.clock.now() });
  await updateVial(ctx, id, { notes: 'x' });
  await correctRemaining(ctx, id, { remainingAmount: '0' });
  await correctRemaining(ctx, id, { remainingAmount: '3' });
  await spillVial(ctx, id, { lostAmount: '1' });
  await getVial(ctx, id);
  await textOf((await prepareExport(ctx, { format: 'json', types: ['compounds'] })).open());
  await discardVial(ctx, id);
  await deleteVial(ctx, other.id);
  await addVial(db.ctx(TERMINAL), SEALED, { ownerEmail: email });
  await stockReport(db.ctx(TERMINAL), ownerId);
}
