import { createHash, type Hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import { readArchive } from '#models/engine/storage/archive/restore.ts';
import type { Document } from '#models/engine/values/types.ts';

/**
 * Data directories written by the last version that stored everything with LMDB, on Linux (x64), with the archive that this
 * version made of each (`archive.vialbook`):
 *
 * - `app`: an account with the demo's year of data, and its export as CSV and JSON. Never compacted.
 * - `compacted`: two compactions, then writes; `data.mdb` is a stand-in, `data-1.mdb` is empty.
 * - `interrupted`: killed during a compaction, which left its claim, notes of changes, an unfinished copy and a dropped
 *   collection that was not yet removed.
 * - `swapped`: killed when a compaction had just renamed its copy; `data.mdb` still has all deleted texts.
 * - `long-keys`: index keys that were cut and hashed, in unique, descending and nested indexes.
 * - `restoring`: an unfinished restore, which that version refused to open. Without an archive.
 * - `foreign`: an LMDB database of another program. Without an archive.
 */
export const EARLIER = ['app', 'compacted', 'interrupted', 'swapped', 'long-keys'] as const;
export type Earlier = (typeof EARLIER)[number] | 'restoring' | 'foreign';

const HERE = path.join(import.meta.dirname, 'earlier');

/** A text in documents that were deleted in `compacted`, `interrupted` and `swapped`. */
export const DELETED = 'a text that was deleted';

/** Writes one of the directories into `dir`, which is created. */
export function unpackEarlier(name: Earlier, dir: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const from = path.join(HERE, name, 'dir');
  for (const file of readdirSync(from))
    writeFileSync(
      path.join(dir, file.replace(/\.br$/, '')),
      brotliDecompressSync(readFileSync(path.join(from, file))),
      { mode: 0o600 },
    );
}

/** The archive that the earlier version made of a directory. */
export function archiveFile(name: Earlier): string {
  return path.join(HERE, name, 'archive.vialbook');
}

/** The export of `ada@example.org` that the earlier version made of `app`. */
export function earlierExport(format: 'csv' | 'json'): string {
  return brotliDecompressSync(readFileSync(path.join(HERE, 'app', `export.${format}.br`))).toString('utf8');
}

/**
 * An export without some columns, which must be empty: JSON as text, to compare it byte by byte, and a table as rows of its other
 * cells.
 */
export function withoutColumns(text: string, format: 'csv' | 'json', columns: readonly string[]): unknown {
  if (format === 'json') return columns.reduce((rest, name) => rest.replaceAll(`,"${name}":null`, ''), text);
  const [header = [], ...rows] = parse(text, { bom: true }) as string[][];
  const kept = header.flatMap((name, at) => (columns.includes(name) ? [] : [at]));
  return [header, ...rows].map((row, line) => {
    if (line > 0) expect(row.filter((_cell, at) => !kept.includes(at)).join('')).toBe('');
    return kept.map((at) => row[at]);
  });
}

/** What an archive says of one collection. */
export interface ArchivedContent {
  options: Document;
  indexes: Document[];
  documents: number;
  sha256: string;
}

/** Everything in an archive, by namespace; the hash is of the documents' exact bytes in their order. */
export async function contentOf(source: AsyncIterable<Uint8Array>): Promise<Record<string, ArchivedContent>> {
  const all: Record<string, ArchivedContent & { hash: Hash }> = {};
  await readArchive(source, {
    collection: ({ ns, options, indexes }) => {
      const described = indexes as unknown as Document[];
      all[ns] = { options, indexes: described, documents: 0, sha256: '', hash: createHash('sha256') };
      return Promise.resolve();
    },
    documents: (ns, documents) => {
      const content = all[ns] as ArchivedContent & { hash: Hash };
      content.documents += documents.length;
      for (const document of documents) content.hash.update(document);
      return Promise.resolve();
    },
  });
  return Object.fromEntries(
    Object.entries(all).map(([ns, { hash, ...content }]) => [ns, { ...content, sha256: hash.digest('hex') }]),
  );
}
