import type { Readable } from 'node:stream';
import { jsonWriter } from '#app/domain/records/record-types.ts';
import {
  EXPORT_VERSION,
  exportContentType,
  exportFileName,
  type ExportMetadata,
} from '#app/domain/export/export-file.ts';
import {
  exportSchema,
  MAX_PDF_RECORDS,
  needsPremium,
  tooManyForPdf,
  type ExportFormat,
  type ExportInput,
  type ExportRequest,
} from '#app/domain/export/export-schema.ts';
import {
  type ExportSection,
  countRecords,
  exportSections,
  type ExportSelection,
} from './export-rows.server.ts';
import { entitlementOf } from '#app/domain/billing/plans.ts';
import { fieldError } from '#app/domain/errors.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { calendarDay, instantsOfDays } from '#app/domain/time/zoned-time.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { writeCsv } from './export-csv.server.ts';
import { writePdf } from './export-pdf.server.ts';
import { heavyFile } from '#app/platform/heavy-work.server.ts';
import { findOwner, type Owner } from '#app/platform/access/owner.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';

/** The JSON file, piece by piece: metadata when asked for, then a list for each chosen type; one record a line. */
async function* writeJson(
  sections: readonly ExportSection[],
  metadata: ExportMetadata | null,
): AsyncGenerator<string> {
  let before = '{\n';
  if (metadata !== null) {
    yield `${before}"metadata": ${JSON.stringify(metadata)}`;
    before = ',\n';
  }
  for (const { type, batches } of sections) {
    const write = jsonWriter(type);
    yield `${before}${JSON.stringify(type)}: [`;
    before = ',\n';
    let isFirst = true;
    for await (const batch of batches) {
      if (batch.length === 0) continue;
      yield `${isFirst ? '\n' : ',\n'}${batch.map(write).join(',\n')}`;
      isFirst = false;
    }
    yield isFirst ? ']' : '\n]';
  }
  yield '\n}\n';
}

/** An export that is permitted and counted, but of which no row has been read yet. */
export interface PreparedExport {
  request: ExportRequest;
  userEmail: string;
  /** Whether the account is premium; a free one's session-only calculations belong to its session. */
  isPremium: boolean;
  /** The time zone of its days. */
  timeZone: string;
  totalRecords: number;
  fileName: string;
  contentType: string;
  metadata: ExportMetadata | null;
  /**
   * The file. It reads from the database only as fast as it is consumed.
   * @param onProgress called with the number of records written so far
   * @throws AppError RATE_LIMITED while the account's previous file, or too many others, are still being made
   */
  open(onProgress?: (records: number) => void): Promise<Readable>;
  /** The rows without a file, for a page that shows them. */
  sections(): ExportSection[];
}

function selectionOf(ctx: Ctx, owner: Owner, request: ExportRequest): ExportSelection {
  const range = instantsOfDays(request.startDate ?? null, request.endDate ?? null, owner.timeZone);
  const signInId = ctx.actor.kind === 'user' ? ctx.actor.sessionId : null;
  const days = { first: request.startDate ?? null, last: request.endDate ?? null };
  return { scope: { userId: owner.id, signInId }, types: request.types, range, days };
}

function periodOf({ startDate, endDate }: ExportRequest): string | null {
  if (!startDate && !endDate) return null;
  return [startDate ? `From ${startDate}` : '', endDate ? `up to ${endDate}` : ''].filter(Boolean).join(' ');
}

type Writer = (sections: ExportSection[]) => AsyncIterable<string | Uint8Array>;

function writerOf(prepared: Pick<PreparedExport, 'request' | 'timeZone' | 'metadata'>, now: Date): Writer {
  const { request, timeZone, metadata } = prepared;
  const writers: Record<ExportFormat, Writer> = {
    csv: (sections) => writeCsv(sections, metadata),
    json: (sections) => writeJson(sections, metadata),
    pdf: (sections) => writePdf(sections, { metadata, timeZone, period: periodOf(request), now }),
  };
  return writers[request.format];
}

/**
 * Prepares an export of the signed-in user's data, or, at the terminal, of the account with that address. A free
 * account's session-only calculations are part of its own export; the terminal has no session and gets none of them.
 * @throws AppError INVALID_INPUT (also for a PDF of too many records), UNAUTHENTICATED, FORBIDDEN, NOT_FOUND (no such
 * account), PREMIUM_REQUIRED, RATE_LIMITED
 */
export async function prepareExport(
  ctx: Ctx,
  input: ExportInput,
  ownerEmail?: string,
): Promise<PreparedExport> {
  const owner = await findOwner(ctx, ownerEmail);
  authorise(ctx.actor, 'export.run', { ownerId: owner.id });
  const request = parseInput(exportSchema, input);
  const now = ctx.now();
  const { isPremium } = entitlementOf(owner, ctx);
  if (needsPremium(request.types)) {
    authorise(ctx.actor, 'export.premium-types', { ownerId: owner.id, ownerIsPremium: isPremium });
  }
  if (ctx.actor.kind === 'user') await ctx.throttle.take({ rule: THROTTLE_RULES.export, who: owner.id });
  const selection = selectionOf(ctx, owner, request);
  const totalRecords = await countRecords(ctx, selection);
  if (request.format === 'pdf' && totalRecords > MAX_PDF_RECORDS)
    throw fieldError('format', tooManyForPdf(totalRecords));
  const about = {
    exportDate: now.toISOString(),
    userEmail: owner.email,
    version: EXPORT_VERSION,
    totalRecords,
  };
  const prepared = { request, timeZone: owner.timeZone, metadata: request.includeMetadata ? about : null };
  const sections = (onProgress?: (records: number) => void) => exportSections(ctx, selection, onProgress);
  return {
    ...prepared,
    userEmail: owner.email,
    isPremium,
    totalRecords,
    fileName: exportFileName(calendarDay(now, owner.timeZone), request.format),
    contentType: exportContentType(request.format),
    sections: () => sections(),
    open: (onProgress) => heavyFile(ctx, () => writerOf(prepared, now)(sections(onProgress))),
  };
}
