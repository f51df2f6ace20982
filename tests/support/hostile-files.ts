import { deflateRawSync, deflateSync } from 'node:zlib';
import { appleFile } from './apple-health.ts';
import { zipOf } from './zips.ts';

/** A file that costs more to read than to send. */
export interface HostileFile {
  what: string;
  type: string;
  bytes: Buffer;
  /** The answer of an import: a file of no known kind, one that is too large, or one whose contents are refused. */
  status: 400 | 413 | 422;
  error: string;
}

const json = (what: string, text: string, status: 400 | 422, error: string): HostileFile => ({
  ...{ what, type: 'application/json', bytes: Buffer.from(text) },
  ...{ status, error },
});

const unitOf = (unit: string): string =>
  appleFile(
    `<Record type="HKQuantityTypeIdentifierBodyMass" unit="${unit}" value="80" startDate="2024-02-06 08:00:00 +0000" endDate="2024-02-06 08:00:00 +0000"/>`,
  );

/** A night of so many totals at different times. */
function night(totals: number): string {
  const times = Array.from({ length: totals }, (_, index) => {
    const from = new Date(Date.UTC(2024, 1, 5, 20) + 2 * index);
    const sleepEnd = new Date(from.getTime() + 1).toISOString();
    return { sleepStart: from.toISOString(), sleepEnd, totalSleep: 1 / 3_600_000 };
  });
  const metrics = [{ name: 'sleep_analysis', units: 'hr', data: times }];
  return JSON.stringify({ data: { metrics } });
}

/** Empty lists, each of which takes ten times its three characters in memory, in entries as long as they may be. */
function emptyLists(megabytes: number): string {
  const entry = `[${'[],'.repeat(330_000)}[]]`;
  return `{"data":{"metrics":[{"data":[${Array.from({ length: megabytes }, () => entry).join(',')}]}]}}`;
}

/** A zip of one file without contents for its size: a thousand times as large as what is sent. */
async function zipBomb(megabytes: number): Promise<Buffer> {
  return Buffer.from(await zipOf({ 'export.xml': ' '.repeat(megabytes * 1024 * 1024) }));
}

/** Files for the import, each with what reading it took before it was bounded. */
export const hostileImports = async (size = 1): Promise<HostileFile[]> => [
  {
    ...{ what: 'a zip bomb', type: 'application/zip', bytes: await zipBomb(32 * size) },
    ...{ status: 413, error: 'PAYLOAD_TOO_LARGE' },
  },
  {
    ...{ what: 'a zip with names of 60 kB', type: 'application/zip' },
    bytes: Buffer.from(await zipOf({ ['health_connect'.repeat(4200)]: 'x' })),
    ...{ status: 400, error: 'INVALID_INPUT' },
  },
  json('deeply nested JSON', `{"calculations":[${'['.repeat(1_000_000)}`, 400, 'INVALID_INPUT'),
  json('texts without an end', `{"lots":[{"id":"${'\\"'.repeat(90_000)}\\\n"}]}`, 400, 'INVALID_INPUT'),
  json('a night of many totals', night(3000 * size), 422, 'BAD_ROWS'),
  json('JSON that takes more memory than a file may', emptyLists(20), 422, 'UNREADABLE_FILE'),
  {
    ...{ what: 'deeply nested XML', type: 'application/xml' },
    bytes: Buffer.from(`<HealthData>${'<a>'.repeat(1_000_000)}`),
    ...{ status: 400, error: 'INVALID_INPUT' },
  },
  {
    ...{ what: 'XML with an enormous attribute', type: 'application/xml' },
    bytes: Buffer.from(unitOf('x'.repeat(5_000_000))),
    ...{ status: 400, error: 'INVALID_INPUT' },
  },
  {
    ...{ what: 'a unit of 100,000 brackets', type: 'application/xml' },
    bytes: Buffer.from(unitOf('&lt;'.repeat(100_000))),
    ...{ status: 422, error: 'BAD_ROWS' },
  },
  {
    ...{ what: 'a table with an enormous cell', type: 'text/csv' },
    bytes: Buffer.from(`takenAt,name,amount,unit\n"${'a'.repeat(5_000_000)}"`),
    ...{ status: 400, error: 'INVALID_INPUT' },
  },
  {
    ...{ what: 'a table with an enormous line', type: 'text/csv' },
    bytes: Buffer.from(`takenAt,name,amount,unit\n${'a,'.repeat(2_000_000)}`),
    ...{ status: 400, error: 'INVALID_INPUT' },
  },
];

const packed = (content: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from('%PDF-1.7\n8 0 obj<</Type/ObjStm/N 1/First 4/Filter/FlateDecode/Length 1>>stream\n'),
    content,
    Buffer.from('\nendstream\nendobj\n%%EOF\n'),
  ]);

/** PDF files that are harmless only to those who do not unpack them. */
export const hostilePapers = (): { what: string; bytes: Buffer }[] => [
  // A program that unpacks it as text needs gigabytes.
  { what: 'a PDF of 63 kB with 64 MB of objects', bytes: packed(deflateSync(Buffer.alloc(64 << 20, '/A '))) },
  { what: 'a PDF of beginnings without an end', bytes: packed(Buffer.from('stream\n'.repeat(15_000))) },
  { what: 'a PDF packed in an unknown way', bytes: packed(deflateRawSync(Buffer.from('1 0 obj'))) },
];
