import { expect } from 'vitest';
import { storedIn } from '../stored.ts';
import type { WebClient } from '../web-client.ts';
import type { Owned, Owner } from './owned.ts';

const BOUNDARY = 'vialbook-test';

/** Sends a file to the import page as a browser does. */
export function sendFile(from: WebClient, text: string | Buffer, fileName = 'mine-alone.json') {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), Buffer.from(text), Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
  return from.send('/dashboard/import?index', body, `multipart/form-data; boundary=${BOUNDARY}`);
}

let rows = 0;

/** An export with one vial that is used up. */
export function oneVial(): string {
  const id = `vial_${String((rows += 1)).padStart(24, 'a')}`;
  const at = '2026-01-05T08:00:00.000Z';
  const made = { id, createdAt: at, openedAt: at, status: 'empty' };
  return JSON.stringify({ compounds: [{ ...made, name: 'Imported', totalAmount: 5, remainingAmount: 0 }] });
}

async function checkedImport(owner: Owner): Promise<string> {
  const sent = await sendFile(owner, oneVial());
  expect(sent.status, sent.body.slice(0, 300)).toBe(302);
  return sent.location?.split('/').at(-1) ?? '';
}

const importPage = (path: string, isApplied: boolean): Owned => ({
  async make(owner, web) {
    const id = await checkedImport(owner);
    const state = isApplied ? 'done' : 'checked';
    if (isApplied) expect((await owner.post(`/dashboard/import/${id}`, {})).status).toBe(302);
    const isThere = async () =>
      (await storedIn(web.dataDir, 'imports', { _id: id })).some((row) => row['state'] === state);
    return { at: `/dashboard/import/${id}${path}`, shows: 'mine-alone.json', isThere };
  },
});

/** Imports and what can be done with one. */
export const OWNED_IMPORTS: Record<string, Owned> = {
  '/dashboard/import/:id': importPage('', false),
  '/dashboard/import/:id/undo': importPage('/undo', true),
};
