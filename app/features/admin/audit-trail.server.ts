import { normaliseEmail } from '#app/domain/accounts/account.ts';
import { listAuditSchema, type ListAuditInput, type ListAuditQuery } from '#app/domain/admin/admin-schema.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { instantsOfDays } from '#app/domain/time/zoned-time.ts';
import type { AuditFilter, AuditPlace, AuditRecord } from '#models/index.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import {
  readListCursor,
  writeListCursor,
  placeBeforePage,
  walkPage,
  type Walk,
} from '#app/platform/pagination.server.ts';
import { repos } from './repositories.server.ts';

/** An entry of the audit trail as administrators see it. */
export interface AuditEntry extends AuditRecord {
  /** Current emails of the accounts it names; null for a deleted account or a terminal user. */
  actorEmail: string | null;
  subjectEmail: string | null;
}

/** One page of the audit trail. */
export interface AuditPage {
  entries: AuditEntry[];
  next: string | null;
  previous: string | null;
  /** True when the page reached the limit of rows it may read; the next page continues the search. */
  isCut: boolean;
}

/** The values to filter by; an empty text matches everything. */
type EntryFilter = Record<'subjectId' | 'actor' | 'action', string>;

/** Resolves an email, an id or `cli:NAME` to an id. @returns null when nobody has that email */
async function idOf(ctx: Ctx, named: string): Promise<string | null> {
  return named.includes('@') ? repos(ctx).addresses.findOwner(normaliseEmail(named)) : named;
}

/** @returns null when nobody has one of the emails */
async function entryFilterOf(ctx: Ctx, query: ListAuditQuery): Promise<EntryFilter | null> {
  const [subjectId, actor] = [await idOf(ctx, query.subject), await idOf(ctx, query.actor)];
  return subjectId === null || actor === null ? null : { subjectId, actor, action: query.action };
}

/** The index range to read, by the narrowest filter. */
function filterOf(ctx: Ctx, query: ListAuditQuery, entryFilter: EntryFilter): AuditFilter {
  const by = (['subjectId', 'actor', 'action'] as const).find((field) => entryFilter[field] !== '');
  const { from, before } = instantsOfDays(query.startDate ?? null, query.endDate ?? null, ctx.timeZone);
  return {
    ...(by === undefined ? {} : { name: { by, value: entryFilter[by] } }),
    ...(from === null ? {} : { from }),
    ...(before === null ? {} : { before }),
  };
}

function auditWalk(
  ctx: Ctx,
  filter: AuditFilter,
  entryFilter: EntryFilter,
  backwards: boolean,
): Walk<AuditRecord, AuditPlace> {
  return {
    read: (place, limit) => repos(ctx).auditLists.list(filter, place, { backwards, limit }),
    placeOf: ({ at, id }) => ({ at, id }),
    matches: (row) =>
      (['subjectId', 'actor', 'action'] as const).every((field) =>
        ['', row[field]].includes(entryFilter[field]),
      ),
  };
}

/** Adds the emails of the accounts that the entries name. */
export async function withNames(ctx: Ctx, rows: readonly AuditRecord[]): Promise<AuditEntry[]> {
  const emails = await repos(ctx).userLists.findEmails(rows.flatMap((row) => [row.actor, row.subjectId]));
  return rows.map((row) => ({
    ...row,
    actorEmail: emails.get(row.actor) ?? null,
    subjectEmail: emails.get(row.subjectId) ?? null,
  }));
}

const NOTHING: AuditPage = { entries: [], next: null, previous: null, isCut: false };

/**
 * One page of the audit trail, newest first. Days are those of the caller's time zone.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function listAudit(ctx: Ctx, input: ListAuditInput): Promise<AuditPage> {
  authorise(ctx.actor, 'admin.read-audit');
  const query = parseInput(listAuditSchema, input);
  const entryFilter = await entryFilterOf(ctx, query);
  if (entryFilter === null) return NOTHING;
  const cursor = readListCursor(query.cursor, 'audit', 'instant');
  const backwards = cursor?.backwards ?? false;
  const walk = auditWalk(ctx, filterOf(ctx, query, entryFilter), entryFilter, backwards);
  const start = cursor && { at: cursor.place.value as Date, id: cursor.place.id };
  const place = start ?? (await placeBeforePage(walk, query));
  if (place === 'beyond') return NOTHING;
  const page = await walkPage(walk, { place, backwards }, query.limit);
  const link = (to: AuditPlace | null, back: boolean) =>
    to && writeListCursor({ list: 'audit', backwards: back, place: { value: to.at, id: to.id } });
  return {
    entries: await withNames(ctx, page.rows),
    next: link(page.next, false),
    previous: link(page.previous, true),
    isCut: page.isCut,
  };
}

/**
 * The number of entries in a list, for callers with numbered pages. The cost grows with the number of entries.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function countAudit(ctx: Ctx, input: ListAuditInput): Promise<number> {
  authorise(ctx.actor, 'admin.read-audit');
  const entryFilter = await entryFilterOf(ctx, parseInput(listAuditSchema, input));
  if (entryFilter === null) return 0;
  const named = Object.entries(entryFilter).filter(([, value]) => value !== '');
  const { from, before } = filterOf(ctx, parseInput(listAuditSchema, input), entryFilter);
  return repos(ctx).auditLists.count(Object.fromEntries(named), { from, before });
}
