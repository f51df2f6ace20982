import { DAY_MS } from '#app/domain/time/calendar.ts';
import { createHash } from 'node:crypto';
import { isGone } from '#app/domain/accounts/account.ts';
import { FEED_DAYS, feedEvents, type FeedPrivacy } from '#app/domain/schedules/calendar-events.ts';
import { AppError } from '#app/domain/errors.ts';
import { entitlementOf } from '#app/domain/billing/plans.ts';
import {
  calendarFeedCallSchema,
  calendarFeedSchema,
  FEED_MESSAGES,
  type CalendarFeedCall,
  type CalendarFeedInput,
} from '#app/domain/schedules/calendar-feed-schema.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { calendarFile } from '#app/integrations/calendar.server.ts';
import type { CalendarFeedRecord } from '#models/index.server.ts';
import { authorise, authorisePremiumUser, authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { hashToken, isToken, newToken } from '#app/platform/secrets/secret-tokens.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';
import { repos } from './repositories.server.ts';

/** A feed as its owner sees it. The address is only shown once, when it is created. */
export interface CalendarFeedView {
  privacy: FeedPrivacy;
  alarms: boolean;
  createdAt: Date;
}

/** A feed, and its address if it has a new one. */
export interface ChangedCalendarFeed {
  calendarFeed: CalendarFeedView;
  link: string | null;
}

function view({ privacy, alarms, createdAt }: CalendarFeedRecord): CalendarFeedView {
  return { privacy, alarms, createdAt };
}

const feedNotFound = () => new AppError('NOT_FOUND', FEED_MESSAGES.none);

/** The signed-in user's feed, or null. @throws AppError PREMIUM_REQUIRED */
export async function findCalendarFeed(ctx: Ctx): Promise<CalendarFeedView | null> {
  const { id } = authorisePremiumUser(ctx.actor, 'calendar-feed.find');
  const feed = await repos(ctx).calendarFeeds.findOf(id);
  return feed && view(feed);
}

/** Stores a feed with a new address, of which only a hash is stored. It replaces the old one. Part of an act. */
async function openNewFeed(
  ctx: Ctx,
  userId: string,
  choices: Pick<CalendarFeedView, 'privacy' | 'alarms'>,
): Promise<ChangedCalendarFeed> {
  const token = newToken();
  const feed = { hash: hashToken(token), userId, ...choices, createdAt: ctx.now() };
  await repos(ctx).calendarFeeds.replace(feed);
  return { calendarFeed: view(feed), link: `${ctx.appUrl}/calendar/${token}.ics` };
}

/**
 * Creates a feed with a new address, which replaces the old one, or changes what the existing feed shows.
 * @returns the new address; null when there is none
 * @throws AppError INVALID_INPUT, PREMIUM_REQUIRED, NOT_FOUND when there is no feed to change
 */
export async function changeCalendarFeed(ctx: Ctx, input: CalendarFeedInput): Promise<string | null> {
  const { id } = authorisePremiumUser(ctx.actor, 'calendar-feed.change');
  const { intent, ...choices } = parseInput(calendarFeedSchema, input);
  return ctx.transaction(async () => {
    if (intent === 'link') return (await openNewFeed(ctx, id, choices)).link;
    if ((await repos(ctx).calendarFeeds.change(id, choices)) === null) throw feedNotFound();
    return null;
  });
}

/**
 * The same for a program: creates the feed if there is none, otherwise changes what it shows, and its address on request.
 * @throws AppError INVALID_INPUT, PREMIUM_REQUIRED
 */
export async function setCalendarFeed(ctx: Ctx, input: CalendarFeedCall): Promise<ChangedCalendarFeed> {
  const { id } = authorisePremiumUser(ctx.actor, 'calendar-feed.change');
  const { newLink, ...changes } = parseInput(calendarFeedCallSchema, input);
  return ctx.transaction(async () => {
    const found = await repos(ctx).calendarFeeds.findOf(id);
    const { privacy = found?.privacy ?? 'name', alarms = found?.alarms ?? false } = changes;
    if (found === null || newLink) return openNewFeed(ctx, id, { privacy, alarms });
    const feed = await repos(ctx).calendarFeeds.change(id, { privacy, alarms });
    return { calendarFeed: view(feed ?? found), link: null };
  });
}

/** Turns the feed off: its address stops working. */
export async function deleteCalendarFeed(ctx: Ctx): Promise<void> {
  const { id } = authoriseUser(ctx.actor, 'calendar-feed.remove');
  await repos(ctx).calendarFeeds.delete(id);
}

/** A calendar file with its entity tag. */
export interface CalendarFile {
  body: string;
  etag: string;
}

/** The feed of an address, with its owner's zone. */
async function openFeed(ctx: Ctx, token: string): Promise<CalendarFeedRecord & { timeZone: string }> {
  const feed = isToken(token) ? await repos(ctx).calendarFeeds.findByHash(hashToken(token)) : null;
  const user = feed && (await repos(ctx).users.find(feed.userId));
  const now = ctx.now();
  const isOpen =
    user !== null && user.suspendedAt === null && !isGone(user, now) && entitlementOf(user, ctx).isPremium;
  if (feed === null || !isOpen) throw feedNotFound();
  return { ...feed, timeZone: user.timeZone };
}

/** How long before a dose its owner is reminded, by schedule, in minutes. */
async function leadsOf(ctx: Ctx, userId: string): Promise<Map<string, number>> {
  const schedules = await repos(ctx).schedules.listActive(userId);
  return new Map(schedules.map(({ id, reminderLeadMinutes }) => [id, reminderLeadMinutes]));
}

/**
 * The file that calendar apps read: doses of the last 30 and the next 35 days, as instants. Needs no sign-in; the
 * secret in the address is the permission.
 * @throws AppError NOT_FOUND for an address that is turned off, replaced or invented; RATE_LIMITED
 */
export async function readCalendarFeed(ctx: Ctx, token: string): Promise<CalendarFile> {
  authorise(ctx.actor, 'calendar-feed.read');
  await ctx.throttle.take({ rule: THROTTLE_RULES.calendarClient, who: ctx.client.address });
  const { userId, privacy, alarms, hash, timeZone } = await openFeed(ctx, token);
  await ctx.throttle.take({ rule: THROTTLE_RULES.calendarFeed, who: hash });
  const now = ctx.now().getTime();
  const from = new Date(now - FEED_DAYS.back * DAY_MS);
  const doses = await repos(ctx).doses.listBetween(userId, from, new Date(now + FEED_DAYS.ahead * DAY_MS));
  const events = feedEvents(doses, { privacy, leads: alarms ? await leadsOf(ctx, userId) : undefined });
  const body = await calendarFile({ events, host: new URL(ctx.appUrl).hostname, timeZone });
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` };
}
