import { doseText } from '#app/domain/doses/dose-amount.ts';
import { stageAt } from '#app/domain/reminders/reminder-stages.ts';
import { localDateTime } from '#app/domain/time/days.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { premiumOwner } from '#app/platform/access/premium-owner.server.ts';

/** A pending dose whose time has come. */
export interface DueDose {
  id: string;
  name: string;
  /** "250 mcg" */
  amount: string;
  /** "2026-03-09 08:30" in its owner's zone. */
  due: string;
  dueDate: Date;
  /** Its time was half an hour ago, or longer. */
  isOverdue: boolean;
}

/** How far back doses are looked for, in ms: as long as one can stay pending. */
const LOOK_BACK_MS = 8 * 86_400_000;

/**
 * An owner's doses that are due now, the earliest first.
 * @param email whose, at the terminal
 * @throws AppError NOT_FOUND, PREMIUM_REQUIRED
 */
export async function listDueDoses(ctx: Ctx, email?: string): Promise<{ doses: DueDose[]; overdue: number }> {
  const { id: ownerId, timeZone } = await premiumOwner(ctx, 'reminder.read', email);
  const now = ctx.now();
  const from = new Date(now.getTime() - LOOK_BACK_MS);
  const pending = await ctx.repos.doses.futureOf(ownerId, from, new Date(now.getTime() + 1));
  const doses = pending.map(({ id, name, doseAmount, doseUnit, dueDate }) => ({
    id,
    name,
    amount: doseText(doseAmount, doseUnit),
    due: localDateTime(dueDate, timeZone),
    dueDate,
    isOverdue: stageAt(dueDate, now) === 'overdue',
  }));
  return { doses, overdue: doses.filter(({ isOverdue }) => isOverdue).length };
}
