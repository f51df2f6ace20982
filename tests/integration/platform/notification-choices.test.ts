import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_NOTIFICATION_CHOICES } from '#app/domain/reminders/notification-choices.ts';
import {
  getNotificationChoices,
  updateNotificationChoices,
} from '#app/platform/mail/notification-choices.server.ts';
import { openTestDatabase, TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { newPerson } from '#tests/support/people.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

async function somebody(email: string) {
  const { ctx, signedIn } = await newPerson(db, email);
  return { ctx, id: signedIn.user.id };
}

describe('notification choices', () => {
  it('have defaults: missed after 24 hours, no mails', async () => {
    const { ctx, id } = await somebody('default@example.org');
    const choices = await getNotificationChoices(ctx, id);
    expect(choices).toEqual(DEFAULT_NOTIFICATION_CHOICES);
    expect(choices).toMatchObject({ missedAfterHours: 24, email: false });
  });

  it('change one at a time and leave the others', async () => {
    const { ctx, id } = await somebody('changes@example.org');
    await updateNotificationChoices(ctx, { email: true, discreet: true });
    expect(await updateNotificationChoices(ctx, { leadDefault: 0 })).toEqual({
      ...DEFAULT_NOTIFICATION_CHOICES,
      email: true,
      discreet: true,
      leadDefault: 0,
    });
    expect(await updateNotificationChoices(ctx, {})).toMatchObject({ email: true });
    expect(await getNotificationChoices(db.ctx(TERMINAL), id)).toMatchObject({ email: true });
  });

  it('keep all of the first choices when made simultaneously', async () => {
    const { ctx, id } = await somebody('parallel@example.org');
    const changes = ['inPage', 'push', 'lowStock', 'vialExpiry'].map((name) => ({ [name]: false }));
    await Promise.all(changes.map((change) => updateNotificationChoices(ctx, change)));
    expect(await getNotificationChoices(ctx, id)).toMatchObject({
      inPage: false,
      push: false,
      lowStock: false,
      vialExpiry: false,
    });
  });

  it.each([
    { missedAfterHours: 0 },
    { missedAfterHours: 169 },
    { missedAfterHours: 1.5 },
    { leadDefault: -1 },
    { leadDefault: 121 },
    { leadDefault: Number.NaN },
    { escalateAfterMinutes: 121 },
    { quietFrom: '22:00' },
    { quietFrom: '22:00', quietTo: '22:00' },
    { quietFrom: '9 pm', quietTo: '07:00' },
    { muted: 'today' },
    { mutedUntil: new Date(0), email: 'no' },
    { email: 'yes' },
    { email: { $gt: '' } },
  ])('reject %j and stay unchanged', async (input) => {
    const { ctx, id } = await somebody(`${JSON.stringify(input).replace(/\W+/g, '-')}x@example.org`);
    await expect(updateNotificationChoices(ctx, input as never)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect(await getNotificationChoices(ctx, id)).toEqual(DEFAULT_NOTIFICATION_CHOICES);
  });

  it('reject unknown fields', async () => {
    const { ctx, id } = await somebody('extra@example.org');
    const input = { email: true, userId: 'somebody-else', role: 'admin' };
    expect(await updateNotificationChoices(ctx, input)).not.toHaveProperty('role');
    expect(await db.repos.notificationChoices.find('somebody-else')).toEqual({});
    expect(await getNotificationChoices(ctx, id)).toMatchObject({ email: true });
  });

  it('are readable only by their owner', async () => {
    const { id } = await somebody('owner@example.org');
    const other = await somebody('other@example.org');
    await expect(getNotificationChoices(other.ctx, id)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(getNotificationChoices(db.ctx(), id)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(updateNotificationChoices(db.ctx(), {})).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});
