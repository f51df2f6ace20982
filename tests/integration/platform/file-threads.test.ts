import { describe, expect, it } from 'vitest';
import { UPLOAD_LIMITS } from '#app/features/import/import-limits.server.ts';
import type { RawFile } from '#app/domain/records/record-type.ts';
import { readInThread, type ReadingLimits } from '#app/platform/threads/reader-thread.server.ts';
import { codeOf } from '#tests/support/outcomes.ts';

const INPUT = {
  limits: UPLOAD_LIMITS,
  setting: { now: new Date('2026-03-01T00:00:00Z'), timeZone: 'UTC' },
};
const ENOUGH: ReadingLimits = { megabytes: 160, seconds: 600 };
const HEADER = 'takenAt,name,amount,unit\n';
const table = (rows: number) =>
  new TextEncoder().encode(HEADER + '2026-02-01T08:00:00Z,BPC-157,250,mcg\n'.repeat(rows));

async function rowsOf(bytes: Uint8Array | AsyncIterable<Uint8Array>, limits = ENOUGH): Promise<number> {
  let rows = 0;
  for await (const file of readInThread<RawFile>('import', INPUT, bytes, limits)) rows += file.rows.length;
  return rows;
}

describe('a file that is read in a thread', () => {
  it('arrives in full and in order, all at once or in pieces of any size', async () => {
    async function* pieces() {
      const whole = table(3000);
      for (let at = 0; at < whole.length; at += 777)
        yield await Promise.resolve(whole.subarray(at, at + 777));
    }
    expect(await rowsOf(table(3000))).toBe(3000);
    expect(await rowsOf(pieces())).toBe(3000);
  });

  it('is refused when it takes too long or too much memory, and the process goes on', async () => {
    expect(await codeOf(rowsOf(table(1), { ...ENOUGH, seconds: 0 }))).toBe('UNREADABLE_FILE');
    const lists = `{"data":{"metrics":[{"data":[${`[${'[],'.repeat(300_000)}[]],`.repeat(4)}[]]}]}}`;
    const bytes = new TextEncoder().encode(lists);
    expect(await codeOf(rowsOf(bytes, { ...ENOUGH, megabytes: 24 }))).toBe('UNREADABLE_FILE');
    expect(await rowsOf(table(1))).toBe(1);
  });

  it('is refused with the reason that its reader gives', async () => {
    await expect(rowsOf(new TextEncoder().encode('a,b\n1,2'))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      fields: { file: [expect.stringContaining('The first line must be')] },
    });
  });

  it('is no longer read when its sender is gone, or nobody wants the rest', async () => {
    async function* broken() {
      yield await Promise.resolve(table(2000));
      throw new Error('the connection is gone');
    }
    await expect(rowsOf(broken())).rejects.toThrow('the connection is gone');
    let isClosed = false;
    async function* endless() {
      try {
        yield new TextEncoder().encode(HEADER);
        for (;;) yield await Promise.resolve(table(1000).subarray(HEADER.length));
      } finally {
        isClosed = true;
      }
    }
    for await (const file of readInThread<RawFile>('import', INPUT, endless(), ENOUGH)) {
      expect(file.rows.length).toBeGreaterThan(0);
      break;
    }
    expect(isClosed).toBe(true);
  });
});
