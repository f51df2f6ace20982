import type { ApiClient } from '../client.ts';
import type { Samples } from './sample.ts';

let rows = 0;

/** An export with one empty vial, which does not count towards the free plan's limit. */
function file() {
  const id = `vial_${String((rows += 1)).padStart(24, '0')}`;
  const vial = {
    id,
    createdAt: '2026-01-05T08:00:00.000Z',
    name: 'Imported',
    totalAmount: 5,
    remainingAmount: 0,
    openedAt: '2026-01-05T08:00:00.000Z',
    status: 'empty',
  };
  const bytes = new TextEncoder().encode(JSON.stringify({ compounds: [vial] }));
  return { field: 'file', name: 'export.json', type: 'application/json', bytes };
}

async function imported(owner: ApiClient) {
  const { body } = await owner.call('POST', '/api/import', { file: file() });
  const { id } = body.data?.['import'] as { id: string };
  return { params: { id } };
}

export const importSamples: Samples = {
  importData: { prepare: () => ({ file: file(), query: { dryRun: 'false' } }) },
  listImports: { prepare: () => ({ query: { limit: '5' } }) },
  getImport: { prepare: imported },
  undoImport: { prepare: imported },
};
