import {
  announcementsFor,
  announcementState,
  type Announcement,
  announcementSchema,
  changeAnnouncementSchema,
  STALE_ANNOUNCEMENT,
  type AnnouncementInput,
  type ChangeAnnouncementInput,
} from '#app/domain/system/announcement.ts';
import { AppError, conflict, fieldError } from '#app/domain/errors.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { momentField, readMoment } from '#app/domain/time/zoned-time.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import { authorise, authoriseUser, authoriseRecentOver } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { idFromKey } from '#app/platform/ids.server.ts';
import { createCache } from '#app/platform/cache.server.ts';
import { repos } from './repositories.server.ts';

/** How many may be current or upcoming at once. */
export const MAX_OPEN_ANNOUNCEMENTS = 20;
const MAX_OVER_SHOWN = 20;

// Uses this machine's clock; each call decides which announcements are current.
const cached = createCache('announcements', (ctx) =>
  repos(ctx).announcements.listOpen(new Date(), MAX_OPEN_ANNOUNCEMENTS * 2),
);

/**
 * The announcements that the signed-in user should see now.
 * @throws AppError UNAUTHENTICATED
 */
export async function shownAnnouncements(ctx: Ctx): Promise<Announcement[]> {
  const { id, entitlement } = authoriseUser(ctx.actor, 'announcement.read');
  const open = await cached.read(ctx);
  const reader = { isPremium: entitlement.isPremium, dismissed: new Set<string>() };
  const current = announcementsFor(open, reader, ctx.now());
  if (!current.some(({ isDismissible }) => isDismissible)) return current;
  const dismissed = await repos(ctx).announcements.dismissedBy(id);
  return announcementsFor(current, { ...reader, dismissed }, ctx.now());
}

const alreadyEnded = () => conflict('WRONG_STATE', 'This announcement has already ended.');
const noAnnouncement = () => new AppError('NOT_FOUND', 'There is no such announcement.');

/**
 * Dismisses an announcement for the signed-in user, for good.
 * @throws AppError UNAUTHENTICATED, NOT_FOUND, CONFLICT when it cannot be dismissed
 */
export async function dismissAnnouncement(ctx: Ctx, id: string): Promise<void> {
  const user = authoriseUser(ctx.actor, 'announcement.dismiss');
  const announcement = await repos(ctx).announcements.find(id);
  if (announcement === null) throw noAnnouncement();
  if (!announcement.isDismissible) throw conflict('WRONG_STATE', 'This announcement cannot be dismissed.');
  await repos(ctx).announcements.dismiss(user.id, id, ctx.now());
}

/** `open`: current and upcoming announcements; `over`: the last ended ones. */
export interface AnnouncementLists {
  open: Announcement[];
  over: Announcement[];
}

/** @throws AppError UNAUTHENTICATED, FORBIDDEN */
export async function listAnnouncements(ctx: Ctx): Promise<AnnouncementLists> {
  authorise(ctx.actor, 'announcement.list');
  const { announcements } = repos(ctx);
  const now = ctx.now();
  const [open, over] = await Promise.all([
    announcements.listOpen(now, MAX_OPEN_ANNOUNCEMENTS * 2),
    announcements.listOver(now, MAX_OVER_SHOWN),
  ]);
  return { open, over };
}

/** @param known the stored instant; the form shows only minutes, so an unchanged field must not lose the seconds */
function momentOf(ctx: Ctx, field: string, text: string | undefined, known?: Date | null): Date | null {
  if (text === undefined || text === '') return null;
  if (known && momentField(known, ctx.timeZone) === text) return known;
  const at = readMoment(text, ctx.timeZone, ctx.now());
  if (at === null) throw fieldError(field, 'Enter a date and a time');
  return at;
}

/**
 * The times of a new or edited announcement. Without a start it begins now, or keeps its start if it has begun.
 * @throws AppError INVALID_INPUT with the field
 */
function timesOf(
  ctx: Ctx,
  texts: { startsAt?: string | undefined; endsAt?: string | undefined },
  known?: Announcement,
) {
  const now = ctx.now();
  const begun = known !== undefined && known.startsAt <= now ? known.startsAt : now;
  const startsAt = momentOf(ctx, 'startsAt', texts.startsAt, known?.startsAt) ?? begun;
  const endsAt = momentOf(ctx, 'endsAt', texts.endsAt, known?.endsAt);
  if (endsAt !== null && endsAt <= startsAt) throw fieldError('endsAt', 'The end must be after the start');
  if (endsAt !== null && endsAt <= now) throw fieldError('endsAt', 'The end must be in the future');
  return { startsAt, endsAt };
}

/**
 * Publishes an announcement.
 * @param idempotencyKey makes submitting twice harmless
 * @throws AppError FORBIDDEN, RECENT_SIGN_IN_REQUIRED, INVALID_INPUT, CONFLICT when too many are open
 */
export async function announce(
  ctx: Ctx,
  input: AnnouncementInput,
  idempotencyKey?: string,
): Promise<Announcement> {
  authoriseRecentOver(ctx, 'announcement.manage', {});
  const { startsAt, endsAt, ...words } = parseInput(announcementSchema, input);
  const id = idFromKey('ann', ctx.now(), 'announcement', idempotencyKey);
  const known = await repos(ctx).announcements.find(id);
  if (known !== null) return known;
  const announcement = { id, ...words, ...timesOf(ctx, { startsAt, endsAt }), revision: 0 };
  const open = await repos(ctx).announcements.listOpen(ctx.now(), MAX_OPEN_ANNOUNCEMENTS);
  if (open.length >= MAX_OPEN_ANNOUNCEMENTS)
    throw conflict(
      'LIMIT_REACHED',
      `At most ${MAX_OPEN_ANNOUNCEMENTS} announcements can be open at once. End one first.`,
    );
  await ctx.transaction(async () => {
    await repos(ctx).announcements.create(announcement);
    const { title, audience } = announcement;
    await recordAudit(ctx, {
      action: 'announcement.make',
      subjectId: id,
      before: {},
      after: { title, audience, startsAt: announcement.startsAt, endsAt: announcement.endsAt },
    });
  });
  cached.forget(ctx);
  return announcement;
}

/** The fields of an announcement that change, for the audit trail. */
function difference(before: Announcement, after: Omit<Announcement, 'id' | 'revision'>) {
  const names = (Object.keys(after) as (keyof typeof after)[]).filter(
    (name) => String(before[name]) !== String(after[name]),
  );
  const pick = (from: typeof after) => Object.fromEntries(names.map((name) => [name, from[name]]));
  return { names, before: pick(before), after: pick(after) };
}

/**
 * Changes an announcement that has not ended. Readers who dismissed it do not see it again.
 * @throws AppError FORBIDDEN, RECENT_SIGN_IN_REQUIRED, NOT_FOUND, INVALID_INPUT; CONFLICT when it has ended, or someone
 * else has changed it since it was shown
 */
export async function changeAnnouncement(
  ctx: Ctx,
  id: string,
  input: ChangeAnnouncementInput,
): Promise<Announcement> {
  authoriseRecentOver(ctx, 'announcement.manage', {});
  const known = await repos(ctx).announcements.find(id);
  if (known === null) throw noAnnouncement();
  const now = ctx.now();
  if (announcementState(known, now) === 'over') throw alreadyEnded();
  const { startsAt, endsAt, revision, ...words } = parseInput(changeAnnouncementSchema, input);
  const stale = () => conflict('CHANGED_MEANWHILE', STALE_ANNOUNCEMENT);
  if (revision !== String(known.revision)) throw stale();
  const next = { ...words, ...timesOf(ctx, { startsAt, endsAt }, known) };
  const { names, before, after } = difference(known, next);
  if (names.length === 0) return known;
  await ctx.transaction(async () => {
    if (!(await repos(ctx).announcements.replace(known, next, now))) throw stale();
    await recordAudit(ctx, { action: 'announcement.change', subjectId: id, before, after });
  });
  cached.forget(ctx);
  return { ...known, ...next, revision: known.revision + 1 };
}

/**
 * Ends an announcement now.
 * @throws AppError FORBIDDEN, RECENT_SIGN_IN_REQUIRED, NOT_FOUND, CONFLICT when it has already ended
 */
export async function endAnnouncement(ctx: Ctx, id: string): Promise<void> {
  authoriseRecentOver(ctx, 'announcement.manage', {});
  const announcement = await repos(ctx).announcements.find(id);
  if (announcement === null) throw noAnnouncement();
  const now = ctx.now();
  await ctx.transaction(async () => {
    if (!(await repos(ctx).announcements.end(id, now))) throw alreadyEnded();
    await recordAudit(ctx, {
      action: 'announcement.end',
      subjectId: id,
      before: { endsAt: announcement.endsAt },
      after: { endsAt: now },
    });
  });
  cached.forget(ctx);
}

/** @throws AppError UNAUTHENTICATED, FORBIDDEN, NOT_FOUND */
export async function getAnnouncement(ctx: Ctx, id: string): Promise<Announcement> {
  authorise(ctx.actor, 'announcement.list');
  const announcement = await repos(ctx).announcements.find(id);
  if (announcement === null) throw noAnnouncement();
  return announcement;
}
