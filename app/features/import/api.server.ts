import * as z from 'zod';
import { DOSE_EXAMPLE } from '#app/domain/import/dose-example.ts';
import { badRows, type ImportSource } from './import-check.server.ts';
import { dryRunImport, getImport, listImports, runImport, undoImport } from './import.server.ts';
import { operation, Reply } from '#app/platform/api/operation.ts';
import { idParams, pageQuery, pageShape, yesOrNo } from '#app/platform/api/shapes.ts';
import { allCounts, EXAMPLE_IMPORT, importAnswer, importResultShape, importShape } from './import-shape.server.ts';

const tag = 'Import';

async function sourceOf(file: File | null): Promise<ImportSource> {
  const bytes = new Uint8Array(await (file ?? new Blob()).arrayBuffer());
  return { bytes, fileName: file?.name ?? null };
}

export const importData = operation({
  id: 'importData',
  method: 'POST',
  path: '/api/import',
  tag,
  summary: 'Bring a file in, all of it or nothing',
  description:
    'An export of this product (JSON or CSV, every type), or a CSV of doses that were taken with the columns ' +
    '`takenAt,name,amount,unit[,site][,notes]`. At most 32 MB and 100,000 records. A file with bad rows is 422: `fields` ' +
    'names the first hundred by type and line, and nothing is taken; a dry run answers the same. What is there already ' +
    'is not added again. Can be undone for 7 days.',
  access: 'user',
  upload: {
    field: 'file',
    description: 'JSON or CSV, at most 32 MB',
    asBody: ['application/json', 'text/csv'],
    bodyExamples: { 'application/json': { calculations: [], compounds: [] }, 'text/csv': DOSE_EXAMPLE },
  },
  query: z.object({
    dryRun: yesOrNo.optional().describe('Only say what would be added; off by default'),
  }),
  errors: ['BAD_ROWS', 'PREMIUM_REQUIRED', 'PLAN_LIMIT', 'SWITCHED_OFF'],
  response: importResultShape,
  example: {
    query: { dryRun: 'false' },
    data: { dryRun: false, rows: EXAMPLE_IMPORT.rows, added: EXAMPLE_IMPORT.added, import: EXAMPLE_IMPORT },
  },
  async run(ctx, { file, query }) {
    const source = await sourceOf(file);
    if (query.dryRun === true) {
      const found = await dryRunImport(ctx, source);
      if (found.badCount > 0) throw badRows(found);
      return { dryRun: true, rows: allCounts(found.rows), added: allCounts(found.fresh), import: null };
    }
    const done = importAnswer(await runImport(ctx, source), ctx.now());
    return { dryRun: false, rows: done.rows, added: done.added, import: done };
  },
});

export const listImportsCall = operation({
  id: 'listImports',
  method: 'GET',
  path: '/api/import',
  tag,
  summary: 'Your imports, the newest first',
  access: 'user',
  isList: true,
  query: z.object(pageQuery()),
  response: z.object({ imports: z.array(importShape), ...pageShape }),
  example: { data: { imports: [EXAMPLE_IMPORT], page: 1, limit: 20, total: 1 } },
  async run(ctx, { query }) {
    const { items, page, limit, total } = await listImports(ctx, query);
    const now = ctx.now();
    return { imports: items.map((record) => importAnswer(record, now)), page, limit, total };
  },
});

export const getImportCall = operation({
  id: 'getImport',
  method: 'GET',
  path: '/api/import/{id}',
  tag,
  summary: 'One import',
  access: 'user',
  params: idParams,
  response: z.object({ import: importShape }),
  example: { data: { import: EXAMPLE_IMPORT } },
  run: async (ctx, { params }) => ({ import: importAnswer(await getImport(ctx, params.id), ctx.now()) }),
});

export const undoImportCall = operation({
  id: 'undoImport',
  method: 'POST',
  path: '/api/import/{id}/undo',
  tag,
  summary: 'Take back what an import added',
  description:
    'For 7 days. What was changed since stays and is counted under `kept`. Again, it answers the same.',
  access: 'user',
  params: idParams,
  response: z.object({ import: importShape }),
  example: { data: { import: { ...EXAMPLE_IMPORT, state: 'undone', canUndo: false, undoUntil: null } } },
  async run(ctx, { params }) {
    await undoImport(ctx, params.id);
    const undone = importAnswer(await getImport(ctx, params.id), ctx.now());
    return new Reply({ import: undone }, { message: 'Import undone' });
  },
});

export const importOperations = [importData, listImportsCall, getImportCall, undoImportCall];
