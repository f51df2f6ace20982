import { AppError, conflict } from '#app/domain/errors.ts';
import {
  isWholePdf,
  MAX_PAPER_BYTES,
  MAX_PAPERS_EACH,
  PAPER_MESSAGES,
  paperKindOf,
  paperName,
  type OrderPaper,
} from '#app/domain/vendors/paper-schema.ts';
import { cleanPicture } from '#app/integrations/pictures.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { heavyWork } from '#app/platform/heavy-work.server.ts';
import { idFromKey } from '#app/platform/ids.server.ts';
import { paperStorage, releaseFile, storeFile } from './storage-quota.server.ts';
import { repos } from './repositories.server.ts';

/** An uploaded file. */
export interface SentPaper {
  fileName: string;
  bytes: Uint8Array;
}

/** A stored document, ready to be sent to its owner. */
export interface StoredPaper {
  fileName: string;
  contentType: string;
  bytes: Buffer;
}

/** An order or a lot, which can have documents. */
interface PaperHolder {
  id: string;
  papers: readonly OrderPaper[];
}

/** The repository that lists the documents of orders or lots. */
interface PaperList {
  add(ownerId: string, id: string, paper: OrderPaper, most: number): Promise<boolean>;
  delete(ownerId: string, id: string, paperId: string): Promise<boolean>;
}

const noPaper = () => new AppError('NOT_FOUND', PAPER_MESSAGES.notFound);
const tooMany = () => conflict('LIMIT_REACHED', PAPER_MESSAGES.each);

const refused = (code: 'INVALID_INPUT' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE', message: string) =>
  new AppError(code, message, { fields: { paper: [message] } });

/** What is stored: a PDF unchanged and unread beyond its first and last bytes, a picture re-encoded from its pixels. */
async function readPaper({ fileName, bytes }: SentPaper): Promise<StoredPaper> {
  if (bytes.byteLength === 0) throw refused('INVALID_INPUT', PAPER_MESSAGES.none);
  if (bytes.byteLength > MAX_PAPER_BYTES) throw refused('PAYLOAD_TOO_LARGE', PAPER_MESSAGES.size);
  const kind = paperKindOf(bytes);
  if (kind === null) throw refused('UNSUPPORTED_MEDIA_TYPE', PAPER_MESSAGES.kind);
  const name = paperName(fileName, kind);
  if (kind !== 'pdf') {
    const picture = await cleanPicture(bytes, 'paper');
    return { fileName: name, contentType: picture.contentType, bytes: picture.bytes };
  }
  if (!isWholePdf(bytes)) throw refused('INVALID_INPUT', PAPER_MESSAGES.broken);
  return { fileName: name, contentType: 'application/pdf', bytes: Buffer.from(bytes) };
}

/**
 * Adds a document to an order or a lot. The caller has checked permission.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, INVALID_INPUT, CONFLICT when there is no room for more,
 *   RATE_LIMITED
 */
export async function addPaper(
  ctx: Ctx,
  ownerId: string,
  list: PaperList,
  holder: PaperHolder,
  sent: SentPaper,
): Promise<OrderPaper> {
  if (holder.papers.length >= MAX_PAPERS_EACH) throw tooMany();
  await ctx.throttle.take({ rule: THROTTLE_RULES.pictures, who: ownerId });
  const { fileName, contentType, bytes } = await heavyWork('picture', ownerId, () => readPaper(sent));
  const id = idFromKey('paper', ctx.now(), ownerId);
  const paper = { id, fileName, contentType, bytes: bytes.length, addedAt: ctx.now() };
  const storage = paperStorage(ctx);
  await storeFile(
    ctx,
    storage,
    ownerId,
    { id, of: holder.id, contentType, bytes, at: ctx.now() },
    async () => {
      // The order or lot may have been deleted meanwhile, or have reached its limit.
      if (!(await list.add(ownerId, holder.id, paper, MAX_PAPERS_EACH))) throw tooMany();
    },
  );
  return paper;
}

/** A document of an order or a lot, which may be null. @throws AppError NOT_FOUND */
export async function readStoredPaper(
  ctx: Ctx,
  ownerId: string,
  holder: PaperHolder | null,
  paperId: string,
): Promise<StoredPaper> {
  const paper = holder?.papers.find(({ id }) => id === paperId);
  const file = holder && paper && (await repos(ctx).paperFiles.read(ownerId, holder.id, paperId));
  if (!paper || !file) throw noPaper();
  return { ...file, fileName: paper.fileName };
}

/** @throws AppError NOT_FOUND */
export async function deletePaper(
  ctx: Ctx,
  ownerId: string,
  list: PaperList,
  holderId: string,
  paperId: string,
): Promise<void> {
  await ctx.transaction(async () => {
    if (!(await list.delete(ownerId, holderId, paperId))) throw noPaper();
    await releaseFile(paperStorage(ctx), ownerId, paperId);
  });
}
