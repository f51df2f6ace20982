import { beforeAll, describe, expect, it } from 'vitest';
import { logDose, takeDose } from '#app/features/doses/doses.server.ts';
import { createSchedule } from '#app/features/schedules/schedules.server.ts';
import { addVial } from '#app/features/vials/vials.server.ts';
import { DOSE_WARNINGS } from '#app/domain/doses/dose-warnings.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { updateNotificationChoices } from '#app/platform/mail/notification-choices.server.ts';
import { spawnCli } from '#tests/support/cli.ts';
import { asSomeone } from '#tests/support/someone.ts';
import { visibleText } from '#tests/support/html.ts';
import type { WebClient } from './web-client.ts';
import { useWeb } from './web.ts';
import { reposOf } from '#tests/support/repositories.ts';

/** Wherever a dose of a blend is shown, each component's amount and the dosed component are shown too. */
const web = useWeb();

const PLANNED = 'BPC-157 250 mcg + TB-500 500 mcg';
/** Logged on its own: 1 mg of the first component. */
const LOGGED = 'BPC-157 1,000 mcg + TB-500 2,000 mcg';
const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);

let client: WebClient & { email: string };
const made = { vial: '', schedule: '', pending: '', taken: '' };

async function live(ctx: Ctx): Promise<void> {
  // Otherwise the worker would mark yesterday's dose as missed during the tests.
  await updateNotificationChoices(ctx, { missedAfterHours: 168 });
  const confirmed = [...DOSE_WARNINGS];
  const vial = await addVial(ctx, {
    name: 'Wolverine',
    components: 'BPC-157:5;TB-500:10',
    waterMl: '2',
    reconstitutionDate: day(-3),
  });
  const schedule = await createSchedule(ctx, {
    ...{ name: 'Wolverine', compoundId: vial.id, doseOf: 'TB-500', doseAmount: '500', doseUnit: 'mcg' },
    ...{ frequency: { kind: 'daily' }, times: ['00:00'], timeZone: 'UTC', startDate: day(-2) },
    confirm: true,
  });
  const doses = await reposOf(ctx).doses.list(vial.userId, { scheduleId: schedule.id });
  // Those of the days before it was made.
  const [first, second] = doses;
  await takeDose(ctx, first?.id ?? '', { confirmed });
  await logDose(ctx, {
    ...{ name: 'Wolverine', actualDose: '1000', doseUnit: 'mcg', doseOf: 'BPC-157', confirmed },
    takenAt: new Date(Date.now() - 3_600_000).toISOString(),
  });
  Object.assign(made, { vial: vial.id, schedule: schedule.id, taken: first?.id, pending: second?.id });
}

beforeAll(async () => {
  client = await web.user({ trial: true });
  await asSomeone(web.dataDir, client.email, live);
});

const textOf = async (path: string) => {
  const { status, body } = await client.get(path);
  expect(status, path).toBe(200);
  return visibleText(body);
};

describe('every page that shows a dose of a blend names each component', () => {
  it.each([
    ['today', () => '/dashboard/schedule'],
    ['a dose that is due', () => `/dashboard/schedule/doses/${made.pending}`],
    ['a dose that was taken', () => `/dashboard/schedule/doses/${made.taken}`],
    ['moving one', () => `/dashboard/schedule/doses/${made.pending}/move`],
    ['the schedules', () => '/dashboard/schedule/all'],
    ['a schedule', () => `/dashboard/schedule/${made.schedule}`],
    ['past doses', () => '/dashboard/schedule/backfill'],
    [
      'another dose, before it is saved',
      () => `/dashboard/schedule/${made.schedule}/swap?fromDay=${day(1)}&doseAmount=1000`,
    ],
    ['the calendar', () => `/dashboard/schedule/calendar?view=week&on=${day(-1)}`],
    ['the report', () => `/dashboard/analytics/report/print?start=${day(-9)}&end=${day(0)}`],
  ])('%s', async (_what, path) => {
    expect(await textOf(path())).toContain(PLANNED);
  });

  it('even for a dose logged without a plan, on the pages that list it', async () => {
    for (const path of [
      '/dashboard/schedule',
      `/dashboard/analytics/report/print?start=${day(-9)}&end=${day(0)}`,
    ])
      expect(await textOf(path)).toContain(LOGGED);
  });

  it('asks for the dose of its component, and lists what is left of each', async () => {
    const page = await textOf(`/dashboard/schedule/doses/${made.pending}`);
    expect(page).toContain('Dose taken (TB-500)');
    expect(page).toContain('Wolverine, BPC-157 3.75 mg + TB-500 7.5 mg left');
    expect(await textOf('/dashboard/schedule/new')).toContain(
      'Wolverine, BPC-157 3.75 of 5 mg + TB-500 7.5 of 10 mg left',
    );
    expect(await textOf(`/dashboard/schedule/doses/${made.taken}`)).toContain(
      'Drawn: BPC-157 0.25 mg + TB-500 0.5 mg',
    );
  });

  it('shows the components of a plan before it is saved', async () => {
    const { status, body } = await client.post('/dashboard/schedule/new', {
      ...{ name: 'Wolverine', doseAmount: '250', doseUnit: 'mcg', 'frequency.kind': 'daily' },
      ...{ times: '08:00', timeZone: 'UTC', startDate: day(1), step: 'preview' },
    });
    expect(status).toBe(200);
    expect(visibleText(body)).toContain('BPC-157 250 mcg + TB-500 500 mcg');
  });
});

describe('which component a dose is of', () => {
  const PLAN = {
    ...{ name: 'Wolverine', doseAmount: '500', doseUnit: 'mcg', 'frequency.kind': 'daily', times: '08:00' },
    ...{ timeZone: 'UTC', startDate: day(1), step: 'save' },
  };
  const optionsOf = (body: string) =>
    [
      ...(/name="doseOf"[^>]*>(.*?)<\/select>/s.exec(body)?.[1] ?? '').matchAll(
        /value="([^"]*)"( selected="")?/g,
      ),
    ].map(([, value = '', selected]) => (selected && value !== '' ? `${value} (chosen)` : value));

  it('is chosen in the schedule form, kept by an edit, and refused if it is not in the vial', async () => {
    const form = (await client.get('/dashboard/schedule/new')).body;
    expect(optionsOf(form)).toEqual(['', 'BPC-157', 'TB-500']);
    const sent = { ...PLAN, compoundId: made.vial };
    const saved = await client.post('/dashboard/schedule/new', { ...sent, doseOf: 'TB-500' });
    expect(saved.status, visibleText(saved.body)).toBe(302);
    const path = saved.location ?? '';
    expect(await textOf(path)).toContain('BPC-157 250 mcg + TB-500 500 mcg');
    const edit = (await client.get(`${path}/edit`)).body;
    expect(optionsOf(edit)).toEqual(['', 'BPC-157', 'TB-500 (chosen)']);
    const changed = await client.post(`${path}/edit`, { ...sent, doseOf: 'BPC-157', doseAmount: '400' });
    expect(changed.status, visibleText(changed.body)).toBe(302);
    expect(await textOf(path)).toContain('BPC-157 400 mcg + TB-500 800 mcg');
    const previewed = await client.post(`${path}/edit`, { ...sent, doseOf: 'TB-500', step: 'preview' });
    expect(visibleText(previewed.body)).toContain('Every day at 08:00, BPC-157 250 mcg + TB-500 500 mcg');
    const refused = await client.post(`${path}/edit`, { ...sent, doseOf: 'KPV' });
    expect(refused.status).toBe(400);
    expect(visibleText(refused.body)).toContain('Choose the component that the dose is for: BPC-157, TB-500');
    // Another name without a vial is another stock: what the old one held is not drawn for it.
    const renamed = await client.post(`${path}/edit`, { ...PLAN, name: 'Ipamorelin', doseOf: '' });
    expect(renamed.status, visibleText(renamed.body)).toBe(302);
    expect(await textOf(path)).not.toContain('TB-500');
    await client.post(`${path}/delete`, {});
  });

  it('is chosen for a dose without a plan, on both forms that log one', async () => {
    const dose = { name: 'Wolverine', doseUnit: 'mcg', doseOf: 'TB-500', compoundId: made.vial };
    expect(optionsOf((await client.get('/dashboard/schedule/log')).body)).toEqual(['', 'BPC-157', 'TB-500']);
    const wrong = await client.post('/dashboard/schedule/log', { ...dose, actualDose: '250', doseOf: 'KPV' });
    expect(wrong.status).toBe(400);
    expect(wrong.body).toContain('id="log-doseOf-error"');
    const site = {
      site: 'deltoid-left',
      record: 'dose',
      takenAt: `${day(-2)}T08:00`,
      confirmed: [...DOSE_WARNINGS],
    };
    const logged = await client.post('/dashboard/tracking', { ...dose, ...site, dose: '240' });
    expect(logged.status, visibleText(logged.body)).toBe(302);
    const report = await textOf(`/dashboard/analytics/report/print?start=${day(-9)}&end=${day(0)}`);
    // Once as a dose, once with its site.
    expect(report.split('BPC-157 120 mcg + TB-500 240 mcg')).toHaveLength(3);
    expect(await textOf('/dashboard/tracking')).toContain('WolverineBPC-157 120 mcg + TB-500 240 mcg');
  });
});

describe('figures of one component', () => {
  it('a report about a component includes blends that contain it, with their vials and sites', async () => {
    const period = `start=${day(-9)}&end=${day(0)}`;
    const about = (compound: string) =>
      textOf(`/dashboard/analytics/report/print?${period}&compound=${compound}`);
    const report = await about('TB-500');
    for (const text of [PLANNED, 'BPC-157 120 mcg + TB-500 240 mcg', 'TB-500 5 mg/ml'])
      expect(report).toContain(text);
    expect(await about('KPV')).not.toContain('TB-500');
  });

  it('analytics offer each component, and draw its level but none for the blend', async () => {
    const page = await textOf('/dashboard/analytics?period=30');
    for (const name of ['BPC-157', 'TB-500']) expect(page).toContain(`Relative level, ${name}`);
    const { body } = await client.get('/dashboard/analytics?period=30&compound=TB-500');
    expect(body).toContain('<option value="BPC-157"');
    expect(visibleText(body)).toContain('Relative level, TB-500');
    const blend = await textOf('/dashboard/analytics?period=30&compound=Wolverine');
    for (const name of ['BPC-157', 'TB-500']) expect(blend).toContain(`Relative level, ${name}`);
    expect(blend).not.toContain('Relative level, Wolverine');
  });
});

describe('outside the pages', () => {
  it('the API’s day document names each component', async () => {
    const { body } = await client.get('/api/today');
    expect(JSON.parse(body)).toMatchObject({ data: { doses: [{ name: 'Wolverine', amount: PLANNED }] } });
  });

  it('so does the terminal', async () => {
    const run = async (...args: string[]) => {
      const { stdout } = await spawnCli([...args, '--user', client.email], {
        env: { DATA_DIR: web.dataDir },
      });
      return stdout;
    };
    expect(await run('due')).toContain(`Wolverine, ${PLANNED}`);
    expect(await run('schedule', 'list')).toContain(`Wolverine, Every day at 00:00, ${PLANNED}`);
    const swap = ['schedule', 'swap', made.schedule, '--from', day(1), '--dose', '1 mg', '--dry-run'];
    expect(await run(...swap)).toContain(
      `Wolverine, ${PLANNED}  ->  Wolverine, BPC-157 500 mcg + TB-500 1,000 mcg`,
    );
    const logged = await run('log', '--dose', made.pending, '--confirm');
    expect(logged).toContain(`Wolverine ${PLANNED}`);
    expect(await run('log', '--undo', made.pending)).toContain('Wolverine is pending again');
  });
});
