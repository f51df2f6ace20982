import type { Readable } from 'node:stream';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { isAppError } from '#app/domain/errors.ts';
import { invalid, tooLarge, type ImportLimits } from './import-limits.server.ts';

/** Most entries of an archive; Apple's has one for each workout route. */
const MAX_ENTRIES = 100_000;
/** How many times larger than its packed form a file may be. A phone's XML is 20 to 60 times larger. */
const MAX_RATIO = 250;

const MB = 1024 * 1024;

/** Where an archive is: in memory, or in a file, of which only what is needed is read. */
export type ZipSource = Uint8Array | { path: string };

const OPTIONS = {
  lazyEntries: true,
  autoClose: false,
  strictFileNames: true,
  validateEntrySizes: true,
} as const;

const openZip = (source: ZipSource): Promise<ZipFile> =>
  source instanceof Uint8Array
    ? yauzl.fromBufferPromise(Buffer.from(source.buffer, source.byteOffset, source.byteLength), OPTIONS)
    : yauzl.openPromise(source.path, OPTIONS);

/** yauzl refuses names that lead out of the archive and impossible sizes. */
const broken = (cause: unknown) =>
  invalid('This zip file cannot be read. It is damaged or contains invalid file names.', cause);

/**
 * Whether an entry is the Apple Health export, `apple_health_export/export.xml`, whose name depends on the phone's
 * language. `export_cda.xml` next to it holds the same data in a format for doctors.
 */
const isExport = ({ fileName }: Entry): boolean =>
  /^(?:[^/]+\/)?[^/]+\.xml$/i.test(fileName) && !/_cda\.xml$/i.test(fileName);
const isJson = ({ fileName }: Entry): boolean => /^(?:[^/]+\/)?[^/]+\.json$/i.test(fileName);

const isHealthConnectBackup = ({ fileName }: Entry): boolean => {
  const name = fileName.toLowerCase();
  return name.includes('health_connect') && name.endsWith('.db');
};

/** Finds the one file to read in an archive. */
async function findEntry(zip: ZipFile): Promise<Entry> {
  const exports: Entry[] = [];
  const others: Entry[] = [];
  if (zip.entryCount > MAX_ENTRIES)
    throw invalid(`This zip file has more than ${MAX_ENTRIES.toLocaleString('en')} files.`);
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.startsWith('__MACOSX/')) continue;
    if (isHealthConnectBackup(entry))
      throw invalid(
        'Backups of Health Connect cannot be imported. Export JSON with an app such as HC Webhook instead.',
      );
    if (isExport(entry)) exports.push(entry);
    else if (isJson(entry)) others.push(entry);
  }
  const found = exports.length > 0 ? exports : others;
  const named = found.filter(({ fileName }) => /(?:^|\/)export\.xml$/i.test(fileName));
  const [entry, ...more] = named.length > 0 ? named : found;
  if (entry === undefined)
    throw invalid(
      'This zip file has no apple_health_export/export.xml, which is where Apple Health keeps its data.',
    );
  if (more.length > 0)
    throw invalid('This zip file has several exports. Unpack it and import them one by one.');
  return entry;
}

function requireReadable(entry: Entry, limits: ImportLimits): void {
  if (entry.isEncrypted()) throw invalid('This zip file is encrypted. Unpack it and import the file inside.');
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
    throw invalid(
      'This zip file uses a compression that Vialbook cannot read. Unpack it and import the file inside.',
    );
  requireSize(entry, entry.uncompressedSize, limits);
}

/** @throws AppError PAYLOAD_TOO_LARGE for a size that no honest archive has. @param size declared, or found so far */
function requireSize({ compressedSize }: Entry, size: number, limits: ImportLimits): void {
  if (size > limits.inflated)
    throw tooLarge(
      `The file in this zip is larger than ${limits.inflated / MB} MB. Use vialbook import in the terminal for larger files.`,
    );
  if (size > MB && size > MAX_RATIO * compressedSize)
    throw tooLarge(
      `The file in this zip is more than ${MAX_RATIO} times larger than the zip, so it is not a health export.`,
    );
}

/**
 * The bytes of the health export in an archive, piece by piece; nothing is written to disk.
 * @param onRead called with roughly how many bytes of the archive have been read
 * @throws AppError INVALID_INPUT, PAYLOAD_TOO_LARGE
 */
export async function* readZip(
  source: ZipSource,
  limits: ImportLimits,
  onRead: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const zip = await openZip(source).catch((cause: unknown) => {
    throw broken(cause);
  });
  try {
    const entry = await findEntry(zip).catch((cause: unknown) => {
      throw isAppError(cause) ? cause : broken(cause);
    });
    requireReadable(entry, limits);
    const stream = await zip.openReadStreamPromise(entry).catch((cause: unknown) => {
      throw broken(cause);
    });
    yield* inflated(stream, entry, limits, onRead);
  } finally {
    zip.close();
  }
}

async function* inflated(
  stream: Readable,
  entry: Entry,
  limits: ImportLimits,
  onRead: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  const pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  try {
    for (;;) {
      const { value, done } = await pieces.next().catch((cause: unknown) => {
        throw broken(cause);
      });
      if (done === true) return;
      size += value.byteLength;
      requireSize(entry, size, limits);
      onRead(Math.round((size / Math.max(1, entry.uncompressedSize)) * entry.compressedSize));
      yield value;
    }
  } finally {
    stream.destroy();
  }
}
