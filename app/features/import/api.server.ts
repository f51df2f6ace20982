import * as z from 'zod';
import { allCounts, DOSE_EXAMPLE, IMPORT_TYPES, type ImportType } from '#app/domain/records/type-names.ts';
import {
  canUndo,
  undoUntil,
  type ImportRecord,
  dryRunImport,
  getImport,
  pageOfImports,
  runImport,
  undoImport,
} from './import.server.ts';
import {
  instant,
  named,
  idParams,
  pageQuery,
  cursorPageShape,
  yesOrNo,
  cursorQuery,
} from '#app/platform/api/shapes.ts';
import { badRows, unusualRowText, type ImportSource } from './import-check.server.ts';
import { operation, Reply } from '#app/platform/api/operation.ts';

const countsShape = named(
  'ImportCounts',
  z.object(Object.fromEntries(IMPORT_TYPES.map((type) => [type, z.int()])) as Record<ImportType, z.ZodInt>),
);

const healthShape = named(
  'HealthFile',
  z.object({
    understood: z.array(
      z.object({
        type: z
          .string()
          .describe("The file's own name of the type, such as HKQuantityTypeIdentifierBodyMass"),
        records: z.int(),
        taken: z.string().describe('How they become measurements'),
      }),
    ),
    leftOut: z.array(z.object({ type: z.string(), records: z.int(), reason: z.string() })),
  }),
);

const IMPORT_STATES = ['reading', 'checked', 'applying', 'done', 'undoing', 'undone'] as const;

/** An import as the API returns it. */
const importShape = named(
  'Import',
  z.object({
    id: z.string(),
    state: z
      .enum(IMPORT_STATES)
      .describe('"done" or "undone"; in any other state it is waiting to be imported, finished or undone'),
    fileName: z.string().nullable(),
    createdAt: instant,
    doneAt: instant.nullable(),
    rows: countsShape.describe('Records in the file'),
    added: countsShape.describe('Records that were new'),
    kept: countsShape.describe('Records that the undo kept because they had been changed'),
    canUndo: z.boolean(),
    undoUntil: instant.nullable(),
  }),
);

/** What importing a file added, or would add. */
const importResultShape = z.object({
  dryRun: z.boolean(),
  rows: countsShape,
  added: countsShape.describe('New records; in a dry run, those that would be added'),
  unusual: z
    .array(z.object({ code: z.string(), message: z.string() }))
    .describe(
      'The first hundred rows that are probably mistakes: unusual amounts, which need `confirm` to be imported, and ' +
        'others such as future reconstitution days (RECONSTITUTED_IN_FUTURE), which are imported anyway',
    ),
  healthFile: healthShape
    .nullable()
    .describe("What was recognised in a phone's health file, and what was left out; null for any other file"),
  import: importShape.nullable().describe('Null for a dry run'),
});

/** An import as the API returns it. */
function importAnswer(record: ImportRecord, now: Date): z.input<typeof importShape> {
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

/** The example in the API document. */
const EXAMPLE_IMPORT = {
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

/** A file of Apple Health with one weight. */
const APPLE_EXAMPLE = `<?xml version="1.0" encoding="UTF-8"?>
<HealthData locale="en_US">
 <ExportDate value="2026-03-09 09:00:00 +0100"/>
 <Record type="HKQuantityTypeIdentifierBodyMass" sourceName="Scale" unit="kg" startDate="2026-03-09 07:30:00 +0100" endDate="2026-03-09 07:30:00 +0100" value="81.2"/>
</HealthData>
`;

const tag = 'Import';

async function sourceOf(file: File | null): Promise<ImportSource> {
  const bytes = new Uint8Array(await (file ?? new Blob()).arrayBuffer());
  return { bytes, fileName: file?.name ?? null };
}

const importData = operation({
  id: 'importData',
  method: 'POST',
  path: '/api/import',
  tag,
  summary: 'Import a file completely or not at all',
  description:
    'Takes a Vialbook export (JSON or CSV, every type), a CSV of doses taken with the columns ' +
    '`takenAt,name,amount,unit[,site][,notes]`, or health data from a phone: the Apple Health `export.xml` or its zip, ' +
    'or JSON from Health Auto Export or a Health Connect exporter. For health data, `healthFile` lists what was ' +
    'recognised and what was left out. Up to 32 MB and 100,000 records. A file with errors gets 422: `rows` ' +
    'names the first hundred bad rows by line and field, and nothing is imported. A dry run answers 422 in the same ' +
    'way, and 200 without errors. Records that already exist are skipped. A file with unusual amounts gets 409 CONFIRM_DOSE, which ' +
    'names their rows; send it again with `confirm=true` to import them. An import can be undone for 7 days.',
  access: 'user',
  creates: '/api/import/{import.id}',
  mayCreateNothing: true,
  upload: {
    field: 'file',
    description: 'JSON, CSV, XML or zip, up to 32 MB',
    asBody: ['application/json', 'text/csv', 'application/xml', 'application/zip'],
    bodyExamples: {
      'application/json': { calculations: [], compounds: [] },
      'text/csv': DOSE_EXAMPLE,
      'application/xml': APPLE_EXAMPLE,
    },
  },
  query: z.object({
    dryRun: yesOrNo.optional().describe('Only report what would be added; off by default'),
    confirm: yesOrNo.optional().describe('Import unusual amounts anyway, after CONFIRM_DOSE'),
  }),
  errors: ['BAD_ROWS', 'UNREADABLE_FILE', 'CONFIRM_DOSE', 'PREMIUM_REQUIRED', 'PLAN_LIMIT', 'SWITCHED_OFF'],
  response: importResultShape,
  example: {
    query: { dryRun: 'false' },
    data: {
      dryRun: false,
      rows: EXAMPLE_IMPORT.rows,
      added: EXAMPLE_IMPORT.added,
      unusual: [],
      healthFile: null,
      import: EXAMPLE_IMPORT,
    },
  },
  async run(ctx, { file, query }) {
    const source = await sourceOf(file);
    if (query.dryRun === true) {
      const found = await dryRunImport(ctx, source);
      if (found.badCount > 0) throw badRows(found);
      const { rows, fresh, health: healthFile } = found;
      const unusual = found.unusual.map(unusualRowText);
      const data = { rows: allCounts(rows), added: allCounts(fresh), unusual, healthFile, import: null };
      return new Reply({ dryRun: true, ...data }, { madeNothing: true });
    }
    const confirm = query.confirm === true;
    const record = await runImport(ctx, source, { confirm });
    const done = importAnswer(record, ctx.now());
    const unusual = (record.unusual ?? []).map(unusualRowText);
    const { health: healthFile = null } = record;
    return { dryRun: false, rows: done.rows, added: done.added, unusual, healthFile, import: done };
  },
});

const listImportsCall = operation({
  id: 'listImports',
  method: 'GET',
  path: '/api/import',
  tag,
  summary: 'Your imports, newest first',
  description: 'Includes undone and unfinished imports.',
  access: 'user',
  isList: true,
  query: z.object({ ...pageQuery(), ...cursorQuery }),
  response: z.object({ imports: z.array(importShape), ...cursorPageShape }),
  example: { data: { imports: [EXAMPLE_IMPORT], page: 1, limit: 20, total: 1, next: null } },
  async run(ctx, { query }) {
    const { items, paging } = await pageOfImports(ctx, query);
    const now = ctx.now();
    return { imports: items.map((record) => importAnswer(record, now)), ...paging };
  },
});

const getImportCall = operation({
  id: 'getImport',
  method: 'GET',
  path: '/api/import/{id}',
  tag,
  summary: 'One import',
  description: 'Includes what it added and until when it can be undone.',
  access: 'user',
  params: idParams,
  response: z.object({ import: importShape }),
  example: { data: { import: EXAMPLE_IMPORT } },
  run: async (ctx, { params }) => ({ import: importAnswer(await getImport(ctx, params.id), ctx.now()) }),
});

const undoImportCall = operation({
  id: 'undoImport',
  method: 'POST',
  path: '/api/import/{id}/undo',
  tag,
  summary: 'Undo an import',
  description:
    'Possible for 7 days. Records you changed since are kept and counted under `kept`. Repeating the call gives the same answer.',
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
