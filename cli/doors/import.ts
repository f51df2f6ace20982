import path from 'node:path';
import { AppError } from '#app/domain/errors.ts';
import type { TypeCounts } from '#app/domain/records/type-names.ts';
import type { ImportRecord, ImportSource } from '#app/features/import/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import type { ServerLogin } from '../server/login-file.ts';
import type { Doors } from './door.ts';

/** What an import added, or would add. */
export interface Outcome {
  id?: string;
  rows: TypeCounts;
  added: TypeCounts;
  /** Rows that are probably mistakes, each described in a sentence. */
  unusual?: readonly { code: string; message: string }[];
  /** What was read from a phone's health file; null for any other file. */
  healthFile?: ImportRecord['health'];
}

export type ListedImport = Pick<
  ImportRecord,
  'id' | 'state' | 'fileName' | 'createdAt' | 'doneAt' | 'rows' | 'added' | 'kept'
>;

/** A file that is being read. */
type Read = <T>(work: (source: ImportSource) => Promise<T>) => Promise<T>;
/** Tells how many rows of a total have been written. */
type Written = <T>(total: number, work: (onWritten: (count: number) => void) => Promise<T>) => Promise<T>;

/** What `vialbook import` does. Every method throws what the operation throws. */
export interface ImportDoor {
  check(read: Read): Promise<Outcome>;
  bringIn(read: Read, written: Written, confirm: boolean): Promise<Outcome>;
  list(page: { page: number; limit: number }): Promise<{ items: ListedImport[]; total: number }>;
  /** @returns what was left because it had changed */
  undo(id: string): Promise<TypeCounts>;
}

async function here(user: string) {
  const imports = await import('#app/features/import/index.server.ts');
  return (ctx: Ctx): ImportDoor => ({
    async check(read) {
      const found = await read((source) => imports.dryRunImport(ctx, source, user));
      if (found.badCount > 0) throw imports.badRows(found);
      const { rows, fresh: added, health: healthFile } = found;
      return { rows, added, unusual: found.unusual.map(imports.unusualRowText), healthFile };
    },
    async bringIn(read, written, confirm) {
      const { id, rows } = await read((source) => imports.prepareImport(ctx, source, user));
      const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
      const done = await written(total, (onWritten) =>
        imports.applyImport(ctx, id, { email: user, confirm, onWritten }),
      );
      const { unusual = [], health: healthFile = null, ...rest } = done;
      return { ...rest, healthFile, unusual: unusual.map(imports.unusualRowText) };
    },
    list: (page) => imports.listImports(ctx, page, user),
    undo: (id) => imports.undoImport(ctx, id, user),
  });
}

/** The largest file that the API takes. */
const MAX_BYTES = 32 * 1024 * 1024;

async function bytesOf({ bytes }: ImportSource): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > MAX_BYTES)
      throw new AppError(
        'PAYLOAD_TOO_LARGE',
        'A server takes files of up to 32 MB. Import a larger one where the data are.',
      );
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

interface ApiOutcome extends Omit<Outcome, 'id'> {
  import: { id: string } | null;
}

interface ApiImport extends Omit<ListedImport, 'createdAt' | 'doneAt'> {
  createdAt: string;
  doneAt: string | null;
}

async function there() {
  const { call, pathOf } = await import('../server/server-api.ts');
  return (login: ServerLogin): ImportDoor => {
    const send = async (read: Read, query: Record<string, boolean>): Promise<Outcome> => {
      const form = await read(async (source) => {
        const { fileName = null } = source;
        const file = new File([await bytesOf(source)], fileName === null ? 'stdin' : path.basename(fileName));
        const fields = new FormData();
        fields.set('file', file);
        return fields;
      });
      const sent = { query, form };
      const { import: record, ...outcome } = await call<ApiOutcome>(login, 'POST', '/api/import', sent);
      return { ...outcome, ...(record !== null && { id: record.id }) };
    };
    return {
      check: (read) => send(read, { dryRun: true }),
      bringIn: (read, _written, confirm) => send(read, { confirm }),
      async list(page) {
        const { imports, total } = await call<{ imports: ApiImport[]; total: number }>(
          login,
          'GET',
          '/api/import',
          { query: page },
        );
        const items = imports.map((one) => ({
          ...one,
          createdAt: new Date(one.createdAt),
          doneAt: one.doneAt === null ? null : new Date(one.doneAt),
        }));
        return { items, total };
      },
      async undo(id) {
        const path = pathOf`/api/import/${id}/undo`;
        const { import: undone } = await call<{ import: ApiImport }>(login, 'POST', path, { body: {} });
        return undone.kept;
      },
    };
  };
}

/** @param user the account, when the database is here */
export const importDoors = (user: string): Doors<ImportDoor> => ({ here: () => here(user), there });
