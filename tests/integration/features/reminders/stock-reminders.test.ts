import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateNotificationChoices } from '#app/platform/mail/notification-choices.server.ts';
import { listReminders } from '#app/features/reminders/reminders.server.ts';
import { remindOfStock, STOCK_ROUND_MS } from '#app/features/reminders/stock-reminders.server.ts';
import { addVial } from '#app/features/vials/vials.server.ts';
import { WORKER } from '#app/server/worker.server.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { newPerson, type Person } from '#tests/support/people.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

const worker = () => db.ctx(WORKER.actor);
const told = async ({ ctx }: Person) =>
  (await listReminders(ctx)).reminders.map(({ type, message }) => [type, message]);

async function withOldVial(email: string, plan: 'trial' | undefined) {
  const person = await newPerson(db, email, plan ? { plan } : {});
  const expirationDate = new Date(db.clock.now().getTime() + 3 * 86_400_000).toISOString().slice(0, 10);
  await addVial(person.ctx, { name: 'BPC-157', concentration: '2.5', totalAmount: '5', expirationDate });
  return person;
}

describe('a stock alert', () => {
  it('is sent once, on the chosen channels, by one of several workers', async () => {
    const person = await withOldVial('stock@example.org', 'trial');
    await updateNotificationChoices(person.ctx, { email: true, discreet: true });
    const made = await Promise.all([1, 2, 3].map(() => remindOfStock(worker())));
    expect(made.toSorted()).toEqual([0, 0, 1]);
    const [only, ...more] = await told(person);
    expect(more).toEqual([]);
    expect(only).toEqual(['other', expect.stringContaining('A vial of BPC-157 can be used until')]);
    const [reminder] = (await listReminders(person.ctx)).reminders;
    const [mail] = await db.repos.deliveries.list(person.signedIn.user.id, reminder?.id ?? '');
    expect(mail).toMatchObject({
      channel: 'email',
      message: 'Something in your notebook needs your attention.',
    });
    expect(await remindOfStock(worker())).toBe(0);
    db.clock.advance(STOCK_ROUND_MS);
    expect(await remindOfStock(worker())).toBe(0);
    expect(await told(person)).toHaveLength(1);
  });

  it('is not sent to users who turned it off or have no Premium', async () => {
    const quiet = await withOldVial('quiet@example.org', 'trial');
    await updateNotificationChoices(quiet.ctx, { vialExpiry: false });
    const free = await withOldVial('free@example.org', undefined);
    db.clock.advance(STOCK_ROUND_MS);
    await remindOfStock(worker());
    expect(await told(quiet)).toEqual([]);
    expect(await db.repos.reminders.count(free.signedIn.user.id, false)).toBe(0);
  });
});
