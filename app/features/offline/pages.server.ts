import { isAppError, retryHeaders, STATUS } from '#app/domain/errors.ts';
import { historyRow } from '#app/domain/calculator/history.ts';
import { vialRow } from '#app/domain/vials/vial-texts.ts';
import type { OfflineSnapshot } from '#app/domain/offline/snapshot.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { listCalculations } from '#app/features/calculator/index.server.ts';
import { writeOfflineEntry } from './offline-entries.server.ts';
import { listSchedules, scheduleRow } from '#app/features/schedules/index.server.ts';
import { siteRotation } from '#app/features/tracking/index.server.ts';
import { listUpcomingDoses, getToday } from '#app/features/doses/index.server.ts';
import { listVials } from '#app/features/vials/index.server.ts';
import { readJsonBody } from '#app/platform/api/input.server.ts';
import type { UserPageArgs } from '#app/platform/http/route-handlers.server.ts';

/** The most rows of each list that a device keeps. */
const MOST = 100;

async function premiumPart(ctx: Ctx): Promise<Pick<OfflineSnapshot, 'schedules' | 'today' | 'nextSite'>> {
  const [schedules, today, ahead, sites] = await Promise.all([
    listSchedules(ctx, { page: 1, limit: MOST }),
    getToday(ctx),
    listUpcomingDoses(ctx),
    siteRotation(ctx),
  ]);
  return {
    schedules: schedules.items.map((schedule) => scheduleRow(schedule, ctx)),
    today: { open: today.open.rows, done: today.done.rows, ahead, asNeeded: today.asNeeded },
    nextSite: sites.next?.site ?? null,
  };
}

/** The data that a device keeps for offline use. */
export async function readOfflineSnapshot({ ctx, user }: UserPageArgs): Promise<OfflineSnapshot> {
  const isPremium = user.entitlement.isPremium;
  const [vials, history, premium] = await Promise.all([
    listVials(ctx, user.id, { limit: String(MOST) }),
    listCalculations(ctx, { limit: MOST }),
    isPremium ? premiumPart(ctx) : { schedules: [], today: null, nextSite: null },
  ]);
  return {
    account: {
      userId: user.id,
      email: user.email,
      isPremium,
      timeZone: ctx.timeZone,
      syringes: user.syringes,
    },
    vials: vials.items.map((vial) => vialRow(vial, vials.day)),
    history: history.items.map((entry) => historyRow(entry, ctx.timeZone)),
    ...premium,
  };
}

/** Saves one entry of a device's outbox. Errors are returned as JSON for the device to show. */
export async function takeOfflineEntry({ request, ctx }: UserPageArgs): Promise<Response> {
  try {
    const body = await readJsonBody(request);
    return Response.json(await writeOfflineEntry(ctx, body));
  } catch (error) {
    if (!isAppError(error) || error.code === 'SUSPENDED') throw error;
    const { code, message, fields = {} } = error;
    const init = { status: STATUS[code], headers: retryHeaders(error) };
    return Response.json({ error: code, message, fields }, init);
  }
}
