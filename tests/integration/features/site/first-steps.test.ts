import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SignedInUser } from '#app/platform/access/context.server.ts';
import { createSchedule } from '#app/features/schedules/schedules.server.ts';
import { readFirstSteps } from '#app/features/site/pages.server.ts';
import { readStepStates, skipFirstSteps } from '#app/features/site/first-steps.server.ts';
import { addVial } from '#app/features/vials/vials.server.ts';
import type { UserPageArgs } from '#app/platform/http/route-handlers.server.ts';
import { updateNotificationChoices } from '#app/platform/mail/notification-choices.server.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { newPerson, type Person } from '#tests/support/people.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

const userOf = ({ ctx }: Person) => ctx.actor as SignedInUser;

/** The content below the calculator and the state of each step, in one line. */
async function stepsOf(person: Person): Promise<[isShown: boolean, states: string]> {
  const user = userOf(person);
  const shown = await readFirstSteps({ ctx: person.ctx, user } as UserPageArgs);
  const steps = await readStepStates(person.ctx, user);
  return [shown !== null, steps.map(({ step, state }) => `${step} ${state}`).join(', ')];
}

it('a new account is shown the first steps until it has a vial and a schedule', async () => {
  const person = await newPerson(db, 'first@example.org', { plan: 'trial' });
  expect(await stepsOf(person)).toEqual([true, 'vial open, plan open, reminders open']);
  await updateNotificationChoices(person.ctx, { email: true });
  expect(await stepsOf(person)).toEqual([true, 'vial open, plan open, reminders done']);
  const vial = await addVial(person.ctx, { name: 'BPC-157', amountMg: '5', waterMl: '2' });
  expect(await stepsOf(person)).toEqual([true, 'vial done, plan open, reminders done']);
  await createSchedule(person.ctx, {
    ...{ name: 'BPC-157', doseAmount: '250', doseUnit: 'mcg', frequency: { kind: 'daily' } },
    ...{ times: ['08:00'], startDate: '2090-03-11' },
  });
  expect(await stepsOf(person)).toEqual([false, 'vial done, plan done, reminders done']);
  expect(vial.id).toMatch(/^vial_/);
});

it('a skipped step stays skipped, and is done when it is taken after all', async () => {
  const person = await newPerson(db, 'skips@example.org', { plan: 'trial' });
  const other = await newPerson(db, 'other@example.org', { plan: 'trial' });
  await skipFirstSteps(person.ctx, 'vial');
  await skipFirstSteps(person.ctx, 'vial');
  expect(await stepsOf(person)).toEqual([true, 'vial skipped, plan open, reminders open']);
  await skipFirstSteps(person.ctx, null);
  expect(await stepsOf(person)).toEqual([false, 'vial skipped, plan skipped, reminders skipped']);
  await addVial(person.ctx, { name: 'BPC-157', amountMg: '5', waterMl: '2' });
  expect(await stepsOf(person)).toEqual([false, 'vial done, plan skipped, reminders skipped']);
  expect(await stepsOf(other)).toEqual([true, 'vial open, plan open, reminders open']);
});

it('a free account sees the steps it can use, and the rest once it has Premium', async () => {
  const person = await newPerson(db, 'free@example.org');
  expect(await stepsOf(person)).toEqual([true, 'vial open']);
  await skipFirstSteps(person.ctx, 'vial');
  expect(await stepsOf(person)).toEqual([false, 'vial skipped']);
});
