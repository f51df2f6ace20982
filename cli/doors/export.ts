import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { ExportInput } from '#app/domain/export/export-schema.ts';
import type { Doors } from './door.ts';

/** An export that is ready to be written. */
export interface ReadyExport {
  totalRecords: number;
  types: readonly string[];
  isPremium: boolean;
  /** @param onProgress called with the number of records written so far; a server doesn't say */
  open(onProgress: (records: number) => void): Promise<Readable>;
}

/** @throws AppError as `prepareExport` */
type Prepare = (input: ExportInput) => Promise<ReadyExport>;

/** @param user the account, when the database is here */
export const exportDoors = (user: string): Doors<Prepare> => ({
  async here() {
    const { prepareExport } = await import('#app/features/export/index.server.ts');
    return (ctx) => async (input) => {
      const prepared = await prepareExport(ctx, input, user);
      return { ...prepared, types: prepared.request.types };
    };
  },
  async there() {
    const { call, download } = await import('../server/server-api.ts');
    return (login) => async (input) => {
      const { format, types, startDate, endDate, includeMetadata } = input;
      const response = await download(login, '/api/export', {
        format: String(format),
        types: types?.join(','),
        start: startDate as string | undefined,
        end: endDate as string | undefined,
        metadata: includeMetadata !== false,
      });
      const { user: account } = await call<{ user: { subscription: string } }>(login, 'GET', '/api/profile');
      return {
        totalRecords: Number(response.headers.get('Record-Count')),
        types: types ?? [],
        isPremium: account.subscription === 'premium',
        open: () => Promise.resolve(Readable.fromWeb(response.body as ReadableStream<Uint8Array>)),
      };
    };
  },
});
