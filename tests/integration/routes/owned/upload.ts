import { expect } from 'vitest';
import type { Owner } from './owned.ts';

/** A file of a form. */
export interface Upload {
  field: string;
  name: string;
  type: string;
  bytes: Buffer;
}

const BOUNDARY = 'vialbook-test';

/** A form with one file, as a browser without scripts sends it. */
export function upload(owner: Owner, path: string, { field, name, type, bytes }: Upload) {
  const head =
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\n` +
    `Content-Type: ${type}\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
  return owner.send(path, body, `multipart/form-data; boundary=${BOUNDARY}`);
}

/** The same, which succeeds. */
export async function uploaded(owner: Owner, path: string, file: Upload): Promise<void> {
  const sent = await upload(owner, path, file);
  expect(sent.status, sent.body.slice(0, 300)).toBe(302);
}
