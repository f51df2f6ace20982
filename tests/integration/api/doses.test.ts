import { describe, expect, it } from 'vitest';
import type { ApiClient } from './client.ts';
import { CALLS, faultsOf } from './document.ts';
import { runCli } from '#tests/support/cli.ts';
import { laterToday } from '#tests/support/schedules.ts';
import { useApi } from './world.ts';

/** Doses through the API. */
const world = useApi();

type Dose = Record<string, unknown> & { id: string };
const DAY = 86_400_000;
const day = (after: number) => new Date(Date.now() + after * DAY).toISOString().slice(0, 10);

/** A user with a vial and a daily plan since yesterday. @returns the doses of the default list, oldest first */
async function planned(api: ApiClient): Promise<Dose[]> {
  await api.post('/api/compounds', {
    name: 'BPC-157',
    concentration: 2.5,
    totalAmount: 5,
    reconstitutionDate: day(-1),
  });
  const rule = { frequency: { kind: 'daily' }, times: [laterToday()], timeZone: 'UTC', startDate: day(-1) };
  await api.post('/api/schedules', { name: 'BPC-157', doseAmount: 250, doseUnit: 'mcg', ...rule });
  return (await api.get('/api/schedules/doses')).body.data?.['doses'] as Dose[];
}

const remaining = async (api: ApiClient) =>
  ((await api.get('/api/compounds')).body.data?.['compounds'] as { remainingAmount: number }[])[0]
    ?.remainingAmount;
const at = ({ id }: Dose, what: string) => `/api/schedules/doses/${id}/${what}`;
const oldest = ([first]: Dose[]) => first ?? expect.unreachable('there is no dose');

describe('a dose', () => {
  it('is taken once, drawn from the vial, and returned by undo', async () => {
    const api = await world.premium();
    const dose = oldest(await planned(api));
    expect(dose).toMatchObject({ status: 'pending', doseAmount: 250, doseUnit: 'mcg', takenAt: null });
    const taken = await api.patch(at(dose, 'taken'), {
      actualDose: 300,
      notes: 'calm',
      site: 'deltoid-left',
    });
    expect(taken.status).toBe(200);
    expect(taken.body).toMatchObject({
      message: 'Dose marked as taken',
      data: { dose: { status: 'taken', actualDose: 300, notes: 'calm' }, warnings: [] },
    });
    expect(await remaining(api)).toBe(4.7);
    const again = await api.patch(at(dose, 'taken'), {});
    expect([again.status, again.body.error]).toEqual([409, 'DOSE_ALREADY_LOGGED']);
    expect(await remaining(api)).toBe(4.7);
    await api.patch(at(dose, 'undo'), {});
    expect(await remaining(api)).toBe(5);
    expect((await api.patch(at(dose, 'undo'), {})).status).toBe(409);
  });

  it('too soon after another is still written, and the response warns', async () => {
    const api = await world.premium();
    const dose = oldest(await planned(api));
    const free = { name: 'bpc-157', actualDose: '0.2' };
    expect((await api.post('/api/schedules/doses', free)).status).toBe(201);
    const { body } = await api.patch(at(dose, 'taken'), {});
    expect(body.data).toMatchObject({
      dose: { status: 'taken' },
      warnings: [{ code: 'TOO_SOON', message: expect.stringMatching(/^Your last dose was /) as string }],
    });
  });

  it('of an unusual amount needs `confirm`', async () => {
    const api = await world.premium();
    const dose = oldest(await planned(api));
    const slip = { actualDose: 2500 };
    const asked = await api.patch(at(dose, 'taken'), slip);
    const message = '2,500 mcg is 10 × your planned 250 mcg: 100 units instead of 10.';
    expect([asked.status, asked.body]).toEqual([
      409,
      { success: false, error: 'CONFIRM_DOSE', message, warnings: [{ code: 'ABOVE_PLAN', message }] },
    ]);
    const call = CALLS.find(({ operationId }) => operationId === 'takeDose');
    expect(call && faultsOf(call, asked.status, asked.body)).toEqual([]);
    expect(await remaining(api)).toBe(5);
    const free = { name: 'BPC-157', actualDose: 25 };
    const swapped = await api.post('/api/schedules/doses', free);
    expect([swapped.status, swapped.body.error]).toEqual([409, 'CONFIRM_DOSE']);
    expect(swapped.body.message).toContain('25 mg (25,000 mcg) is 100 × your planned 250 mcg');
    const taken = await api.patch(at(dose, 'taken'), { ...slip, confirm: true });
    expect([taken.status, taken.body.data?.['warnings']]).toEqual([200, [{ code: 'ABOVE_PLAN', message }]]);
    expect(await remaining(api)).toBe(2.5);
  });

  it('is taken together with others, all or none, and the question says which dose it is about', async () => {
    const api = await world.premium();
    const [first, second] = await planned(api);
    const ids = [first?.id ?? '', second?.id ?? ''];
    const take = (body: object) => api.post('/api/schedules/doses/take', body);
    await api.call('PUT', '/api/ceilings', { body: { name: 'BPC-157', unit: 'mcg', perDay: 400 } });
    const asked = await take({ ids });
    const message = expect.stringMatching(
      /^BPC-157: .* 500 mcg, more than your limit of 400 mcg a day/,
    ) as string;
    expect([asked.status, asked.body]).toEqual([
      409,
      {
        success: false,
        error: 'CONFIRM_DOSE',
        message,
        warnings: [{ id: ids[1], code: 'ABOVE_CEILING', message }],
      },
    ]);
    const call = CALLS.find(({ operationId }) => operationId === 'takeDoses');
    expect(call && faultsOf(call, asked.status, asked.body)).toEqual([]);
    expect(await remaining(api)).toBe(5);
    const taken = await take({ ids, confirm: true });
    expect([taken.status, taken.body]).toMatchObject([
      200,
      {
        data: {
          doses: ids.map((id) => ({ id, status: 'taken' })),
          warnings: {
            [ids[0] ?? '']: [],
            [ids[1] ?? '']: expect.arrayContaining([
              expect.objectContaining({ code: 'ABOVE_CEILING' }),
              expect.objectContaining({ code: 'TOO_SOON' }),
            ]) as [],
          },
        },
      },
    ]);
    expect(await remaining(api)).toBe(4.5);
    expect((await take({ ids })).body.error).toBe('DOSE_ALREADY_LOGGED');
    const other = await world.premium();
    expect((await other.post('/api/schedules/doses/take', { ids })).status).toBe(404);
  });

  it('above one of its owner’s ceilings needs `confirm`, alone and together with the day’s doses', async () => {
    const api = await world.premium();
    const set = await api.call('PUT', '/api/ceilings', {
      body: { name: 'bpc-157', unit: 'mcg', perDose: 600, perDay: 700 },
    });
    expect([set.status, set.body.data?.['ceiling']]).toEqual([
      200,
      { name: 'bpc-157', unit: 'mcg', perDose: 600, perDay: 700, per7Days: null },
    ]);
    const log = (actualDose: number) =>
      api.post('/api/schedules/doses', { name: 'BPC-157', actualDose, doseUnit: 'mcg' });
    const over = await log(601);
    expect([over.status, over.body.error]).toEqual([409, 'CONFIRM_DOSE']);
    expect((await log(400)).status).toBe(201);
    const day = await log(400);
    expect([day.status, day.body.message]).toEqual([
      409,
      'This dose brings that day’s total to 800 mcg, more than your limit of 700 mcg a day.',
    ]);
    await api.call('PUT', '/api/ceilings', { body: { name: 'BPC-157', perDay: null, perDose: null } });
    expect((await api.get('/api/ceilings')).body.data).toMatchObject({ ceilings: [], total: 0 });
    expect((await log(400)).status).toBe(201);
    const wrong = await api.call('PUT', '/api/ceilings', { body: { name: 'BPC-157', perDay: '0' } });
    expect([wrong.status, wrong.body.fields]).toMatchObject([400, { perDay: [expect.any(String)] }]);
  });

  it('is planned with an unusual amount only with `confirm`, also in a ramp', async () => {
    const api = await world.premium();
    const { scheduleId } = oldest(await planned(api));
    const change = (body: object) => api.call('PUT', `/api/schedules/${String(scheduleId)}`, { body });
    const asked = await change({ doseAmount: 2500 });
    expect([asked.status, asked.body.error]).toEqual([409, 'CONFIRM_DOSE']);
    expect((await change({ doseAmount: 300, notes: 'a little more' })).status).toBe(200);
    expect((await change({ doseAmount: 2500, confirm: true })).status).toBe(200);
    const rule = { frequency: { kind: 'daily' }, times: ['08:00'], timeZone: 'UTC', startDate: day(0) };
    const ramp = { start: 0.25, step: 0.25, everyWeeks: 4, target: 24 };
    const plan = { name: 'Semaglutide', doseUnit: 'mg', ...rule, ramp };
    const ramped = await api.post('/api/schedules', plan);
    expect([ramped.status, ramped.body.error]).toEqual([409, 'CONFIRM_DOSE']);
    expect((await api.post('/api/schedules', { ...plan, confirm: true })).status).toBe(201);
  });

  it('is skipped or missed with a note, and counted accordingly', async () => {
    const api = await world.premium();
    const dose = oldest(await planned(api));
    expect((await api.patch(at(dose, 'skipped'), { notes: 'travel' })).body).toMatchObject({
      message: 'Dose marked as skipped',
      data: { dose: { status: 'skipped', notes: 'travel' } },
    });
    expect((await api.patch(at(dose, 'missed'), {})).body).toMatchObject({
      message: 'Dose marked as missed',
    });
    const { body } = await api.get('/api/schedules/stats');
    expect(body.data?.['stats']).toMatchObject({
      missed: 1,
      due: 1,
      adherence: 0,
      adherenceText: '0%',
      streak: 0,
    });
  });

  it.each([
    [{ actualDose: -1 }, 'actualDose'],
    [{ takenAt: '2999-01-01T00:00:00Z' }, 'takenAt'],
    [{ site: 'elbow' }, 'site'],
    [{ notes: 'x'.repeat(2001) }, 'notes'],
    [{ confirmed: [] }, 'confirmed'],
  ])('reports invalid values by field (%#)', async (sent, field) => {
    const api = await world.premium();
    const { status, body } = await api.patch(at(oldest(await planned(api)), 'taken'), sent);
    expect([status, body.error]).toEqual([400, 'INVALID_INPUT']);
    expect(body.fields).toHaveProperty(field);
  });

  it("cannot be drawn from another account's vial", async () => {
    const [api, other] = [await world.premium(), await world.premium()];
    const dose = oldest(await planned(api));
    await planned(other);
    const [vial] = (await other.get('/api/compounds')).body.data?.['compounds'] as { id: string }[];
    expect((await api.patch(at(dose, 'taken'), { compoundId: vial?.id })).status).toBe(404);
    expect(await remaining(other)).toBe(5);
  });
});

it('doses of a status are listed without days, however long ago, and days have their earlier names, too', async () => {
  const api = await world.premium();
  const taken = async (takenAt: string) => {
    const sent = { name: 'BPC-157', actualDose: '0.2', takenAt };
    expect((await api.post('/api/schedules/doses', sent)).status).toBe(201);
  };
  const days = ['2024-01-05', '2025-02-06', '2026-03-07'];
  for (const one of days) await taken(`${one}T08:00:00Z`);
  const listed = async (query: Record<string, string>) => {
    const { body } = await api.get('/api/schedules/doses', query);
    return (body.data?.['doses'] as { localDay: string }[] | undefined)?.map(({ localDay }) => localDay);
  };
  expect(await listed({})).toEqual([]);
  expect(await listed({ status: 'taken' })).toEqual(days);
  expect(await listed({ status: 'taken', limit: '1', page: '2' })).toEqual([days[1]]);
  expect(await listed({ start: '2025-02-06' })).toEqual(days.slice(1));
  expect(await listed({ startDate: '2024-01-05', endDate: '2025-02-06' })).toEqual(days.slice(0, 2));
  expect(await listed({ start: '2024-01-05', startDate: '2024-01-05' })).toBeUndefined();
});

it('overdue doses and calendar events are listed', async () => {
  const api = await world.premium();
  const dose = oldest(await planned(api));
  const overdue = (await api.get('/api/schedules/doses', { overdue: 'true' })).body.data?.['doses'] as Dose[];
  expect(overdue.map(({ id }) => id)).toContain(dose.id);
  const { body } = await api.get('/api/schedules/calendar', { start: day(1), end: day(1) });
  expect(body.data?.['events']).toMatchObject([
    { date: day(1), title: 'BPC-157 250 mcg', status: 'pending' },
  ]);
  expect((await api.get('/api/schedules/calendar', { start: day(1), end: day(0) })).status).toBe(400);
  expect(
    (await api.get('/api/schedules/adherence', { start: day(-1), end: day(0) })).body.data,
  ).toMatchObject({
    formula: expect.stringContaining('planned doses taken ÷ (planned doses taken + missed)') as string,
    total: { adherence: null },
  });
});

describe('the day document', () => {
  it('is sent again only when it has changed', async () => {
    const api = await world.premium();
    const tag = (await api.get('/api/today')).headers.get('etag') ?? '';
    const again = await api.call('GET', '/api/today', { headers: { 'if-none-match': tag } });
    expect([again.status, again.text]).toEqual([304, '']);
    await planned(api);
    const changed = await api.call('GET', '/api/today', { headers: { 'if-none-match': tag } });
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(tag);
  });

  it('has the next dose, overdue doses and low stock, and equals what `vialbook due --json` prints', async () => {
    const api = await world.premium();
    expect((await api.get('/api/today')).body.data).toEqual({
      day: day(0),
      nextDose: null,
      doses: [],
      overdue: 0,
      lowStock: [],
    });
    const [late, next] = await planned(api);
    const vial = { name: 'TB-500', concentration: 2.5, totalAmount: 5, reconstitutionDate: day(-1) };
    const made = await api.post('/api/compounds', vial);
    const low = made.body.data?.['compound'] as { id: string } | undefined;
    const left = { remainingAmount: 0.2, reason: 'counted' };
    expect((await api.patch(`/api/compounds/${low?.id}/remaining`, left)).status).toBe(200);
    const answer = await api.get('/api/today');
    expect(answer.body.data).toMatchObject({
      nextDose: { id: next?.id, name: 'BPC-157', amount: '250 mcg', dueDate: next?.['dueDate'] },
      doses: [{ id: late?.id, due: `${day(-1)} ${String(late?.['wallTime'])}`, isOverdue: true }],
      overdue: 1,
      lowStock: [{ name: 'TB-500', compoundId: low?.id, message: 'TB-500 is running low. 0.2 mg left.' }],
    });
    const env = { DATA_DIR: world.web.dataDir };
    const printed = await runCli(['due', '--user', api.email, '--json'], { env });
    expect([printed.code, JSON.parse(printed.stdout)]).toEqual([3, answer.body.data]);
  });
});
