import { withoutEnd } from '#app/domain/text/without-end.ts';
import { shownInstant } from '#app/domain/time/zoned-time.ts';
import { imageKindOf, type ImageKind } from '#app/domain/forms/image-schema.ts';

/** The largest document that is accepted, in bytes. */
export const MAX_DOCUMENT_BYTES = 5 * 1024 * 1024;

/** Documents per order or lot. */
export const MAX_DOCUMENTS_EACH = 10;

/** Storage for documents per account. */
export const DOCUMENT_QUOTA = { count: 200, bytes: 200 * 1024 * 1024 } as const;

export const DOCUMENT_MESSAGES = {
  none: 'Choose a file',
  kind: 'Only PDF files and JPEG, PNG or WebP pictures can be added',
  size: 'A file can be at most 5 MB',
  broken: 'This PDF is incomplete',
  each: 'You can keep at most 10 documents here',
  quota: 'Your document storage is full (200 files or 200 MB). Delete some first.',
  notFound: 'Document not found.',
} as const;

/** A certificate of analysis or another document of an order or lot. */
export interface OrderDocument {
  id: string;
  fileName: string;
  contentType: string;
  bytes: number;
  addedAt: Date;
}

export type DocumentKind = 'pdf' | ImageKind;

const textAt = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(Math.max(0, from), to));

/**
 * The kind of a file by its first bytes, whatever its name. A PDF's header must be at the very beginning (ISO 32000-2, 7.5.2):
 * accepting it later would let through files that are valid as two formats at once.
 * @returns null for any other kind
 */
export function documentKindOf(bytes: Uint8Array): DocumentKind | null {
  return /^%PDF-[12]\.\d/.test(textAt(bytes, 0, 8)) ? 'pdf' : imageKindOf(bytes);
}

/** A complete PDF has its end marker within this many bytes of the end (ISO 32000-2, 7.5.5 and Annex J). */
const END_WITHIN = 1024;

/** True if a PDF is complete. */
export function isWholePdf(bytes: Uint8Array): boolean {
  return textAt(bytes, bytes.length - END_WITHIN, bytes.length).includes('%%EOF');
}

const MAX_NAME = 100;
const MAX_SENT_NAME = 1000;

const ENDINGS: Readonly<Record<DocumentKind, string>> = {
  pdf: '.pdf',
  jpeg: '.jpg',
  png: '.png',
  webp: '.webp',
};

/**
 * The stored name of a document: the original without folders, control characters and characters that file systems refuse, and
 * with the extension of its content ("C:\\lab\\COA.exe" that is a PDF becomes "COA.pdf").
 */
export function documentName(sent: string, kind: DocumentKind): string {
  // No file system has longer names.
  const last = (sent.split(/[\\/]/).at(-1) ?? '').slice(-MAX_SENT_NAME);
  const plain = last
    .normalize('NFC')
    .replace(/[\p{C}"*:<>?|]/gu, ' ')
    .replace(/\.[^.]*$/, '')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.]+/, '');
  const stem = withoutEnd([...withoutEnd(plain, /[\s.]/)].slice(0, MAX_NAME).join(''), /\s/);
  return `${stem === '' ? 'certificate' : stem}${ENDINGS[kind]}`;
}

/** "PDF", "JPEG" */
const kindText = (contentType: string): string => (contentType.split('/')[1] ?? '').toUpperCase();

/** "120 kB", "1.4 MB"; never "0 kB". */
const sizeText = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

/** A document as text. Serialisable. */
export interface DocumentView {
  id: string;
  name: string;
  /** "PDF, 120 kB, added 12 Nov 2026 08:30" */
  about: string;
}

/** A document as text, with its time in the user's zone. */
export function documentView(
  { id, fileName, contentType, bytes, addedAt }: OrderDocument,
  timeZone: string,
): DocumentView {
  const about = `${kindText(contentType)}, ${sizeText(bytes)}, added ${shownInstant(addedAt, timeZone)}`;
  return { id, name: fileName, about };
}
