import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { dayLabel } from '#app/domain/time/calendar.ts';
import { pendingDose } from '#tests/support/pending-doses.ts';
import { expectSound } from './answers.ts';
import { compactText, visibleText } from '#tests/support/html.ts';
import { reminderRow } from './owned/reminders.ts';
import { addStored, storedIn, userIdOf } from './stored.ts';
import type { FormFields } from './web-client.ts';
import { useWeb } from './web.ts';

const web = useWeb();
const MINUTE = 60_000;

async function premium() {
  const client = await web.user({ trial: true });
  return { client, userId: await userIdOf(web.dataDir, client.email) };
}

/** A due dose, with the link that a mail or push would contain. */
async function linked(userId: string, { lifeMs = 60 * MINUTE } = {}) {
  const { id, ...dose } = pendingDose(
    `dose_${randomBytes(6).toString('hex')}`,
    new Date(Date.now() - MINUTE),
  );
  await addStored(web.dataDir, 'doses', [{ _id: id, userId, ...dose, scheduleId: null, remindAt: null }]);
  const token = randomBytes(32).toString('base64url');
  const secret = {
    _id: createHash('sha256').update(token).digest('base64url'),
    userId,
    purpose: 'act-on-dose',
    createdAt: new Date(),
    expiresAt: new Date(Date.now() + lifeMs),
    failures: 0,
    facts: { doseId: id },
  };
  await addStored(web.dataDir, 'one_time_secrets', [secret]);
  const stored = async () => (await storedIn(web.dataDir, 'doses')).find((row) => String(row._id) === id);
  return { at: `/act/${token}`, stored };
}

it('a dose of an earlier day is shown on Today with its day', async () => {
  const { client, userId } = await premium();
  const dueDate = new Date(Date.now() - 24 * 60 * MINUTE + MINUTE);
  const { id, ...dose } = pendingDose(`dose_${randomBytes(6).toString('hex')}`, dueDate);
  await addStored(web.dataDir, 'doses', [{ _id: id, userId, ...dose, scheduleId: null, remindAt: null }]);
  const [day, time] = [dueDate.toISOString().slice(0, 10), dueDate.toISOString().slice(11, 16)];
  const shown = compactText((await client.get('/dashboard/schedule')).body);
  expect(shown).toContain(`${dayLabel(day)}${time}`.replace(/\s/g, ''));
});

describe('a reminder link', () => {
  it('asks first, then takes the dose once, signed in or not', async () => {
    const { userId } = await premium();
    const { at, stored } = await linked(userId);
    const visitor = web.visitor();
    for (let opened = 0; opened < 2; opened += 1) {
      const page = await visitor.get(at);
      expect(page.status).toBe(200);
      expect(visibleText(page.body)).toContain('BPC-157');
      // Nothing has happened yet: the text about the stock is about the button.
      expect(visibleText(page.body)).toContain('the dose is not taken from stock');
      expect(visibleText(page.body)).not.toMatch(/was taken from stock|is over-drawn/);
      expectSound(page, at);
    }
    expect((await stored())?.['status']).toBe('pending');
    const acted = await visitor.post(at, { action: 'taken' });
    expect(acted.location).toBe('/act/done?did=taken');
    expect(visibleText((await visitor.get(acted.location ?? '')).body)).toContain('Dose marked as taken');
    expect((await stored())?.['status']).toBe('taken');
    for (const answer of [await visitor.post(at, { action: 'taken' }), await visitor.get(at)]) {
      expect(answer.status).toBe(404);
      expect(visibleText(answer.body)).toContain(
        'This link has already been used, has expired, or is incomplete.',
      );
    }
  });

  it('says what has changed about the dose before its button', async () => {
    const { client, userId } = await premium();
    const vial = { name: 'BPC-157', amountMg: 5, waterMl: 1, reconstitutionDate: '2026-01-04' };
    const added = { ...vial, expirationDate: '2199-01-01' };
    const answer = await client.send('/api/compounds', JSON.stringify(added), 'application/json');
    expect(answer.status).toBe(201);
    const { at } = await linked(userId);
    expect(visibleText((await web.visitor().get(at)).body)).toMatch(
      /Check this dose First dose from this vial of 5 mg\/ml: \d+ units?\./,
    );
  });

  it('skips or snoozes the dose', async () => {
    const { userId } = await premium();
    const skipped = await linked(userId);
    await web.visitor().post(skipped.at, { action: 'skip' });
    expect((await skipped.stored())?.['status']).toBe('skipped');
    const later = await linked(userId);
    const before = Date.now();
    await web.visitor().post(later.at, { action: 'snooze', minutes: '30' });
    const dose = await later.stored();
    expect(dose?.['status']).toBe('pending');
    expect((dose?.['remindAt'] as Date).getTime() - before).toBeGreaterThanOrEqual(30 * MINUTE);
  });

  it('is not used up by an invalid form', async () => {
    const { userId } = await premium();
    const { at, stored } = await linked(userId);
    const forms: FormFields[] = [
      {},
      { action: 'delete' },
      { action: 'snooze' },
      { action: 'snooze', minutes: '7' },
    ];
    for (const form of forms) expect((await web.visitor().post(at, form)).status).toBe(400);
    expect((await web.visitor().get(at)).status).toBe(200);
    expect((await stored())?.['status']).toBe('pending');
  });

  it('works for only one of two simultaneous uses', async () => {
    const { userId } = await premium();
    const { at } = await linked(userId);
    const answers = await Promise.all([1, 2, 3].map(() => web.visitor().post(at, { action: 'skip' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([302, 404, 404]);
  });

  it.each(['x', 'A'.repeat(43), '%00', encodeURIComponent('{"$gt":""}')])(
    'that is made up (%s) opens nothing',
    async (token) => {
      const status = token === '%00' ? 400 : 404;
      expect((await web.visitor().get(`/act/${token}`)).status).toBe(status);
      expect((await web.visitor().post(`/act/${token}`, { action: 'taken' })).status).toBe(status);
    },
  );

  it('that has expired opens nothing', async () => {
    const { userId } = await premium();
    const { at, stored } = await linked(userId, { lifeMs: -1 });
    expect((await web.visitor().get(at)).status).toBe(404);
    expect((await web.visitor().post(at, { action: 'taken' })).status).toBe(404);
    expect((await stored())?.['status']).toBe('pending');
  });
});

describe('the bell', () => {
  it('is hidden for a free user', async () => {
    const page = await (await web.user()).get('/dashboard');
    expect(page.body).not.toContain('bell-button');
  });

  it('lists the ten newest reminders, shows how many are new, and links to all of them', async () => {
    const { client, userId } = await premium();
    expect((await client.get('/dashboard')).body).toContain('No reminders yet');
    const rows = Array.from({ length: 12 }, (_, index) =>
      reminderRow(userId, {
        message: `Number ${index}.`,
        reminderTime: new Date(Date.now() - (11 - index) * 5 * MINUTE),
      }),
    );
    await addStored(web.dataDir, 'reminders', rows);
    const page = visibleText((await client.get('/dashboard/calculator')).body);
    expect(page).toContain('9+');
    expect(page).toContain('View all reminders');
    expect(page).toMatch(/Number 11\./);
    expect(page).toMatch(/Just now/);
    expect(page).toMatch(/45m ago/);
    expect(page).not.toMatch(/Number 1\./);
    const list = await client.get('/dashboard/reminders');
    expect(visibleText(list.body)).toMatch(/Number 0\./);
    expectSound(list, '/dashboard/reminders');
    await client.post(`/dashboard/reminders/${rows[11]?._id}`, { intent: 'read' });
    const unread = visibleText((await client.get('/dashboard/reminders?unread=1')).body);
    expect(unread.split('AllUnread').at(-1)).not.toMatch(/Number 11\./);
    await client.post('/dashboard/reminders?index');
    const after = await client.get('/dashboard/reminders?unread=1');
    expect(visibleText(after.body)).toContain('No unread reminders');
    expect(after.body).not.toContain('bell-badge');
  });
});
