import ICAL from 'ical.js';
import { changeUser } from '#app/features/admin/users/user-changes.server.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  changeCalendarFeed,
  findCalendarFeed,
  readCalendarFeed,
  deleteCalendarFeed,
  setCalendarFeed,
} from '#app/features/schedules/calendar-feed.server.ts';
import { createSchedule } from '#app/features/schedules/schedules.server.ts';
import { openTestDatabase, TERMINAL, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { freshNoon, pendingDose } from '#tests/support/pending-doses.ts';
import { newPerson } from '#tests/support/people.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());
beforeEach(() => freshNoon(db));

let people = 0;
const premium = () => newPerson(db, `calendar-${people++}@example.org`, { plan: 'trial' });
const tokenOf = (link: string | null) => /\/calendar\/([^/]+)\.ics$/.exec(link ?? '')?.[1] ?? '';

/** The events of a file, read by a third-party parser. */
function eventsOf(body: string) {
  const calendar = new ICAL.Component(ICAL.parse(body) as object[]);
  return calendar.getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component);
    const [alarm] = component.getAllSubcomponents('valarm');
    return {
      status: component.getFirstPropertyValue('status'),
      isBusy: component.getFirstPropertyValue('transp') !== 'TRANSPARENT',
      alarm: alarm && [
        alarm.getFirstPropertyValue('action'),
        (alarm.getFirstPropertyValue('trigger') as ICAL.Duration).toSeconds() / 60,
        alarm.getFirstPropertyValue('description'),
      ],
      uid: event.uid,
      at: event.startDate.toJSDate().toISOString(),
      summary: event.summary,
      description: event.description,
    };
  });
}

async function fed(privacy: 'full' | 'name' | 'busy') {
  const person = await premium();
  const doses = [
    pendingDose(`dose_${people}_a`, db.clock.now(), { status: 'taken' }),
    pendingDose(`dose_${people}_b`, new Date(db.clock.now().getTime() + 86_400_000)),
    pendingDose(`dose_${people}_c`, db.clock.now(), { status: 'skipped' }),
  ];
  await db.repos.doses.createMany(person.signedIn.user.id, doses);
  const token = tokenOf(await changeCalendarFeed(person.ctx, { intent: 'link', privacy }));
  return { ...person, token };
}

describe('a calendar feed', () => {
  it.each([
    ['full', ['BPC-157, 250 mcg (taken)', 'BPC-157, 250 mcg (skipped)', 'BPC-157, 250 mcg']],
    ['name', ['BPC-157', 'BPC-157', 'BPC-157']],
    ['busy', ['Busy', 'Busy', 'Busy']],
  ] as const)('shows no more than %s', async (privacy, summaries) => {
    const { token } = await fed(privacy);
    const { body } = await readCalendarFeed(db.ctx(), token);
    expect(eventsOf(body).map(({ summary }) => summary)).toEqual(summaries);
    if (privacy !== 'full') expect(body).not.toContain('250');
    if (privacy === 'busy') expect(body).not.toContain('BPC');
  });

  it('shows a skipped dose as cancelled, and names the zone of its owner', async () => {
    const { token, signedIn } = await fed('name');
    await testConnection(db)
      .collection('users')
      .updateOne({ _id: signedIn.user.id as never }, { $set: { timeZone: 'America/St_Johns' } });
    const { body } = await readCalendarFeed(db.ctx(), token);
    expect(eventsOf(body).map(({ uid, status, isBusy }) => [uid.split('@')[0], status, isBusy])).toEqual([
      [`dose_${people}_a`, null, true],
      [`dose_${people}_c`, 'CANCELLED', false],
      [`dose_${people}_b`, null, true],
    ]);
    const calendar = new ICAL.Component(ICAL.parse(body) as object[]);
    expect(calendar.getFirstPropertyValue('x-wr-timezone')).toBe('America/St_Johns');
  });

  it('has alarms on request, for doses that are open, as early as the reminders of their schedule', async () => {
    const { ctx, token } = await fed('busy');
    const plan = { doseAmount: '250', doseUnit: 'mcg' as const, frequency: { kind: 'daily' as const } };
    const day = (days: number) =>
      new Date(db.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
    const last = { timeZone: 'UTC', startDate: day(2), endDate: day(2), confirm: true };
    await createSchedule(ctx, { ...plan, ...last, name: 'A', times: ['08:00'], reminderLeadMinutes: 45 });
    await createSchedule(ctx, { ...plan, ...last, name: 'B', times: ['09:00'], reminderLeadMinutes: 0 });
    const alarms = async () =>
      eventsOf((await readCalendarFeed(db.ctx(), token)).body).map(({ alarm }) => alarm ?? null);
    expect(await alarms()).toEqual([null, null, null, null, null]);
    await changeCalendarFeed(ctx, { intent: 'change', privacy: 'busy', alarms: true });
    expect(await alarms()).toEqual([
      ...[null, null],
      ['DISPLAY', 0, 'Busy'],
      ['DISPLAY', -45, 'Busy'],
      ['DISPLAY', 0, 'Busy'],
    ]);
    await changeCalendarFeed(ctx, { intent: 'change', privacy: 'busy' });
    expect(await alarms()).toEqual([null, null, null, null, null]);
  });

  it('is made, changed and renewed by a program, which gets each new address once', async () => {
    const { ctx } = await premium();
    const opens = async (link: string | null) => codeOf(readCalendarFeed(db.ctx(), tokenOf(link)));
    const made = await setCalendarFeed(ctx, {});
    expect(made.calendarFeed).toMatchObject({ privacy: 'name', alarms: false });
    expect(await opens(made.link)).toBe('done');
    const changed = await setCalendarFeed(ctx, { alarms: true });
    expect(changed).toEqual({ calendarFeed: { ...made.calendarFeed, alarms: true }, link: null });
    const renewed = await setCalendarFeed(ctx, { privacy: 'busy', newLink: true });
    expect(renewed.calendarFeed).toMatchObject({ privacy: 'busy', alarms: true });
    expect([await opens(made.link), await opens(renewed.link)]).toEqual(['NOT_FOUND', 'done']);
    expect(await findCalendarFeed(ctx)).toEqual(renewed.calendarFeed);
  });

  it('is the same file until something changes', async () => {
    const { token, ctx } = await fed('full');
    const first = await readCalendarFeed(db.ctx(), token);
    db.clock.advance(60_000);
    expect(await readCalendarFeed(db.ctx(), token)).toEqual(first);
    await changeCalendarFeed(ctx, { intent: 'change', privacy: 'busy' });
    expect((await readCalendarFeed(db.ctx(), token)).etag).not.toBe(first.etag);
  });

  it.each([
    [
      'forward',
      '2090-03-25',
      ['2090-03-25T01:30:00.000Z', '2090-03-26T01:30:00.000Z', '2090-03-27T00:30:00.000Z'],
    ],
    [
      'back',
      '2090-10-28',
      ['2090-10-28T00:30:00.000Z', '2090-10-29T00:30:00.000Z', '2090-10-30T01:30:00.000Z'],
    ],
  ])(
    'has a 02:30 dose at the same instant as its schedule when clocks go %s',
    async (_way, startDate, instants) => {
      db.clock.advance(Date.parse(`${startDate}T00:00:00Z`) - 86_400_000 - db.clock.now().getTime());
      const { ctx } = await premium();
      await createSchedule(ctx, {
        name: 'Night',
        doseAmount: '250',
        doseUnit: 'mcg',
        frequency: { kind: 'daily' },
        times: ['02:30'],
        timeZone: 'Europe/Berlin',
        startDate,
      });
      const token = tokenOf(await changeCalendarFeed(ctx, { intent: 'link', privacy: 'name' }));
      const events = eventsOf((await readCalendarFeed(db.ctx(), token)).body);
      expect(events.slice(0, 3).map(({ at }) => at)).toEqual(instants);
    },
  );

  it('opens only at its newest address, and not while it is off', async () => {
    const { ctx, token } = await fed('name');
    const next = tokenOf(await changeCalendarFeed(ctx, { intent: 'link', privacy: 'name' }));
    expect(await codeOf(readCalendarFeed(db.ctx(), token))).toBe('NOT_FOUND');
    expect(await codeOf(readCalendarFeed(db.ctx(), next))).toBe('done');
    await deleteCalendarFeed(ctx);
    expect(await codeOf(readCalendarFeed(db.ctx(), next))).toBe('NOT_FOUND');
    expect(await findCalendarFeed(ctx)).toBeNull();
    expect(await codeOf(changeCalendarFeed(ctx, { intent: 'change', privacy: 'full' }))).toBe('NOT_FOUND');
  });

  it('is closed for suspended accounts and for those without Premium', async () => {
    const over = await fed('name');
    const out = await fed('name');
    await changeUser(db.ctx(TERMINAL), 'suspend', { reason: 'test', email: out.email });
    expect(await codeOf(readCalendarFeed(db.ctx(), out.token))).toBe('NOT_FOUND');
    db.clock.advance(15 * 86_400_000);
    expect(await codeOf(readCalendarFeed(db.ctx(), over.token))).toBe('NOT_FOUND');
  });

  it('is rate-limited, and does not open at an invented address', async () => {
    const { token } = await fed('busy');
    for (const made of ['', 'x', 'A'.repeat(43), `${token}x`])
      expect(await codeOf(readCalendarFeed(db.ctx(), made))).toBe('NOT_FOUND');
    const outcomes = new Set<string>();
    for (let count = 0; count < 121; count += 1)
      outcomes.add(await codeOf(readCalendarFeed(db.ctx(), token)));
    expect([...outcomes]).toEqual(['done', 'RATE_LIMITED']);
  });

  it('is part of Premium', async () => {
    const { ctx } = await newPerson(db, 'free-calendar@example.org');
    expect(await codeOf(changeCalendarFeed(ctx, { privacy: 'full' }))).toBe('PREMIUM_REQUIRED');
  });
});
