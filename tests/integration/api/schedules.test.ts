import { describe, expect, it } from 'vitest';
import type { ApiClient } from './client.ts';
import { savedSchedule, SCHEDULE } from './samples/schedules.ts';
import { useApi } from './world.ts';

/** Schedules through the API. */
const world = useApi();

const fieldsOf = async (api: ApiClient, more: object) => {
  const { status, body } = await api.post('/api/schedules', { ...SCHEDULE, ...more });
  return { status, error: body.error, fields: Object.keys(body.fields ?? {}) };
};
const dues = (data: Record<string, unknown> | undefined) =>
  (data?.['doses'] as { dueDate: string }[]).map(({ dueDate }) => dueDate);

describe('a schedule', () => {
  it('is created, changed, paused and deleted', async () => {
    const api = await world.premium();
    const made = await api.post('/api/schedules', {
      ...SCHEDULE,
      reminderLeadMinutes: 30,
      endDate: '2099-01-01',
    });
    expect(made).toMatchObject({ status: 201, body: { message: 'Schedule created successfully' } });
    const schedule = made.body.data?.['schedule'] as { id: string; nextDoseDate: string };
    expect(schedule).toMatchObject({
      ...SCHEDULE,
      isActive: true,
      reminderLeadMinutes: 30,
      endDate: '2099-01-01',
    });
    expect(Date.parse(schedule.nextDoseDate)).toBeGreaterThan(Date.now());
    const at = `/api/schedules/${schedule.id}`;
    const changed = await api.put(at, { times: ['20:00', '09:00'], endDate: null });
    expect(changed.body).toMatchObject({ message: 'Schedule updated successfully' });
    expect(changed.body.data?.['schedule']).toMatchObject({
      times: ['09:00', '20:00'],
      endDate: null,
      name: 'BPC-157',
    });
    const paused = await api.patch(`${at}/toggle`, { isActive: false });
    expect(paused.body).toMatchObject({
      message: 'Schedule paused',
      data: { schedule: { isActive: false, nextDoseDate: null } },
    });
    expect((await api.patch(`${at}/toggle`, { isActive: true })).body.message).toBe('Schedule activated');
    const list = await api.get('/api/schedules?limit=1');
    expect(list.body.data).toMatchObject({ schedules: [{ id: schedule.id }], page: 1, limit: 1, total: 1 });
    expect((await api.get('/api/schedules?page=2')).body.data).toMatchObject({ schedules: [], page: 2 });
    expect((await api.delete(at)).body.message).toBe('Schedule deleted successfully');
    expect((await api.get(at)).status).toBe(404);
  });

  it('is previewed across a clock change without being saved', async () => {
    const api = await world.premium();
    const preview = (startDate: string, timeZone: string) =>
      api.post('/api/schedules/preview', { ...SCHEDULE, times: ['02:30'], startDate, timeZone });
    const spring = await preview('2026-03-28', 'Europe/Berlin');
    expect(spring.status).toBe(200);
    expect(dues(spring.body.data)).toHaveLength(14);
    expect(dues(spring.body.data).slice(0, 3)).toEqual([
      '2026-03-28T01:30:00.000Z',
      '2026-03-29T01:30:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
    const autumn = await preview('2026-10-31', 'America/New_York');
    expect(dues(autumn.body.data).slice(0, 3)).toEqual([
      '2026-10-31T06:30:00.000Z',
      '2026-11-01T07:30:00.000Z',
      '2026-11-02T07:30:00.000Z',
    ]);
    const twice = await api.post('/api/schedules/preview', {
      ...SCHEDULE,
      times: ['01:30'],
      startDate: '2026-11-01',
      timeZone: 'America/New_York',
    });
    expect(dues(twice.body.data)[0]).toBe('2026-11-01T05:30:00.000Z');
    expect((await api.get('/api/schedules')).body.data).toMatchObject({ total: 0 });
  });

  it('on a day of the month, or the last one, makes the doses of its preview', async () => {
    const api = await world.premium();
    const today = new Date().toISOString().slice(0, 10);
    const body = { ...SCHEDULE, timeZone: 'UTC', startDate: today, times: ['23:59'] };
    const monthly = { ...body, frequency: { kind: 'monthly', day: 31 } };
    const months = await api.post('/api/schedules/preview', { ...monthly, startDate: '2026-01-15' });
    expect(dues(months.body.data).slice(0, 4)).toEqual([
      '2026-01-31T23:59:00.000Z',
      '2026-02-28T23:59:00.000Z',
      '2026-03-31T23:59:00.000Z',
      '2026-04-30T23:59:00.000Z',
    ]);
    const made = await api.post('/api/schedules', monthly);
    const schedule = made.body.data?.['schedule'] as { id: string; nextDoseDate: string };
    expect(schedule).toMatchObject({ frequency: { kind: 'monthly', day: 31 } });
    const at = `/api/schedules/${schedule.id}`;
    const last = await api.put(at, { frequency: { kind: 'monthly', day: 'last' } });
    expect(last.body.data?.['schedule']).toMatchObject({
      frequency: { kind: 'monthly', day: 'last' },
      nextDoseDate: schedule.nextDoseDate,
    });
    expect((await api.get(at)).body.data).toMatchObject({ schedule: { frequency: { day: 'last' } } });
    const preview = await api.post('/api/schedules/preview', monthly);
    const ahead = new Date(Date.now() + 35 * 86_400_000);
    const until = ahead.toISOString().slice(0, 10);
    const doses = await api.get(`/api/schedules/doses?startDate=${today}&endDate=${until}`);
    expect(dues(doses.body.data)).toEqual(dues(preview.body.data).filter((due) => due.slice(0, 10) <= until));
  });

  it('counted from the last dose moves the next dose when one is taken, and undo moves it back', async () => {
    const api = await world.premium();
    const { times: _times, startDate: _day, ...body } = SCHEDULE;
    const plan = { ...body, frequency: { kind: 'after-last', everyHours: 8 } };
    const now = Math.floor(Date.now() / 1000) * 1000;
    const hoursFromNow = (hours: number) => new Date(now + hours * 3_600_000);
    const firstDueAt = hoursFromNow(-1).toISOString();
    const preview = await api.post('/api/schedules/preview', { ...plan, firstDueAt });
    expect(dues(preview.body.data).slice(0, 2)).toEqual([firstDueAt, hoursFromNow(7).toISOString()]);
    const made = await api.post('/api/schedules', { ...plan, firstDueAt });
    expect(made.status).toBe(201);
    const schedule = made.body.data?.['schedule'] as { id: string };
    expect(schedule).toMatchObject({
      frequency: { kind: 'after-last', everyHours: 8 },
      times: [],
      firstDueAt,
      nextDoseDate: firstDueAt,
    });
    const listed = async () => {
      const { body: list } = await api.get('/api/schedules/doses');
      const doses = list.data?.['doses'] as { id: string; updatedAt: string }[];
      return doses.map(({ updatedAt: _, ...dose }) => dose);
    };
    const before = await listed();
    const [first] = before;
    expect(before).toMatchObject([{ status: 'pending', dueDate: firstDueAt }]);
    const takenAt = hoursFromNow(-0.5).toISOString();
    const at = `/api/schedules/doses/${first?.id ?? ''}`;
    expect((await api.patch(`${at}/taken`, { takenAt })).status).toBe(200);
    expect(await listed()).toMatchObject([
      { status: 'taken' },
      { status: 'pending', dueDate: hoursFromNow(7.5).toISOString() },
    ]);
    expect((await api.get(`/api/schedules/${schedule.id}`)).body.data).toMatchObject({
      schedule: { nextDoseDate: hoursFromNow(7.5).toISOString() },
    });
    expect((await api.patch(`${at}/undo`)).status).toBe(200);
    expect(await listed()).toEqual(before);
    const daily = await api.put(`/api/schedules/${schedule.id}`, { frequency: { kind: 'daily' } });
    expect(daily).toMatchObject({
      status: 400,
      body: { fields: { times: ['Add at least one time of day'] } },
    });
  });

  it('as needed logs a dose, warns about an early one, and undo removes it', async () => {
    const api = await world.premium();
    const { times: _times, startDate: _day, ...body } = SCHEDULE;
    const frequency = { kind: 'as-needed', minGapHours: 4, maxPerDay: 1 };
    const plan = { ...body, frequency };
    expect((await api.post('/api/schedules/preview', plan)).body.data).toEqual({
      doses: [],
      endsAbout: null,
    });
    const made = await api.post('/api/schedules', plan);
    const schedule = made.body.data?.['schedule'] as { id: string };
    expect(schedule).toMatchObject({ frequency, times: [], nextDoseDate: null, isActive: true });
    const at = `/api/schedules/${schedule.id}/doses`;
    const takenAt = new Date(Date.now() - 60_000).toISOString();
    const first = await api.post(at, { takenAt });
    expect(first.status).toBe(201);
    expect(first.body.data).toMatchObject({ dose: { asNeeded: true, scheduleId: schedule.id, takenAt } });
    const second = await api.post(at, { takenAt });
    expect(second.status).toBe(201);
    expect(second.body.data?.['warnings']).toEqual(
      expect.arrayContaining(
        ['TOO_SOON', 'OVER_DAILY_LIMIT'].map((code) => expect.objectContaining({ code }) as object),
      ),
    );
    const { id } = second.body.data?.['dose'] as { id: string };
    expect((await api.patch(`/api/schedules/doses/${id}/undo`)).body.data).toEqual({ dose: null });
    expect((await api.get(`/api/schedules/doses/${id}`)).status).toBe(404);
    const daily = await api.post('/api/schedules', { ...SCHEDULE, name: 'Another' });
    const { id: dailyId } = daily.body.data?.['schedule'] as { id: string };
    expect(await api.post(`/api/schedules/${dailyId}/doses`, {})).toMatchObject({
      status: 409,
      body: { error: 'NOT_AS_NEEDED' },
    });
  });

  it('accepts doses as numbers or decimal strings, or a ramp', async () => {
    const api = await world.premium();
    const ramp = { start: '0.25', step: 0.25, everyWeeks: 4, target: '1' };
    const { doseAmount: _, ...body } = SCHEDULE;
    const made = await api.post('/api/schedules', { ...body, ramp, course: { weeksOn: 8, weeksOff: 4 } });
    expect(made.body.data?.['schedule']).toMatchObject({
      doseAmount: 0.25,
      ramp: { start: 0.25, step: 0.25, everyWeeks: 4, target: 1 },
      course: { weeksOn: 8, weeksOff: 4 },
    });
  });

  it.each([
    [{ endDate: '2026-11-21' }, 'endDate'],
    [{ times: [] }, 'times'],
    [{ times: ['25:00'] }, 'times'],
    [{ times: Array.from({ length: 10_000 }, () => '08:00') }, 'times'],
    [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ frequency: { kind: 'interval', every: 0 } }, 'frequency.every'],
    [{ frequency: { kind: 'monthly', day: 32 } }, 'frequency.day'],
    [{ frequency: { kind: 'after-last', everyHours: 8761 } }, 'frequency.everyHours'],
    [{ ramp: { start: 1, step: 0, everyWeeks: 1, target: 2 } }, 'ramp.step'],
    [{ doseAmount: 101 }, 'doseAmount'],
    [{ doseAmount: { $gt: 0 } }, 'doseAmount'],
    [{ compoundId: 'vial_none' }, 'compoundId'],
    [{ reminderLeadMinutes: 121 }, 'reminderLeadMinutes'],
  ])('is refused with %j at its field', async (more, field) => {
    expect(await fieldsOf(await world.premium(), more)).toEqual({
      status: 400,
      error: 'INVALID_INPUT',
      fields: [field],
    });
  });

  it('cannot be reached by another account', async () => {
    const [owner, other] = [await world.premium(), await world.premium()];
    const { params } = await savedSchedule(owner);
    expect((await other.put(`/api/schedules/${params.id}`, { times: ['09:00'] })).status).toBe(404);
    expect((await owner.get(`/api/schedules/${params.id}`)).body.data?.['schedule']).toMatchObject({
      times: ['08:00'],
    });
  });
});
