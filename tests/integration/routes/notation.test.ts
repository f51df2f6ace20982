import { inflateSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { reminderMail } from '#app/domain/reminders/reminder-mails.ts';
import { reminderTexts } from '#app/domain/reminders/reminder-texts.ts';
import { feedEvents } from '#app/domain/schedules/calendar-events.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { setCeiling } from '#app/features/amounts/amounts.server.ts';
import { logDose } from '#app/features/doses/doses.server.ts';
import { createSchedule } from '#app/features/schedules/schedules.server.ts';
import { addVial } from '#app/features/vials/vials.server.ts';
import { errorProne } from '#tests/support/notation.ts';
import { asSomeone } from '#tests/support/someone.ts';
import { visibleText } from '#tests/support/html.ts';
import type { WebClient } from './web-client.ts';
import { useWeb } from './web.ts';

/** Figures are written so that a point or a zero is not misread: on pages, labels, the report, PDF files and in mails. */
const web = useWeb();

const DAY = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString();

/**
 * Texts of the calculator that the specification fixes: a result of the calculator has 2 decimals in mg/ml and 3 in ml, and the reference
 * says the range with both.
 */
const FIXED = [
  /\d+\.\d\d mg\/ml/g,
  /\d+\.\d{3}(?:–\d+\.\d{3})? ml/g,
  /(?:Concentration|Injection volume|Average concentration)[^.]{0,40}\d+\.\d+ ?(?:mg\/ml|ml)?/g,
];

let client: WebClient & { email: string };
const made = { vial: '', schedule: '', dose: '' };

/** Amounts whose notation goes wrong easily: zeros at the end, thousands, small parts. */
async function live(ctx: Ctx): Promise<void> {
  const confirmed = [
    'TOO_SOON',
    'NO_OPEN_VIAL',
    'OVER_DRAWN',
    'PAST_DATE',
    'NOT_RECONSTITUTED',
    'ABOVE_PLAN',
    'BELOW_PLAN',
    'ABOVE_CEILING',
    'ABOVE_VIAL',
  ] as const;
  const water = { waterMl: '2.0', reconstitutionDate: ago(1).slice(0, 10), lot: 'L-1' };
  const vial = await addVial(ctx, {
    name: 'BPC-157',
    amountMg: '5.0',
    cost: '40',
    currency: 'USD',
    ...water,
  });
  await addVial(ctx, { name: 'NAD', amountMg: '1500', ...water });
  made.vial = vial.id;
  await setCeiling(ctx, { name: 'BPC-157', unit: 'mcg', perDose: '2500.0', perDay: '12000', per7Days: '' });
  for (const [name, actualDose, days] of [
    ['BPC-157', '2500', 3],
    ['BPC-157', '250.0', 2],
    ['BPC-157', '500.50', 1],
    ['NAD', '50000', 1],
  ] as const)
    await logDose(ctx, {
      name,
      actualDose,
      doseUnit: 'mcg',
      takenAt: ago(days),
      site: 'deltoid-left',
      confirmed: [...confirmed],
    });
  const schedule = await createSchedule(ctx, {
    name: 'BPC-157',
    doseUnit: 'mcg',
    doseAmount: '1500.0',
    frequency: { kind: 'daily' },
    times: ['00:00'],
    timeZone: 'UTC',
    startDate: ago(0).slice(0, 10),
    ramp: { start: '1500.0', step: '250.0', everyWeeks: 4, target: '2500' },
    confirm: true,
  });
  made.schedule = schedule.id;
}

beforeAll(async () => {
  client = await web.user({ trial: true });
  await asSomeone(web.dataDir, client.email, live);
  const { body } = await client.get('/api/schedules/doses');
  const { doses } = (JSON.parse(body) as { data: { doses: { id: string; status: string }[] } }).data;
  made.dose = doses.find(({ status }) => status === 'pending')?.id ?? '';
});

const PAGES: readonly (() => string)[] = [
  () => '/dashboard/vials',
  () => `/dashboard/vials/${made.vial}`,
  () => `/dashboard/vials/${made.vial}?dose=1500&unit=mcg&syringe=u100-1ml&ledger=all`,
  () => `/dashboard/vials/${made.vial}/label`,
  () => `/dashboard/vials/${made.vial}/card`,
  () => '/calculator/card?peptideAmount=5.0&waterVolume=2.0&desiredDose=2500.0&desiredDoseUnit=mcg',
  () => `/dashboard/vials/${made.vial}/remaining`,
  () => `/dashboard/vials/${made.vial}/discard`,
  () => '/dashboard/schedule',
  () => '/dashboard/schedule/all',
  () => `/dashboard/schedule/${made.schedule}`,
  () => `/dashboard/schedule/doses/${made.dose}`,
  () => '/dashboard/schedule/calendar',
  () => '/dashboard/schedule/log',
  () => '/dashboard/schedule/backfill',
  () => '/dashboard/schedule/templates',
  () => '/dashboard/ceilings',
  () => '/dashboard/reminders',
  () => '/dashboard/tracking',
  () => '/dashboard/analytics?period=30',
  () => '/dashboard/analytics/report',
  () => `/dashboard/analytics/report/print?start=${ago(30).slice(0, 10)}&end=${ago(0).slice(0, 10)}`,
  () => '/dashboard/import',
  () =>
    '/calculator?peptideName=BPC-157&peptideAmount=5.0&waterVolume=2.0&desiredDose=2500&desiredDoseUnit=mcg',
  () => '/calculator?peptideAmount=1&waterVolume=10&desiredDose=1',
  () => '/dashboard/calculator?peptideAmount=5.0&waterVolume=2.0&desiredDose=0.250&history=1',
  () => '/sources',
  () => '/',
];

describe('figures on pages', () => {
  it.each(PAGES.map((page) => [page().replace(/\/(?=\/|$)/g, '/…'), page] as const))(
    '%s has no error-prone figures',
    async (_, page) => {
      const answer = await client.get(page());
      expect([200, 302]).toContain(answer.status);
      const fixed = /^\/(?:dashboard\/)?calculator\?|^\/$/.test(page()) ? FIXED : [];
      expect(errorProne(visibleText(answer.body), fixed)).toEqual([]);
    },
  );

  it('show the figures that the check looks at', async () => {
    const label = visibleText((await client.get(`/dashboard/vials/${made.vial}/label`)).body);
    for (const text of ['5 mg, 2.5 mg/ml', 'Lot L-1', 'Use by', 'Syringe U-100: 1 mg is 40 units'])
      expect(label).toContain(text);
    const today = visibleText((await client.get('/dashboard/schedule')).body);
    expect(today).toContain('1,500 mcg');
    expect(visibleText((await client.get('/dashboard/ceilings')).body)).toContain('at most 2,500 mcg a dose');
    const found = errorProne(
      '2.50 mg/ml, .5 mg, 2500 mcg, 5 µg, 10 U, 10.0 units, 2,500 mcg, 0.25 mg, 2026 mg',
    );
    expect(found).toHaveLength(7);
  });
});

/** The words of a PDF file: its strings are hexadecimal, in pieces between which letters are moved. */
function wordsOf(pdf: string): string {
  const parts = [...pdf.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].map(([, part = '']) => {
    try {
      return inflateSync(Buffer.from(part, 'latin1')).toString('latin1');
    } catch {
      return '';
    }
  });
  return parts
    .flatMap((part) => [...part.matchAll(/\[([^\]]*)\] TJ/g)])
    .map(([, pieces = '']) =>
      [...pieces.matchAll(/<([0-9a-f]+)>/g)]
        .map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'))
        .join(''),
    )
    .join('\n');
}

it('the PDF report names lot, concentration, beyond-use date and syringe, without error-prone figures', async () => {
  const period = `start=${ago(30).slice(0, 10)}&end=${ago(0).slice(0, 10)}`;
  const answer = await fetch(`${web.url}/dashboard/analytics/report/file?${period}`, {
    headers: { cookie: [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  });
  expect(answer.status).toBe(200);
  const words = wordsOf(Buffer.from(await answer.arrayBuffer()).toString('latin1'));
  for (const text of ['2.5 mg/ml', '40 units', 'L-1', '2,500 mcg', 'U-100']) expect(words).toContain(text);
  expect(errorProne(words)).toEqual([]);
});

it('mails, reminders and the calendar feed write amounts the same way', () => {
  const dose = { name: 'BPC-157', doseAmount: '2500.0', doseUnit: 'mcg', timeZone: 'UTC' } as const;
  const dueDate = new Date('2026-03-09T08:00:00Z');
  const { message } = reminderTexts({ ...dose, dueDate }, 'due');
  expect(message).toBe('BPC-157, 2,500 mcg, is due now (08:00).');
  const site = { appUrl: 'https://vialbook.example' };
  const { text, html } = reminderMail({ title: 'Dose due', message, token: 'secret', doses: 1, ...site });
  expect(errorProne(`${text} ${visibleText(html)}`)).toEqual([]);
  const [event] = feedEvents([{ ...dose, id: 'dose_1', dueDate, status: 'pending' }], { privacy: 'full' });
  expect(event?.summary).toBe('BPC-157, 2,500 mcg');
});
