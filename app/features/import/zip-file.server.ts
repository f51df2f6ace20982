import type { Readable } from 'node:stream';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { isAppError } from '#app/domain/errors.ts';
import { invalid, tooLarge, type ImportLimits } from './import-limits.server.ts';

/** Entries that an archive may have; Apple's has one for each workout's route. */
const MAX_ENTRIES = 100_000;
/** How many times larger than in the archive a file may be. XML of a phone is 20 to 60 times larger. */
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

/** yauzl refuses names that lead out of the archive, and sizes that cannot be. */
const broken = (cause: unknown) =>
  invalid('This zip file cannot be read: it is damaged, or its names are not valid.', cause);

/**
 * Whether an entry is the export of Apple Health, `apple_health_export/export.xml`, which some languages name otherwise.
 * `export_cda.xml` beside it is the same in a form for doctors.
 */
const isExport = ({ fileName }: Entry): boolean =>
  /^(?:[^/]+\/)?[^/]+\.xml$/i.test(fileName) && !/_cda\.xml$/i.test(fileName);
const isJson = ({ fileName }: Entry): boolean => /^(?:[^/]+\/)?[^/]+\.json$/i.test(fileName);

/** The one file in an archive that is read. */
async function findEntry(zip: ZipFile): Promise<Entry> {
  const exports: Entry[] = [];
  const others: Entry[] = [];
  if (zip.entryCount > MAX_ENTRIES)
    throw invalid(`This zip file has more than ${MAX_ENTRIES.toLocaleString('en')} files.`);
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.startsWith('__MACOSX/')) continue;
    if (/health_connect\w*\.db$/i.test(entry.fileName))
      throw invalid(
        'This is a backup that Health Connect made for itself. Export JSON with an app such as HC Webhook instead.',
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
    throw invalid('This zip file has several exports. Unpack it, and import them one by one.');
  return entry;
}

function requireReadable(entry: Entry, limits: ImportLimits): void {
  if (entry.isEncrypted()) throw invalid('This zip file is encrypted. Unpack it, and import the file in it.');
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
    throw invalid(
      'This zip file is packed in a way that Vialbook cannot read. Unpack it, and import the file in it.',
    );
  requireSize(entry, entry.uncompressedSize, limits);
}

/** @throws AppError PAYLOAD_TOO_LARGE for a size that no honest archive has. @param size declared, or found so far */
function requireSize({ compressedSize }: Entry, size: number, limits: ImportLimits): void {
  if (size > limits.inflated)
    throw tooLarge(
      `The file in this zip is larger than ${limits.inflated / MB} MB. Larger ones can be imported with vialbook import.`,
    );
  if (size > MB && size > MAX_RATIO * compressedSize)
    throw tooLarge(
      `The file in this zip is more than ${MAX_RATIO} times larger than the zip: it is no health export.`,
    );
}

/**
 * The bytes of the health export in an archive, piece by piece; nothing is written to a disk.
 * @param onRead is told how many bytes of the archive that is about
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
