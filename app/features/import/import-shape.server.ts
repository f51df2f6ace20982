import * as z from 'zod';
import { IMPORT_TYPES, type ImportType } from '#app/domain/import/import-types.ts';
import { canUndo, undoUntil, type ImportRecord } from './import.server.ts';
import { instant, named } from '#app/platform/api/shapes.ts';

type Counts = Record<ImportType, number>;

/** How many of each type, all types named. */
export const allCounts = (counts: Partial<Counts>): Counts =>
  Object.fromEntries(IMPORT_TYPES.map((type) => [type, counts[type] ?? 0])) as Counts;

const countsShape = named(
  'ImportCounts',
  z.object(Object.fromEntries(IMPORT_TYPES.map((type) => [type, z.int()])) as Record<ImportType, z.ZodInt>),
);

const IMPORT_STATES = ['reading', 'checked', 'applying', 'done', 'undoing', 'undone'] as const;

/** An import as the API gives it. */
export const importShape = named(
  'Import',
  z.object({
    id: z.string(),
    state: z
      .enum(IMPORT_STATES)
      .describe('"done" or "undone"; the others wait to be brought in, finished or undone'),
    fileName: z.string().nullable(),
    createdAt: instant,
    doneAt: instant.nullable(),
    rows: countsShape.describe('Records of the file'),
    added: countsShape.describe('Records that were not there before'),
    kept: countsShape.describe('Records that its undo left because they were changed since'),
    canUndo: z.boolean(),
    undoUntil: instant.nullable(),
  }),
);

/** What one file brought in, or would. */
export const importResultShape = z.object({
  dryRun: z.boolean(),
  rows: countsShape,
  added: countsShape.describe('What was not there before; in a dry run, what would be added'),
  import: importShape.nullable().describe('Null for a dry run'),
});

/** An import in an answer. */
export function importAnswer(record: ImportRecord, now: Date): z.input<typeof importShape> {
  const { id, state, fileName, createdAt, doneAt, rows, added, kept } = record;
  return {
    id,
    state,
    fileName,
    createdAt,
    doneAt,
    rows: allCounts(rows),
    added: allCounts(added),
    kept: allCounts(kept),
    canUndo: canUndo(record, now),
    undoUntil: undoUntil(record),
  };
}

const COUNTS = allCounts({ calculations: 12, compounds: 1 });

/** An import in the document's examples. */
export const EXAMPLE_IMPORT = {
  id: 'imp_674051b0a1b2c3d4e5f60718',
  state: 'done',
  fileName: 'vialbook-export-2026-11-22.json',
  createdAt: '2026-11-22T08:00:00.000Z',
  doneAt: '2026-11-22T08:00:01.000Z',
  rows: COUNTS,
  added: COUNTS,
  kept: allCounts({}),
  canUndo: true,
  undoUntil: '2026-11-29T08:00:01.000Z',
};
