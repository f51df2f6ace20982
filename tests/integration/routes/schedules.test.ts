import { describe, expect, it } from 'vitest';
import { visibleText } from './html.ts';
import { makeSchedule, scheduleForm } from './owned/schedules.ts';
import { storedIn } from './stored.ts';
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

  it('has a day of the month, which its preview, its page and the form for changing it show', async () => {
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
    expect(edit.body).toMatch(/<option[^>]*value="30"[^>]*selected/);
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
      '12 hours after the last dose, 250 mcg, shown as if each is taken when it is due',
    );
    expect(preview).toMatch(/Fri 30 Jan 2099 06:30.*Fri 30 Jan 2099 18:30.*Sat 31 Jan 2099 06:30/);
    const id = await makeSchedule(client, chosen);
    const page = visibleText((await client.get(`/dashboard/schedule/${id}`)).body);
    expect(page).toContain('12 hours after the last dose');
    expect(page).toMatch(/First one due 30 Jan 2099,? 06:30/);
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

  it('of a single dose has its day as the last one, too', async () => {
    const client = await web.user({ trial: true });
    const id = await makeSchedule(client, { 'frequency.kind': 'once', startDate: '2099-03-08' });
    const page = visibleText((await client.get(`/dashboard/schedule/${id}`)).body);
    expect(page).toMatch(/First day Sun 8 Mar 2099 Last day Sun 8 Mar 2099/);
  });

  it('begins with what a template or a vial says, of one’s own', async () => {
    const [client, other] = [await web.user({ trial: true }), await web.user({ trial: true })];
    expect((await client.get(`${NEW}?template=tirzepatide`)).body).toContain('value="Tirzepatide"');
    expect((await client.get(`${NEW}?template=tmpl_none`)).status).toBe(404);
    expect((await other.get(`${NEW}?vial=vial_none`)).status).toBe(404);
  });

  it('changes a schedule, and takes out what is left empty', async () => {
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
