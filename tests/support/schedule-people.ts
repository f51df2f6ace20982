import type { Ctx } from '#app/platform/access/context.server.ts';
import type { TestDatabase } from './database.ts';
import { newPerson } from './people.ts';
import { vial } from './vials.ts';

/** A valid schedule for the API, starting today (10 March 2090). */
export const BODY = {
  name: 'BPC-157',
  doseAmount: '0.25',
  doseUnit: 'mg',
  frequency: { kind: 'daily' },
  times: ['08:00', '20:00'],
  timeZone: 'UTC',
  startDate: '2090-03-10',
  reminderLeadMinutes: 15,
} as const;

let people = 0;

/** A person in the trial, and therefore Premium. */
export async function premiumPerson(db: TestDatabase): Promise<Ctx> {
  people += 1;
  return (await newPerson(db, `premium-${people}@example.org`, { plan: 'trial' })).ctx;
}

export const ownerIdOf = (ctx: Ctx): string => (ctx.actor.kind === 'user' ? ctx.actor.id : '');

let vials = 0;

/** Adds a vial. @returns its id */
export async function storedVial(
  db: TestDatabase,
  ctx: Ctx,
  status: 'reconstituted' | 'discarded',
): Promise<string> {
  vials += 1;
  const made = vial({ id: `vial_of_schedule_${vials}`, userId: ownerIdOf(ctx), status });
  await db.repos.vials.create(made, null);
  return made.id;
}

export async function discardVial(db: TestDatabase, ctx: Ctx, id: string): Promise<void> {
  const before = await db.repos.vials.findWithSlot(ownerIdOf(ctx), id);
  if (before === null) throw new Error('no such vial');
  await db.repos.vials.replace(before.vial, { ...before.vial, status: 'discarded' }, before.slot);
}
