import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import type { RawRow } from '#app/domain/records/record-type.ts';
import { readImportFile } from '#app/features/import/import-file.server.ts';
import { TERMINAL_LIMITS, UPLOAD_LIMITS } from '#app/features/import/import-limits.server.ts';
import { APPLE_FILE } from '#tests/support/apple-health.ts';
import { zipOf } from '#tests/support/zips.ts';

const SETTING = { now: new Date('2024-03-01T00:00:00Z'), timeZone: 'UTC' };
const EXPORT = 'apple_health_export/export.xml';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vialbook-zip-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function rowsOf(
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
  { limits = UPLOAD_LIMITS, file = '' } = {},
) {
  const rows: RawRow[] = [];
  const source = { bytes, ...(file !== '' && { path: file }) };
  for await (const part of readImportFile(source, limits, SETTING)) rows.push(...part.rows);
  return rows;
}

/** A copy with the first occurrence of some bytes replaced. */
function replaced(zip: Uint8Array, from: Uint8Array, to: Uint8Array): Uint8Array {
  const copy = Buffer.from(zip);
  for (let at = copy.indexOf(from); at >= 0; at = copy.indexOf(from, at + 1)) copy.set(to, at);
  return copy;
}

describe('a zip file', () => {
  it('with an Apple Health export is read, whatever else is in it', async () => {
    const zip = await zipOf({
      'apple_health_export/export_cda.xml': '<ClinicalDocument/>',
      'apple_health_export/workout-routes/route.gpx': '<gpx/>',
      [EXPORT]: APPLE_FILE,
      'apple_health_export/electrocardiograms/ecg.csv': 'a,b',
    });
    expect(await rowsOf(zip)).toHaveLength(8);
    expect(await rowsOf(await zipOf({ 'apple_health_export/Exportar.xml': APPLE_FILE }))).toHaveLength(8);
    expect(await rowsOf(await zipOf({ 'export.json': '{"data":{"metrics":[]}}' }))).toEqual([]);
  });

  it('given by path is read from its end', async () => {
    const zip = new ZipFile();
    zip.addBuffer(Buffer.from(APPLE_FILE), EXPORT);
    zip.end();
    const file = path.join(folder, 'export.zip');
    await pipeline(zip.outputStream, createWriteStream(file));
    async function* begin() {
      yield await Promise.resolve(Uint8Array.of(0x50, 0x4b, 3, 4, 0));
    }
    expect(await rowsOf(begin(), { file })).toHaveLength(8);
  });

  it('that comes as a stream is read up to a limit', async () => {
    const zip = await zipOf({ [EXPORT]: APPLE_FILE });
    async function* pieces(bytes: Uint8Array, times = 1) {
      for (let at = 0; at < bytes.length; at += 100)
        yield await Promise.resolve(bytes.subarray(at, at + 100));
      for (let count = 1; count < times; count += 1) yield new Uint8Array(1024 * 1024);
    }
    expect(await rowsOf(pieces(zip))).toHaveLength(8);
    await expect(rowsOf(pieces(zip, 40))).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    await expect(rowsOf(pieces(zip, 40), { limits: TERMINAL_LIMITS })).rejects.toMatchObject({
      message: expect.stringMatching(/^A zip this large cannot be read from a stream/) as string,
    });
  });

  it.each([
    ['without an export', { 'a.txt': 'x' }, /^This zip file has no apple_health_export\/export.xml/],
    [
      'with two exports',
      { 'a/one.xml': APPLE_FILE, 'a/two.xml': APPLE_FILE },
      /^This zip file has several exports/,
    ],
    [
      'of Health Connect itself',
      { 'health_connect_export.db': 'x' },
      /^Backups of Health Connect cannot be imported/,
    ],
  ])('%s is refused', async (_what, files, message) => {
    await expect(rowsOf(await zipOf(files))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(message) as string,
    });
  });

  it('is refused with a message if it is damaged, encrypted or has paths outside of it', async () => {
    const good = await zipOf({ [EXPORT]: APPLE_FILE });
    const name = Buffer.from(EXPORT);
    const outside = replaced(good, name, Buffer.from('../le_health_export/export.xml'));
    const damaged = Buffer.from(good).subarray(0, good.length - 30);
    for (const bytes of [
      outside,
      damaged,
      Buffer.concat([good.subarray(0, 200), Buffer.alloc(100), good.subarray(300)]),
    ])
      await expect(rowsOf(bytes)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringMatching(/^This zip file cannot be read/) as string,
      });
    // The encryption flag in the central directory, eight bytes after its signature.
    const encrypted = Buffer.from(good);
    const directory = encrypted.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    encrypted.writeUInt16LE(encrypted.readUInt16LE(directory + 8) | 1, directory + 8);
    await expect(rowsOf(encrypted)).rejects.toMatchObject({
      message: expect.stringMatching(/^This zip file is encrypted/) as string,
    });
  });

  it('is refused as a zip bomb by its declared size and by its real one', async () => {
    const bomb = await zipOf({ [EXPORT]: `<HealthData>${' '.repeat(5_000_000)}</HealthData>` });
    await expect(rowsOf(bomb)).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      message: expect.stringMatching(/250 times larger/) as string,
    });
    const limits = { ...UPLOAD_LIMITS, inflated: 1000 };
    await expect(rowsOf(await zipOf({ [EXPORT]: APPLE_FILE }), { limits })).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
    });
    // The declared size is 100 bytes; a longer stream is cut off.
    const lying = Buffer.from(await zipOf({ [EXPORT]: APPLE_FILE }));
    lying.writeUInt32LE(100, lying.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 24);
    await expect(rowsOf(lying)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});
