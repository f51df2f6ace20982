import { randomUUID } from 'node:crypto';
import { data } from '@remix-run/node';
import type { DoseWarning } from '#app/domain/doses/dose-warnings.ts';
import { isAppError } from '#app/domain/errors.ts';
import { backfillSchema } from '#app/domain/doses/dose-schema.ts';
import { calendarDay, daysBefore } from '#app/domain/time/days.ts';
import { isCalendarDay } from '#app/domain/time/calendar-day.ts';
import { backfillDoses, listUnloggedDoses, type BackfillDays } from './dose-backfill.server.ts';
import { vialChoices } from './dose-view.server.ts';
import { done } from '#app/platform/http/toast.server.ts';
import { readForm } from '#app/platform/http/forms.server.ts';
import type { PageArgs, UserPageArgs } from '#app/platform/http/route-handlers.server.ts';

/** What the page for a dose without a schedule shows. `?name=` fills the name in. */
export async function readLogPage({ ctx, user, url }: UserPageArgs) {
  const vials = await vialChoices(ctx);
  const names = [...new Set(vials.map(({ name }) => name))];
  return {
    doseUnit: user.doseUnit,
    vials,
    names,
    idempotencyKey: randomUUID(),
    name: url.searchParams.get('name') ?? '',
  };
}

/** The days of the address, or the last seven. More than a month at once is cut to its last month. */
function daysOf({ ctx, url }: PageArgs): BackfillDays {
  const today = calendarDay(ctx.now(), ctx.timeZone);
  const asked = (name: string) => {
    const text = url.searchParams.get(name) ?? '';
    return isCalendarDay(text) ? text : null;
  };
  const last = asked('to') ?? today;
  const to = last > today ? today : last;
  const from = asked('from') ?? daysBefore(to, 7);
  const earliest = daysBefore(to, 31);
  return { from: from > to ? to : from < earliest ? earliest : from, to };
}

/** What the page for doses of past days shows. */
export async function readBackfillPage(args: PageArgs) {
  const days = daysOf(args);
  const ticked = args.url.searchParams.get('all') === '1' ? null : [];
  return { ...days, ...(await listUnloggedDoses(args.ctx, days)), ticked };
}

/** What the form is answered with when it is not done. */
export interface BackfillReply {
  ticked: string[];
  error?: string;
  warnings?: DoseWarning[];
}

/** The form with the ticked doses. */
export async function submitBackfill({ request, ctx }: PageArgs) {
  const form = await readForm(request);
  const texts = (name: string) => form.getAll(name).filter((value) => typeof value === 'string');
  const input = backfillSchema.safeParse({ ids: texts('ids'), confirmed: texts('confirmed') });
  const ticked = texts('ids').slice(0, 200);
  const again = (reply: Omit<BackfillReply, 'ticked'>, status: number) =>
    data<BackfillReply>({ ticked, ...reply }, { status });
  if (!input.success) return again({ error: input.error.issues[0]?.message ?? '' }, 400);
  try {
    const outcome = await backfillDoses(ctx, input.data);
    if (!outcome.done) return again({ warnings: outcome.warnings }, 409);
    const text = outcome.count === 1 ? '1 dose marked as taken' : `${outcome.count} doses marked as taken`;
    throw await done('/dashboard/schedule', text);
  } catch (error) {
    if (isAppError(error) && error.code === 'CONFLICT') return again({ error: error.message }, 409);
    throw error;
  }
}
