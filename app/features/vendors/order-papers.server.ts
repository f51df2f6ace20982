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
import { isActivePdf } from './active-pdf.server.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { paperStorage, releaseFile, reserveStorage } from '#app/platform/files/storage-quota.server.ts';
import { idFromKey } from '#app/platform/ids.server.ts';
import { getOrder } from './orders.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';
import { heavyWork } from '#app/platform/heavy-work.server.ts';

/** A file as it was sent. */
export interface SentPaper {
  fileName: string;
  bytes: Uint8Array;
}

/** A paper as it is sent to its owner. */
export interface StoredPaper {
  fileName: string;
  contentType: string;
  bytes: Buffer;
}

const noPaper = () => new AppError('NOT_FOUND', PAPER_MESSAGES.notFound);
const tooMany = () => conflict('LIMIT_REACHED', PAPER_MESSAGES.each);

const refused = (code: 'INVALID_INPUT' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE', message: string) =>
  new AppError(code, message, { fields: { paper: [message] } });

/** What is kept of a file: a PDF as it came, a picture made anew from its pixels. */
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
  if (isActivePdf(bytes)) throw refused('INVALID_INPUT', PAPER_MESSAGES.active);
  return { fileName: name, contentType: 'application/pdf', bytes: Buffer.from(bytes) };
}

/**
 * Adds a certificate of analysis or another paper to one of the signed-in user's orders.
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, INVALID_INPUT, CONFLICT when
 * there is no room for more, RATE_LIMITED
 */
export async function addOrderPaper(ctx: Ctx, orderId: string, sent: SentPaper): Promise<OrderPaper> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  const order = await getOrder(ctx, orderId);
  if (order.papers.length >= MAX_PAPERS_EACH) throw tooMany();
  await ctx.throttle.take({ rule: THROTTLE_RULES.pictures, who: user.id });
  const { fileName, contentType, bytes } = await heavyWork('picture', user.id, () => readPaper(sent));
  const id = idFromKey('paper', ctx.now(), user.id);
  const paper = { id, fileName, contentType, bytes: bytes.length, addedAt: ctx.now() };
  const storage = paperStorage(ctx);
  await reserveStorage(storage, user.id, bytes.length);
  await ctx.repos.paperFiles.create(user.id, { id, of: orderId, contentType, bytes, at: ctx.now() });
  if (await ctx.repos.orderPapers.add(user.id, orderId, paper, MAX_PAPERS_EACH)) return paper;
  // It was deleted meanwhile, or reached its limit.
  await releaseFile(storage, user.id, id);
  throw tooMany();
}

/** A paper of one of the signed-in user's orders. @throws AppError PREMIUM_REQUIRED, NOT_FOUND */
export async function readOrderPaper(ctx: Ctx, orderId: string, paperId: string): Promise<StoredPaper> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  const order = await ctx.repos.orders.find(user.id, orderId);
  const paper = order?.papers.find(({ id }) => id === paperId);
  const file = paper && (await ctx.repos.paperFiles.read(user.id, orderId, paperId));
  if (!paper || !file) throw noPaper();
  return { ...file, fileName: paper.fileName };
}

/** @throws AppError PREMIUM_REQUIRED, NOT_FOUND */
export async function deleteOrderPaper(ctx: Ctx, orderId: string, paperId: string): Promise<void> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  if (!(await ctx.repos.orderPapers.delete(user.id, orderId, paperId))) throw noPaper();
  await releaseFile(paperStorage(ctx), user.id, paperId);
}
