import { describe, expect, it } from 'vitest';
import { elements, screenOf, visibleText } from '#tests/support/html.ts';
import type { WebClient } from './web-client.ts';
import { useWeb } from './web.ts';

/** The water for several doses, as a browser without scripts gets it. */
const web = useWeb();

const query = (doses: readonly string[], more: Record<string, string> = {}) =>
  new URLSearchParams([
    ...Object.entries({ peptideAmount: '30', ...more }),
    ...doses.map((dose): [string, string] => ['dose', dose]),
  ]).toString();

const SIX = ['2.5', '5', '7.5', '10', '12.5', '15'];

const links = (html: string, name: string) =>
  screenOf(html)
    .queryAllByRole('link', { name })
    .map((link) => link.getAttribute('href') ?? '');

describe('the page for the water of several doses', () => {
  it('shows at most three amounts, each with the mark of every dose', async () => {
    const { status, body } = await web.visitor().get(`/calculator/ladder?${query(SIX, { capacityMl: '3' })}`);
    expect(status).toBe(200);
    const screen = screenOf(body);
    expect(screen.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent)).toEqual([
      '1.8 ml of water',
      '1.2 ml of water',
      '0.6 ml of water',
    ]);
    expect(visibleText(body)).toContain('Every dose is on a printed mark of the syringe.');
    const [best] = screen.getAllByRole('table');
    const rows = [...(best?.querySelectorAll('tbody tr') ?? [])];
    expect(rows.map((row) => row.querySelector('td')?.textContent)).toEqual([
      '15 units0.150 ml',
      '30 units0.300 ml',
      '45 units0.450 ml',
      '60 units0.600 ml',
      '75 units0.750 ml',
      '90 units0.900 ml',
    ]);
    expect(screen.getAllByRole('cell', { name: 'exact' })).toHaveLength(18);
    expect(links(body, 'Make this the plan')).toEqual([]);
  });

  it('leads to the calculator with the water and the first dose', async () => {
    const visitor = web.visitor();
    const { body } = await visitor.get(`/calculator/ladder?${query(SIX)}`);
    const [use = ''] = links(body, 'Use this water');
    const result = await visitor.get(use);
    expect(result.status).toBe(200);
    expect(visibleText(result.body)).toContain('30 mg + 1.8 ml = 16.67 mg/ml; 2.5 mg = 0.150 ml (15 units)');
  });

  it('says when no water fits, and how far off the least is', async () => {
    const address = `/calculator/ladder?${query(['0.31', '1.13'], { peptideAmount: '7', capacityMl: '1' })}`;
    const text = visibleText((await web.visitor().get(address)).body);
    expect(text).toMatch(
      /No amount of water puts every dose on a printed mark\. The closest is at most [\d.]+% off\./,
    );
    expect(text).toMatch(/[\d.]+% (less|more)/);
  });

  it('takes IU, whose vial and plan stay in IU, and refuses doses in another measure', async () => {
    const client = await web.user({ trial: true });
    const path = '/dashboard/calculator/ladder';
    const ask = (doses: readonly string[]) =>
      client.get(`${path}?${query(doses, { peptideAmount: '5000 IU', capacityMl: '2' })}`);
    const { status, body } = await ask(['250', '500 IU']);
    expect(status).toBe(200);
    expect(screenOf(body).getAllByRole('heading', { level: 3 })[0]?.textContent).toBe('2 ml of water');
    const plan = links(body, 'Make this the plan')[0] ?? '';
    const page = await client.get(plan);
    expect(visibleText(page.body)).toContain('5,000 IU with 2 ml of water');
    const made = await client.post(plan, {
      ...{
        name: 'HCG',
        intent: 'plan',
        rhythm: 'weekly',
        everyWeeks: '1',
        time: '08:00',
        startDate: '2190-03-11',
      },
    });
    expect(made.status, visibleText(made.body)).toBe(302);
    expect(visibleText((await client.get(made.location ?? '')).body)).toContain('250 IU');
    expect(visibleText((await client.get('/dashboard/vials')).body)).toMatch(/5,000 ?IU/);
    const result = await client.get(links(body, 'Use this water')[0] ?? '');
    expect(visibleText(result.body)).toContain(
      '5000 IU + 2 ml = 2500.00 IU/ml; 250 IU = 0.100 ml (10 units)',
    );
    const refused = await ask(['250', '500 mcg']);
    expect([refused.status, elements(refused.body, '[aria-invalid=true]').map(({ id }) => id)]).toEqual([
      400,
      ['dose-2'],
    ]);
  });

  it('keeps what was typed and says what is wrong, at the field', async () => {
    const { status, body } = await web
      .visitor()
      .get(`/calculator/ladder?${query(['2.5', '', '31'], { capacityMl: '20', syringe: 'u40-1ml' })}`);
    expect(status).toBe(400);
    const screen = screenOf(body);
    const values = elements<HTMLInputElement>(body, 'input[name=dose]').map((input) => input.value);
    expect(values.slice(0, 3)).toEqual(['2.5', '31', '']);
    const wrong = elements(body, '[aria-invalid=true]').map(({ id }) => id);
    expect(wrong).toEqual(['dose-2', 'capacityMl']);
    expect(screen.getByRole('alert')).toBeDefined();
    expect(screen.queryAllByRole('table')).toEqual([]);
  });

  it('is an empty form without doses, and has room for twelve', async () => {
    const { status, body } = await web.visitor().get('/calculator/ladder?peptideAmount=30');
    expect(status).toBe(200);
    expect(elements(body, '[aria-invalid=true]')).toEqual([]);
    expect(elements(body, 'input[name=dose]')).toHaveLength(12);
    expect(elements<HTMLInputElement>(body, '#peptideAmount')[0]?.value).toBe('30');
  });

  it.each(['/calculator', '/dashboard/calculator'])(
    'is where %s leads with solveFor=ladder',
    async (path) => {
      const client = await web.user();
      const search = query(['2.5', '5'], { solveFor: 'ladder', syringe: 'u100-0.5ml', capacityMl: '2' });
      const { status, location } = await client.get(`${path}?${search}`);
      const to = new URL(location ?? '', 'http://localhost');
      expect([status, to.pathname]).toEqual([302, `${path}/ladder`]);
      expect([...to.searchParams]).toEqual([...new URLSearchParams(search)]);
      const page = await client.get(`${to.pathname}${to.search}`);
      expect(screenOf(page.body).getAllByRole('table')).toHaveLength(3);
      const [calculator] = links(
        (await client.get(`${path}?peptideAmount=30&syringe=u40-1ml`)).body,
        'Find water for several doses',
      );
      expect(calculator).toBe(`${path}/ladder?peptideAmount=30&syringe=u40-1ml`);
    },
  );
});

describe('the plan of a ladder', () => {
  const plan = (doses: readonly string[], more: Record<string, string> = {}) =>
    `/dashboard/calculator/plan?${query(doses, { waterVolume: '1.8', ...more })}`;
  const FORM = {
    ...{ intent: 'plan', name: 'Tirzepatide', rhythm: 'weekly', everyWeeks: '4' },
    ...{ startDate: '2027-01-04', time: '08:00', saveKey: 'once' },
  };
  type Listed = { data: Record<string, Record<string, unknown>[]> };
  const listed = async (client: WebClient, path: string) =>
    Object.values((JSON.parse((await client.get(path)).body) as Listed).data).find(Array.isArray) ?? [];

  it('is its vial and a schedule that goes through its doses, made once', async () => {
    const client = await web.user({ trial: true });
    const answer = await client.get(`/dashboard/calculator/ladder?${query(SIX)}`);
    const [address = ''] = links(answer.body, 'Make this the plan');
    expect((await client.get(address)).status).toBe(200);
    for (const _time of ['first', 'again']) {
      const { status, location } = await client.post(address, FORM);
      expect([status, location?.replace(/sched_.*/, '')]).toEqual([302, '/dashboard/schedule/']);
    }
    const [vial, ...vials] = await listed(client, '/api/compounds');
    const [schedule, ...schedules] = await listed(client, '/api/schedules');
    expect([vials, schedules]).toEqual([[], []]);
    expect(vial).toMatchObject({ name: 'Tirzepatide', totalAmount: 30, waterMl: 1.8 });
    expect(schedule).toMatchObject({
      ...{ name: 'Tirzepatide', compoundId: vial?.['id'], doseUnit: 'mg', times: ['08:00'] },
      ...{ frequency: { kind: 'interval', every: 7 }, startDate: '2027-01-04' },
      ramp: { start: 2.5, step: 2.5, everyWeeks: 4, target: 15 },
    });
  });

  it('is neither vial nor schedule while something is wrong or unusual, until it is confirmed', async () => {
    const client = await web.user({ trial: true });
    const wrong = await client.post(plan(SIX), { ...FORM, name: '', everyWeeks: '0' });
    expect(wrong.status).toBe(400);
    const ids = elements(wrong.body, '[aria-invalid=true]').map(({ id }) => id);
    expect(ids).toEqual(['ladder-plan-name', 'ladder-plan-everyWeeks']);
    expect(await listed(client, '/api/compounds')).toEqual([]);
    const ceiling = await client.request('/api/ceilings', {
      method: 'PUT',
      headers: { origin: web.url, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Tirzepatide', perDose: 5 }),
    });
    expect(ceiling.status).toBeLessThan(300);
    const asked = await client.post(plan(SIX), FORM);
    expect([asked.status, await listed(client, '/api/compounds')]).toEqual([409, []]);
    const confirmedAmount = elements<HTMLInputElement>(asked.body, '[name=confirmedAmount]')[0]?.value ?? '';
    expect((await client.post(plan(SIX), { ...FORM, confirmedAmount })).status).toBe(302);
    expect(await listed(client, '/api/schedules')).toHaveLength(1);
  });

  it('is only the vial for doses that no schedule goes through, and on the free plan', async () => {
    const uneven = plan(['2.5', '5', '10']);
    const client = await web.user({ trial: true });
    const page = await client.get(uneven);
    expect(visibleText(page.body)).toContain('do not change by the same amount each time');
    expect(screenOf(page.body).queryAllByRole('button', { name: 'Add vial and schedule' })).toEqual([]);
    expect((await client.post(uneven, FORM)).status).toBe(400);
    const added = await client.post(uneven, { intent: 'vial', name: 'Tirzepatide' });
    expect([added.status, added.location?.replace(/vial_.*/, '')]).toEqual([302, '/dashboard/vials/']);
    expect(await listed(client, '/api/schedules')).toEqual([]);
    const free = await web.user();
    expect(visibleText((await free.get(plan(SIX))).body)).toContain('The schedule is part of Pro.');
    expect((await free.post(plan(SIX), FORM)).status).toBe(403);
    expect(await listed(free, '/api/compounds')).toEqual([]);
    expect((await free.post(plan(SIX), { intent: 'vial', name: 'Tirzepatide' })).status).toBe(302);
    expect(await listed(free, '/api/compounds')).toHaveLength(1);
  });

  it.each([plan(SIX, { waterVolume: '11' }), plan(['31']), '/dashboard/calculator/plan'])(
    'is corrected on the page of the ladder: %s',
    async (address) => {
      const { status, location } = await (await web.user()).get(address);
      expect([status, location?.split('?')[0]]).toEqual([302, '/dashboard/calculator/ladder']);
    },
  );
});
