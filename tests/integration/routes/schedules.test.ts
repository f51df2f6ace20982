import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { expectSound } from './answers.ts';
import { fieldValue, visibleText } from '#tests/support/html.ts';
import { daysFromNow, makeSchedule, scheduleForm } from './owned/schedules.ts';
import { addStored, storedIn, userIdOf } from './stored.ts';
import { useWeb } from './web.ts';

/** Schedules by plain forms. */
const web = useWeb();
const NEW = '/dashboard/schedule/new';

const storedOf = async (name: string) =>
  (await storedIn(web.dataDir, 'schedules')).filter((row) => row['name'] === name);

describe('the form of a schedule', () => {
  it('comes back with what was typed and a message at the field', async () => {
    const client = await web.user({ trial: true });
    const sent = scheduleForm({ name: 'Kept <as> typed', endDate: '2026-02-01', 'ramp.start': 'x' });
    const { status, body } = await client.post(NEW, sent);
    expect(status).toBe(400);
    expect(body).toContain('value="Kept &lt;as&gt; typed"');
    expect(visibleText(body)).toContain('Failed to create schedule');
    expect(body).toContain('id="schedule-ramp-start-error"');
    expect(await storedOf('Kept <as> typed')).toEqual([]);
    const again = await client.post(NEW, { ...sent, 'ramp.start': '' });
    expect(visibleText(again.body)).toContain('The end date must not be before the start date');
  });

  it('saves once however often it is sent', async () => {
    const client = await web.user({ trial: true });
    const form = scheduleForm({ name: 'Pressed twice', saveKey: 'one press' });
    const answers = await Promise.all([client.post(NEW, form), client.post(NEW, form)]);
    expect(new Set(answers.map(({ location }) => location)).size).toBe(1);
    expect(await storedOf('Pressed twice')).toHaveLength(1);
  });

  it('shows a preview and saves nothing', async () => {
    const client = await web.user({ trial: true });
    const form = scheduleForm({
      name: 'Looked at',
      times: '02:30',
      timeZone: 'Europe/Berlin',
      startDate: '2026-03-28',
    });
    const { status, body } = await client.post(NEW, { ...form, step: 'preview' });
    expect(status).toBe(200);
    expect(visibleText(body)).toMatch(/Sun 29 Mar 2026\s+03:30\s*the clock skips 02:30/);
    expect(await storedOf('Looked at')).toEqual([]);
  });

  it('has a day of the month, shown in its preview, on its page and in the edit form', async () => {
    const client = await web.user({ trial: true });
    const form = scheduleForm({
      name: 'By the month',
      'frequency.kind': 'monthly',
      'frequency.day': '',
      startDate: '2027-01-30',
    });
    const refused = await client.post(NEW, form);
    expect(refused.status).toBe(400);
    expect(refused.body).toContain('id="schedule-frequency-day-error"');
    const chosen = { ...form, 'frequency.day': '30' };
    const preview = visibleText((await client.post(NEW, { ...chosen, step: 'preview' })).body);
    expect(preview).toMatch(/Sat 30 Jan 2027.*Sun 28 Feb 2027.*Tue 30 Mar 2027/);
    const id = await makeSchedule(client, chosen);
    const page = await client.get(`/dashboard/schedule/${id}`);
    expect(visibleText(page.body)).toContain('Every month on the 30th (the last day of shorter months) at ');
    const edit = await client.get(`/dashboard/schedule/${id}/edit`);
    expect(fieldValue(edit.body, 'frequency.day')).toBe('30');
    expect(await storedOf('By the month')).toMatchObject([{ frequency: { kind: 'monthly', day: 30 } }]);
  });

  it('counts from the last dose, whatever times and first day the form still holds', async () => {
    const client = await web.user({ trial: true });
    const form = scheduleForm({
      name: 'From the last',
      'frequency.kind': 'after-last',
      'frequency.everyHours': '0',
      firstDueAt: '2099-01-30T06:30',
      timeZone: 'Europe/Berlin',
    });
    const refused = await client.post(NEW, form);
    expect(refused.status).toBe(400);
    expect(refused.body).toContain('id="schedule-frequency-everyHours-error"');
    const chosen = { ...form, 'frequency.everyHours': '12' };
    const preview = visibleText((await client.post(NEW, { ...chosen, step: 'preview' })).body);
    expect(preview).toContain(
      '12 hours after the last dose, 250 mcg, assuming you take each one when it is due',
    );
    expect(preview).toMatch(/Fri 30 Jan 2099 06:30.*Fri 30 Jan 2099 18:30.*Sat 31 Jan 2099 06:30/);
    const id = await makeSchedule(client, chosen);
    const page = visibleText((await client.get(`/dashboard/schedule/${id}`)).body);
    expect(page).toContain('12 hours after the last dose');
    expect(page).toMatch(/First dose due 30 Jan 2099,? 06:30/);
    const edit = await client.get(`/dashboard/schedule/${id}/edit`);
    expect(edit.body).toContain('value="2099-01-30T06:30"');
    expect(await storedOf('From the last')).toMatchObject([
      { frequency: { kind: 'after-last', everyHours: 12 }, times: [], startDate: '2099-01-30' },
    ]);
    expect((await client.get(`/dashboard/schedule/${id}/template`)).status).toBe(200);
    expect((await client.get('/dashboard/schedule/travel?zone=Asia/Tokyo')).body).not.toContain(
      'From the last',
    );
  });

  it('plans nothing when taken as needed; Today logs one dose per press, and asks before the next', async () => {
    const client = await web.user({ trial: true });
    const form = scheduleForm({
      name: 'When it hurts',
      'frequency.kind': 'as-needed',
      'frequency.minGapHours': 'x',
      'frequency.maxPerDay': '3',
      times: '25:00',
    });
    const refused = await client.post(NEW, form);
    expect(refused.status).toBe(400);
    expect(refused.body).toContain('id="schedule-frequency-minGapHours-error"');
    const chosen = { ...form, 'frequency.minGapHours': '4', startDate: '' };
    const preview = visibleText((await client.post(NEW, { ...chosen, step: 'preview' })).body);
    expect(preview).toContain(
      'As needed, at least 4 hours apart, at most 3 a day, 250 mcg, no planned doses',
    );
    const id = await makeSchedule(client, chosen);
    expect(visibleText((await client.get(`/dashboard/schedule/${id}`)).body)).toContain(
      'Doses aren’t planned.',
    );
    const edit = await client.get(`/dashboard/schedule/${id}/edit`);
    expect(edit.body).toMatch(
      /name="frequency.minGapHours"[^>]*value="4"|value="4"[^>]*name="frequency.minGapHours"/,
    );
    const today = async () => (await client.get('/dashboard/schedule')).body;
    const first = await today();
    expect(visibleText(first)).toContain('Not taken yet · 0 of 3 today');
    const idempotencyKey = /name="idempotencyKey" value="([^"]+)"/.exec(first)?.[1] ?? '';
    const at = `/dashboard/schedule/${id}/take`;
    const press = () => client.post(at, { from: 'today', idempotencyKey });
    const pressed = await Promise.all([press(), press()]);
    expect(pressed.map(({ location }) => location)).toEqual(['/dashboard/schedule', '/dashboard/schedule']);
    const mine = async () =>
      (await storedIn(web.dataDir, 'doses')).filter((row) => row['scheduleId'] === id).length;
    expect(await mine()).toBe(1);
    expect(visibleText(await today())).toMatch(/Last taken just now, next from .*1 of 3 today/);
    const asked = await client.post(at, { from: 'today', idempotencyKey: 'another press' });
    expect(asked.location).toBe(`${at}?ask=1`);
    const page = (await client.get(asked.location ?? '')).body;
    expect(visibleText(page)).toContain('Your schedule leaves at least 4 hours between doses');
    expect(await mine()).toBe(1);
    const answered = await client.post(at, { idempotencyKey: 'another press', confirmed: 'TOO_SOON' });
    expect(answered.location).toBe('/dashboard/schedule');
    expect(await mine()).toBe(2);
  });

  it('of a single dose also ends on its day', async () => {
    const client = await web.user({ trial: true });
    const id = await makeSchedule(client, { 'frequency.kind': 'once', startDate: '2099-03-08' });
    const page = visibleText((await client.get(`/dashboard/schedule/${id}`)).body);
    expect(page).toMatch(/First day Sun 8 Mar 2099 Last day Sun 8 Mar 2099/);
  });

  it('is prefilled from one’s own template or vial', async () => {
    const [client, other] = [await web.user({ trial: true }), await web.user({ trial: true })];
    expect((await client.get(`${NEW}?template=tirzepatide`)).body).toContain('value="Tirzepatide"');
    expect((await client.get(`${NEW}?template=tmpl_none`)).status).toBe(404);
    expect((await other.get(`${NEW}?vial=vial_none`)).status).toBe(404);
  });

  it('changes a schedule, and removes fields that are left empty', async () => {
    const client = await web.user({ trial: true });
    const id = await makeSchedule(client, { name: 'Before', endDate: '2099-01-01', notes: 'gone soon' });
    const edit = `/dashboard/schedule/${id}/edit`;
    expect((await client.get(edit)).body).toContain('value="2099-01-01"');
    expect((await client.post(edit, scheduleForm({ name: 'After' }))).status).toBe(302);
    expect(await storedOf('After')).toMatchObject([{ endDate: null, notes: null }]);
    const refused = await client.post(edit, scheduleForm({ times: '25:00' }));
    expect(refused.status).toBe(400);
    expect(visibleText(refused.body)).toContain('Failed to update schedule');
  });
});

describe('moving a dose without scripts', () => {
  const DAY = 86_400_000;
  const day = (after: number) => new Date(Date.now() + after * DAY).toISOString().slice(0, 10);

  /** A daily plan from tomorrow on. @returns the address of its first dose, and that dose as it is stored */
  async function planned(name: string) {
    const client = await web.user({ trial: true });
    const times = { times: '08:00', timeZone: 'UTC', startDate: day(1) };
    const scheduleId = await makeSchedule(client, scheduleForm({ name, ...times }));
    const stored = async () =>
      (await storedIn(web.dataDir, 'doses'))
        .filter((row) => row['scheduleId'] === scheduleId)
        .map((row) => ({
          ...row,
          id: String(row._id),
          due: (row['dueDate'] as Date).toISOString().slice(0, 16),
        }))
        .sort((a, b) => (a.due < b.due ? -1 : 1));
    const [first] = await stored();
    return { client, scheduleId, stored, id: first?.id ?? '', at: `/dashboard/schedule/doses/${first?.id}` };
  }

  it('shows what moves before it moves, then the history, and undo puts it back', async () => {
    const { client, scheduleId, stored, at, id } = await planned('Moved by form');
    const before = await stored();
    const page = await client.get(at);
    expect(page.body).toContain(`href="${at}/move"`);
    expectSound(await client.get(`${at}/move`), `${at}/move`);
    const dueDate = `${day(1)}T09:30`;
    const preview = await client.get(`${at}/move?dueDate=${dueDate}&scope=following`);
    expectSound(preview, 'the preview of a move');
    expect(visibleText(preview.body)).toMatch(
      /08:00.*09:30.*All later doses of this schedule move by the same amount/,
    );
    expect((await stored()).map(({ due }) => due)).toEqual(before.map(({ due }) => due));
    const moved = await client.post(`${at}/move`, { dueDate, scope: 'following' });
    expect(moved.location).toBe(at);
    const after = new Map((await stored()).map((dose) => [dose.id, dose.due]));
    for (const dose of before) expect(after.get(dose.id)).toBe(dose.due.replace('08:00', '09:30'));
    expect(visibleText((await client.get(at)).body)).toMatch(/moved from .*, 08:00.*History Moved on/s);
    const schedule = visibleText((await client.get(`/dashboard/schedule/${scheduleId}`)).body);
    expect(schedule).toContain('1 h 30 min later');
    expect(
      visibleText((await client.get('/dashboard/schedule/calendar?view=week&on=' + day(1))).body),
    ).toContain('09:30');
    await client.post(at, { intent: 'undo' });
    expect((await stored()).map((dose) => [dose.id, dose.due])).toEqual(
      before.map((dose) => [dose.id, dose.due]),
    );
    expect((await client.get(at)).body).toContain(id);
  });

  it('says at the field what is wrong with a time', async () => {
    const { client, at } = await planned('Moved wrongly');
    const refused = [`${day(-2)}T08:00`, `${day(50)}T08:00`, `${day(2)}T08:00`, 'never'];
    for (const dueDate of refused) {
      const page = await client.get(`${at}/move?dueDate=${dueDate}`);
      expect([page.status, page.body.includes('id="dueDate-error"')], dueDate).toEqual([400, true]);
      expectSound(page, dueDate);
      expect((await client.post(`${at}/move`, { dueDate, scope: 'this' })).status).toBe(400);
    }
    await client.post(at, { intent: 'skipped' });
    const over = await client.get(`${at}/move`);
    expect(visibleText(over.body)).toContain('Only a dose that is not logged yet can be moved.');
    expectSound(over, 'a dose that is over');
    expect(over.body).not.toContain('name="dueDate"');
  });

  it('takes it tomorrow from the link of a reminder, which a wrong time does not use up', async () => {
    const { client, stored, id } = await planned('Moved by link');
    const token = randomBytes(32).toString('base64url');
    const secret = {
      _id: createHash('sha256').update(token).digest('base64url'),
      userId: await userIdOf(web.dataDir, client.email),
      purpose: 'act-on-dose',
      createdAt: new Date(),
      expiresAt: new Date(Date.now() + DAY),
      failures: 0,
      facts: { doseId: id },
    };
    await addStored(web.dataDir, 'one_time_secrets', [secret]);
    const visitor = web.visitor();
    const page = await visitor.get(`/act/${token}`);
    expect(page.body).toMatch(/name="dueDate"/);
    expectSound(page, 'the page behind a link');
    const wrong = await visitor.post(`/act/${token}`, { action: 'move', dueDate: `${day(-1)}T09:00` });
    expect([wrong.status, visibleText(wrong.body)]).toEqual([
      400,
      expect.stringContaining('Choose a time in the future'),
    ]);
    const moved = await visitor.post(`/act/${token}`, { action: 'move', dueDate: `${day(3)}T09:00` });
    expect(moved.location).toBe('/act/done?did=move');
    expect((await stored()).find((dose) => dose.id === id)?.due).toBe(`${day(3)}T09:00`);
    expect((await visitor.get(`/act/${token}`)).status).toBe(404);
  });
});

describe('a pause with dates', () => {
  it('is planned, changed and removed without scripts, and shown with the schedule', async () => {
    const client = await web.user({ trial: true });
    const id = await makeSchedule(client, { name: 'Away in May', startDate: daysFromNow(0) });
    const path = `/dashboard/schedule/${id}/pauses`;
    const [first, last] = [daysFromNow(0), daysFromNow(6)];
    const refused = await client.post(path, { firstDay: last, lastDay: first });
    expectSound(refused, path);
    expect(refused.status).toBe(400);
    expect(visibleText(refused.body)).toContain('The last day must not be before the first day');
    expect(refused.body).toContain(`value="${last}"`);
    const saved = await client.post(path, { firstDay: first, lastDay: last });
    expect(saved).toMatchObject({ status: 302, location: `/dashboard/schedule/${id}` });
    for (const at of [`/dashboard/schedule/${id}`, '/dashboard/schedule/all', '/dashboard/schedule'])
      expect(visibleText((await client.get(at)).body)).toMatch(/paused until/i);
    expect(visibleText((await client.get('/dashboard/schedule/calendar')).body)).toContain(
      'Paused: Away in May',
    );
    const changing = await client.get(`${path}?pause=${first}`);
    expect(changing.body).toContain(`value="${last}"`);
    await client.post(path, { pause: first, firstDay: first, lastDay: daysFromNow(8) });
    expect((await storedOf('Away in May'))[0]).toMatchObject({
      pauses: [{ firstDay: first, lastDay: daysFromNow(8) }],
    });
    const preview = await client.post(`/dashboard/schedule/${id}/edit`, {
      ...scheduleForm({ name: 'Away in May', startDate: daysFromNow(0) }),
      step: 'preview',
    });
    expect(visibleText(preview.body)).toMatch(/paused \d+ \w+ \d+ – /);
    await client.post(path, { pause: first, intent: 'end' });
    expect((await storedOf('Away in May'))[0]).toMatchObject({ pauses: [] });
  });
});

describe('a schedule that ends with its vial', () => {
  it('is chosen in the form, shows when it ends, and stops with the vial', async () => {
    const client = await web.user({ trial: true });
    const vial = { name: 'Ends with it', totalAmount: '5', idempotencyKey: '' };
    const vialId = (await client.post('/dashboard/vials/new', vial)).location?.split('/').at(-1) ?? '';
    const form = {
      ...scheduleForm({ name: 'Ends with it', startDate: daysFromNow(1), compoundId: vialId }),
      endsWithVial: 'true',
    };
    const fresh = await client.get(`/dashboard/schedule/new?vial=${vialId}`);
    expect(fresh.body).toMatch(/name="endsWithVial"/);
    expectSound(fresh, 'the new form');
    const without = await client.post('/dashboard/schedule/new', { ...form, compoundId: '' });
    expect(without.status).toBe(400);
    expect(visibleText(without.body)).toContain('Choose the vial that the schedule ends with');
    const preview = await client.post('/dashboard/schedule/new', { ...form, step: 'preview' });
    expect(visibleText(preview.body)).toMatch(/ends with the vial, about \d+ \w+ \d+/);
    await client.post('/dashboard/schedule/new', form);
    const [row] = await storedOf('Ends with it');
    const path = `/dashboard/schedule/${String(row?.['_id'])}`;
    expect(visibleText((await client.get(path)).body)).toMatch(/Ends with the vial, about \d+ \w+ \d+/);
    expect((await client.get(`${path}/edit`)).body).toMatch(/name="endsWithVial"[^>]*checked/);
    await client.post(`/dashboard/vials/${vialId}/discard`, {});
    const stopped = await client.get(path);
    expect(visibleText(stopped.body)).toContain('the vial this schedule ends with is used up');
    expect(visibleText((await client.get('/dashboard/schedule/all')).body)).toContain('Ended');
    expect(visibleText(stopped.body)).toMatch(/Ended with its vial on \d+ \w+ \d+/);
    expect(stopped.body).toContain('/again');
  });
});

describe('another compound, vial or dose from a day on', () => {
  it('shows what changes, asks about an unusual amount, saves, and can be undone', async () => {
    const client = await web.user({ trial: true });
    const id = await makeSchedule(client, { name: 'Swapped later', startDate: daysFromNow(0) });
    const path = `/dashboard/schedule/${id}/swap`;
    expect((await client.get(path)).status).toBe(200);
    const refused = await client.get(`${path}?fromDay=${daysFromNow(-2)}&name=Other`);
    expect(refused.status).toBe(400);
    expectSound(refused, path);
    expect(visibleText(refused.body)).toContain('Choose today or a later day');
    expect(fieldValue((await client.get(path)).body, 'compoundId')).toBe('same');
    const fields = { fromDay: daysFromNow(2), name: '', compoundId: 'same', doseAmount: '2500' };
    const shown = await client.get(`${path}?${new URLSearchParams(fields).toString()}`);
    expect(visibleText(shown.body)).toMatch(/Swapped later, 250 mcg\s*Swapped later, 2,500 mcg/);
    const asked = await client.post(`${path}?${new URLSearchParams(fields).toString()}`, fields);
    expect(asked.status).toBe(409);
    expect(visibleText(asked.body)).toContain('10 × your planned 250 mcg');
    expect(asked.body).toContain('Save it anyway');
    expect((await storedOf('Swapped later'))[0]?.['swaps']).toBeUndefined();
    const saved = await client.post(path, { ...fields, confirm: 'yes' });
    expect(saved).toMatchObject({ status: 302, location: `/dashboard/schedule/${id}` });
    expect(visibleText((await client.get(`/dashboard/schedule/${id}`)).body)).toMatch(
      /from \d+ \w+ \d+ Swapped later, 2,500 mcg/,
    );
    const [row] = await storedOf('Swapped later');
    const [swap] = row?.['swaps'] as { id: string }[];
    await client.post(path, { intent: 'undo', swap: swap?.id ?? '' });
    expect((await storedOf('Swapped later'))[0]).toMatchObject({ swaps: [] });
  });
});

describe('restarting a schedule', () => {
  it('is offered once it has ended, shows a preview first, and creates it once', async () => {
    const client = await web.user({ trial: true });
    const id = await makeSchedule(client, { name: 'Over by now', endDate: '2026-03-10' });
    const running = await makeSchedule(client, { name: 'Still running' });
    expect((await client.get(`/dashboard/schedule/${running}`)).body).not.toContain('/again');
    expect(visibleText((await client.get(`/dashboard/schedule/${running}/again`)).body)).toContain(
      'still running',
    );
    expect((await client.get(`/dashboard/schedule/${id}`)).body).toContain(`/dashboard/schedule/${id}/again`);
    const path = `/dashboard/schedule/${id}/again`;
    const startDate = daysFromNow(1);
    const shown = await client.get(`${path}?startDate=${startDate}`);
    expect(visibleText(shown.body)).toContain('The new schedule');
    const form = { startDate, saveKey: 'one press', confirm: 'yes' };
    const [one, two] = [await client.post(path, form), await client.post(path, form)];
    expect(one.status).toBe(302);
    expect(two.location).toBe(one.location);
    const made = (await storedOf('Over by now')).map((row) => [row['startDate'], row['endDate']]).sort();
    expect(made).toEqual([
      ['2026-03-01', '2026-03-10'],
      [startDate, daysFromNow(10)],
    ]);
  });
});
