import { beforeAll, describe, expect, it } from 'vitest';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { logDose } from '#app/features/doses/doses.server.ts';
import { addMeasurement } from '#app/features/tracking/health/measurements.server.ts';
import { createSchedule } from '#app/features/schedules/schedules.server.ts';
import { addSideEffect } from '#app/features/tracking/side-effects/side-effects.server.ts';
import { addVial } from '#app/features/vials/vials.server.ts';
import { asSomeone } from '#tests/support/someone.ts';
import { visibleText } from '#tests/support/html.ts';
import type { Owner } from './owned/owned.ts';
import { useWeb } from './web.ts';

/** Decisions, sections 10 and 11: what somebody with weeks of data is answered, as a browser without scripts gets it. */
const web = useWeb();

const DAY = 86_400_000;
const ANALYTICS = '/dashboard/analytics';
const REPORT = `${ANALYTICS}/report`;

let owner: Owner & { email: string };
const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString();
const dayAgo = (days: number) => ago(days).slice(0, 10);

/** A dose every fourth day for twelve weeks, two headaches, a weight, a vial, a schedule. */
async function live(ctx: Ctx): Promise<void> {
  const confirmed = ['TOO_SOON', 'NO_OPEN_VIAL', 'OVER_DRAWN', 'PAST_DATE', 'NOT_RECONSTITUTED'] as const;
  await addVial(ctx, { name: 'BPC-157', amountMg: '5', cost: '29.90', currency: 'USD' });
  for (let days = 84; days > 1; days -= 4)
    await logDose(ctx, {
      name: 'BPC-157',
      actualDose: '0.25',
      doseUnit: 'mg',
      takenAt: ago(days),
      site: 'deltoid-left',
      confirmed: [...confirmed],
    });
  for (const days of [3, 4])
    await addSideEffect(ctx, { name: 'Headache', severity: 2, startedAt: ago(days) });
  await addMeasurement(ctx, { metric: 'weight', value: '80.5', measuredAt: ago(2) });
  await createSchedule(ctx, {
    name: 'BPC-157',
    doseAmount: '250',
    doseUnit: 'mcg',
    frequency: { kind: 'daily' },
    times: ['08:00'],
    // Nothing of it is due yet, whatever time of the day it is.
    startDate: dayAgo(-1),
  });
}

beforeAll(async () => {
  owner = await web.user({ trial: true });
  await asSomeone(web.dataDir, owner.email, live);
});

/** Each chart of the page: its heading and its markup. */
function charts(html: string): Map<string, string> {
  const figures = html.split(/<(?:section|figure)[^>]*class="chart-figure/).slice(1);
  return new Map(figures.map((one) => [visibleText(/<h2[\s\S]*?<\/h2>/.exec(one)?.[0] ?? ''), one]));
}

describe('the analytics page', () => {
  it('has every chart drawn by the server, with its summary, basis and data table', async () => {
    const found = charts((await owner.get(ANALYTICS)).body);
    expect([...found.keys()]).toEqual([
      'Doses by week',
      'Doses per day',
      'Adherence by compound',
      'Relative level, BPC-157',
      'Side effects against doses',
      'Weight, kg',
      'Site rotation',
      'How long stock lasts',
      'Spend, USD',
    ]);
    for (const [title, chart] of found) {
      expect(chart, title).toMatch(/<details[\s\S]*(?:Table and formula|Show as a table)[\s\S]*<table/);
      if (title !== 'Doses by week') expect(chart, title).toMatch(/Computed|Sum over|Adherence =/);
    }
  });

  it('calls levels an illustration, dashes the future, shows bands where sources disagree, and names its source', async () => {
    const level =
      charts((await owner.get(`${ANALYTICS}?period=90`)).body).get('Relative level, BPC-157') ?? '';
    expect(visibleText(level)).toContain('Estimate from 21 doses, not a blood level.');
    expect(visibleText(level)).toContain('Sources give different half-lives');
    expect(level).toMatch(/class="plot-dashed[^>]* d="M/);
    expect(level).toMatch(/class="plot-band[^>]* d="M/);
    expect(visibleText(level)).toContain('Half-life: 4–7 h');
    expect(visibleText(level)).toMatch(/values? in use by|tracker/i);
    expect(visibleText(level)).toContain('Peak: unknown');
    expect(visibleText(level)).toContain('Absorption unknown');
    expect(visibleText(level)).toContain('Not confirmed by a publication');
  });

  it('starts with a period that fits the compound, and keeps the chosen period and added doses in the address', async () => {
    const chosen = (html: string) =>
      visibleText(/<a[^>]*aria-current="true"[^>]*>[^<]*<\/a>/.exec(html)?.[0] ?? '');
    const level = async (search: string) =>
      charts((await owner.get(`${ANALYTICS}${search}`)).body).get('Relative level, BPC-157') ?? '';
    expect(chosen(await level(''))).toBe('14 days');
    expect(chosen(await level('?span=30'))).toBe('30 days');
    const whatIf = new URLSearchParams({
      span: '7',
      whatIf: 'BPC-157',
      whatIfAt: `${dayAgo(-2)}T08:00`,
      whatIfDose: '2 mg',
    });
    const added = await level(`?${whatIf.toString()}`);
    expect(visibleText(added)).toContain('2 mg');
    expect(visibleText(added)).toContain('With added doses');
    expect(added).toContain('plot-danger');
    whatIf.set('whatIfDose', 'a lot');
    const wrong = await level(`?${whatIf.toString()}`);
    expect(visibleText(wrong)).toContain('Enter the dose with its unit');
    expect(wrong).not.toContain('plot-danger');
  });

  it('shows how many days it compares on each side', async () => {
    const effects = charts((await owner.get(`${ANALYTICS}?period=30`)).body).get(
      'Side effects against doses',
    );
    const [, dosed = '', free = ''] =
      /\((?:n = )?(\d+) days?[^,;)]*[,;] (?:n = )?(\d+)/.exec(visibleText(effects ?? '')) ?? [];
    expect([Number(dosed) >= 5, Number(free) >= 5], visibleText(effects ?? '').slice(0, 400)).toEqual([
      true,
      true,
    ]);
  });

  it('keeps period and compound in the address, and falls back to the default for invalid ones', async () => {
    const { body } = await owner.get(`${ANALYTICS}?period=30&compound=BPC-157`);
    expect(body).toMatch(/<option[^>]*value="30"[^>]*selected/);
    expect(body).toMatch(/<option[^>]*value="BPC-157"[^>]*selected/);
    const strange = await owner.get(`${ANALYTICS}?period=99999&compound[$ne]=x`);
    expect(strange.status).toBe(200);
    expect(strange.body).toMatch(/<option[^>]*value="90"[^>]*selected/);
  });
});

describe('the clinician report', () => {
  const doseRows = (html: string) => html.match(/scope="row"[^>]*data-label="Due"/g)?.length ?? 0;

  it('starts with a summary and folds long lists by month, with all rows on the page', async () => {
    const { body } = await owner.get(REPORT);
    const titles = [...body.matchAll(/<h2[^>]*>([^<]+)<\/h2>/g)].map(([, title]) => title);
    expect(titles).toEqual([
      'Adherence',
      'Side effects by kind',
      'Measurements',
      'Current vials',
      'Doses',
      'Side effects',
      'Injection sites',
      'Each measurement',
    ]);
    const months = [...body.matchAll(/<details class="disclosure"( open="")?>[\s\S]*?<\/details>/g)];
    const doses = months.filter(([month]) => month.includes('data-label="Due"'));
    expect(doses.length).toBeGreaterThan(2);
    expect(doses.every(([, open]) => open === undefined)).toBe(true);
    expect(doses.reduce((sum, [month]) => sum + doseRows(month), 0)).toBe(doseRows(body));
    expect(doseRows(body)).toBe(21);
  });

  it('is unfolded for printing', async () => {
    const { body } = await owner.get(`${REPORT}/print?start=${dayAgo(89)}&end=${dayAgo(0)}`);
    expect(doseRows(body)).toBe(21);
    expect(body).toMatch(/<details class="disclosure" open="">/);
    expect(body).not.toMatch(/<details class="disclosure">/);
  });

  it.each([
    ['backwards', { start: dayAgo(0), end: dayAgo(9) }, 'The end date must not be before the start date'],
    ['of 50 years', { start: '1976-01-01', end: '2026-01-01' }, 'Choose a period of at most 5 years'],
  ])('of a period %s is refused at its field, the dates kept', async (_, period, message) => {
    const answer = await owner.get(`${REPORT}?${new URLSearchParams(period).toString()}`);
    expect(answer.status).toBe(400);
    expect(visibleText(answer.body)).toContain(message);
    expect(answer.body).toContain(`value="${period.start}"`);
    const query = new URLSearchParams(period).toString();
    const print = await owner.get(`${REPORT}/print?${query}`);
    expect([print.status, print.location?.startsWith(REPORT)]).toEqual([302, true]);
    expect((await owner.get(`${REPORT}/file?${query}`)).status).toBe(400);
  });
});
