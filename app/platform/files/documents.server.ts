import { AppError, conflict } from '#app/domain/errors.ts';
import {
  isWholePdf,
  MAX_DOCUMENT_BYTES,
  MAX_DOCUMENTS_EACH,
  DOCUMENT_MESSAGES,
  documentKindOf,
  documentName,
  type OrderDocument,
} from '#app/domain/vendors/document-schema.ts';
import { cleanPicture } from '#app/integrations/pictures.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { heavyWork } from '#app/platform/heavy-work.server.ts';
import { idFromKey } from '#app/platform/ids.server.ts';
import { documentStorage, releaseFile, storeFile } from './storage-quota.server.ts';
import { repos } from './repositories.server.ts';

/** An uploaded file. */
export interface SentDocument {
  fileName: string;
  bytes: Uint8Array;
}

/** A stored document, ready to be sent to its owner. */
export interface StoredDocument {
  fileName: string;
  contentType: string;
  bytes: Buffer;
}

/** An order or a lot, which can have documents. */
interface DocumentHolder {
  id: string;
  papers: readonly OrderDocument[];
}

/** The repository that lists the documents of orders or lots. */
interface DocumentList {
  add(ownerId: string, id: string, document: OrderDocument, most: number): Promise<boolean>;
  delete(ownerId: string, id: string, documentId: string): Promise<boolean>;
}

const noDocument = () => new AppError('NOT_FOUND', DOCUMENT_MESSAGES.notFound);
const tooMany = () => conflict('LIMIT_REACHED', DOCUMENT_MESSAGES.each);

const refused = (code: 'INVALID_INPUT' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE', message: string) =>
  new AppError(code, message, { fields: { paper: [message] } });

/** What is stored: a PDF unchanged and unread beyond its first and last bytes, a picture re-encoded from its pixels. */
async function readDocument({ fileName, bytes }: SentDocument): Promise<StoredDocument> {
  if (bytes.byteLength === 0) throw refused('INVALID_INPUT', DOCUMENT_MESSAGES.none);
  if (bytes.byteLength > MAX_DOCUMENT_BYTES) throw refused('PAYLOAD_TOO_LARGE', DOCUMENT_MESSAGES.size);
  const kind = documentKindOf(bytes);
  if (kind === null) throw refused('UNSUPPORTED_MEDIA_TYPE', DOCUMENT_MESSAGES.kind);
  const name = documentName(fileName, kind);
  if (kind !== 'pdf') {
    const picture = await cleanPicture(bytes, 'paper');
    return { fileName: name, contentType: picture.contentType, bytes: picture.bytes };
  }
  if (!isWholePdf(bytes)) throw refused('INVALID_INPUT', DOCUMENT_MESSAGES.broken);
  return { fileName: name, contentType: 'application/pdf', bytes: Buffer.from(bytes) };
}

/**
 * Adds a document to an order or a lot. The caller has checked permission.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, INVALID_INPUT, CONFLICT when there is no room for more,
 *   RATE_LIMITED
 */
export async function addDocument(
  ctx: Ctx,
  ownerId: string,
  list: DocumentList,
  holder: DocumentHolder,
  sent: SentDocument,
): Promise<OrderDocument> {
  if (holder.papers.length >= MAX_DOCUMENTS_EACH) throw tooMany();
  await ctx.throttle.take({ rule: THROTTLE_RULES.pictures, who: ownerId });
  const { fileName, contentType, bytes } = await heavyWork('picture', ownerId, () => readDocument(sent));
  const id = idFromKey('paper', ctx.now(), ownerId);
  const document = { id, fileName, contentType, bytes: bytes.length, addedAt: ctx.now() };
  const storage = documentStorage(ctx);
  await storeFile(
    ctx,
    storage,
    ownerId,
    { id, of: holder.id, contentType, bytes, at: ctx.now() },
    async () => {
      // The order or lot may have been deleted meanwhile, or have reached its limit.
      if (!(await list.add(ownerId, holder.id, document, MAX_DOCUMENTS_EACH))) throw tooMany();
    },
  );
  return document;
}

/** A document of an order or a lot, which may be null. @throws AppError NOT_FOUND */
export async function readStoredDocument(
  ctx: Ctx,
  ownerId: string,
  holder: DocumentHolder | null,
  documentId: string,
): Promise<StoredDocument> {
  const document = holder?.papers.find(({ id }) => id === documentId);
  const file = holder && document && (await repos(ctx).documentFiles.read(ownerId, holder.id, documentId));
  if (!document || !file) throw noDocument();
  return { ...file, fileName: document.fileName };
}

/** @throws AppError NOT_FOUND */
export async function deleteDocument(
  ctx: Ctx,
  ownerId: string,
  list: DocumentList,
  holderId: string,
  documentId: string,
): Promise<void> {
  await ctx.transaction(async () => {
    if (!(await list.delete(ownerId, holderId, documentId))) throw noDocument();
    await releaseFile(documentStorage(ctx), ownerId, documentId);
  });
}
