import { prepareExport } from '#app/features/export/export.server.ts';
import {
  addSupply,
  deleteSupply,
  getSupply,
  listSupplies,
  updateSupply,
} from '#app/features/supplies/supplies.server.ts';
import type { Person } from '#tests/support/people.ts';
import { textOf } from '#tests/support/streams.ts';

/** Supplies added, counted, filled up, exported, and one of them deleted again. */
export async function useSupplies({ ctx }: Pick<Person, 'ctx'>): Promise<void> {
  const { supply } = await addSupply(ctx, { kind: 'syringe', name: 'Syringes', count: '100' }, 'key');
  await addSupply(ctx, { kind: 'syringe', name: 'Syringes', count: '100' }, 'key');
  const gone = await addSupply(ctx, { kind: 'swab', name: 'Swabs', count: '10' });
  await updateSupply(ctx, supply.id, { received: '100' });
  await updateSupply(ctx, supply.id, { counted: '190', perInjection: '2' });
  await getSupply(ctx, supply.id);
  await listSupplies(ctx);
  await textOf((await prepareExport(ctx, { format: 'json', types: ['supplies'] })).open());
  await deleteSupply(ctx, gone.supply.id);
}
