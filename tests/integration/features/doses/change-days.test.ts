import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toDoseResponse } from '#app/features/doses/api.server.ts';
import { listDoses, listCalendarEvents, getCalendar } from '#app/features/doses/dose-lists.server.ts';
import { getDosePage } from '#app/features/doses/pages.server.ts';
import { createSchedule, previewSchedule } from '#app/features/schedules/schedules.server.ts';
import { openTestDatabase, TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { newPerson } from '#tests/support/people.ts';

/** A dose at 02:30 in Berlin around clock changes, as seen by each interface. */
let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

const DAY = 86_400_000;

const rule = (startDate: string) => ({
  name: 'Semaglutide',
  doseAmount: '250',
  doseUnit: 'mcg',
  frequency: { kind: 'daily' },
  times: ['02:30'],
  timeZone: 'Europe/Berlin',
  startDate,
});

describe.each([
  {
    // 02:30 does not exist on the 26th, so the dose is at 03:30, which is 01:30 UTC.
    what: 'spring',
    first: '2090-03-25',
    last: '2090-03-27',
    instants: ['2090-03-25T01:30:00.000Z', '2090-03-26T01:30:00.000Z', '2090-03-27T00:30:00.000Z'],
    shown: ['02:30', '03:30', '02:30'],
  },
  {
    // 02:30 occurs twice on the 29th; the dose is at the earlier one.
    what: 'autumn',
    first: '2090-10-28',
    last: '2090-10-30',
    instants: ['2090-10-28T00:30:00.000Z', '2090-10-29T00:30:00.000Z', '2090-10-30T01:30:00.000Z'],
    shown: ['02:30', '02:30', '02:30'],
  },
])('a dose at 02:30 at the clock change in $what', ({ first, last, instants, shown }) => {
  it('is at the same instant on the page, in the API, in the terminal and in the preview', async () => {
    db.clock.advance(Date.parse(first) - 5 * DAY - db.clock.now().getTime());
    const { ctx, email } = await newPerson(db, `berlin-${first}@example.org`, {
      plan: 'trial',
      timeZone: 'Europe/Berlin',
    });
    const preview = await previewSchedule(ctx, rule(first));
    await createSchedule(ctx, rule(first));
    const days = { startDate: first, endDate: last };

    const { doses } = await listDoses(ctx, days);
    const answers = doses.map(toDoseResponse).map(({ dueDate }) => (dueDate as Date).toISOString());
    const calendar = (await getCalendar(ctx, 'month', first)).doses.filter(
      ({ day }) => day >= first && day <= last,
    );
    const pages = await Promise.all(doses.map(({ id }) => getDosePage(ctx, id)));
    const { events } = await listCalendarEvents(ctx, days);
    const { doses: terminal } = await listDoses(db.ctx(TERMINAL), days, email);

    expect(answers).toEqual(instants);
    expect(calendar.map(({ dueDate }) => dueDate)).toEqual(instants);
    expect(calendar.map(({ time }) => time)).toEqual(shown);
    expect(pages.map(({ line }) => line.dueDate)).toEqual(instants);
    expect(events.map(({ dueDate }) => dueDate.toISOString())).toEqual(instants);
    expect(terminal.map(({ dueDate }) => dueDate.toISOString())).toEqual(instants);
    const previewed = preview.doses.map(({ dueDate }) => new Date(dueDate).toISOString());
    expect(previewed.slice(0, 3)).toEqual(instants);
  });
});
