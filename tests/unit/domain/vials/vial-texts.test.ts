import { describe, expect, it } from 'vitest';
import {
  doseOfVial,
  vialDetail,
  remainingOf,
  vialRow,
  statusText,
  vialLabel,
} from '#app/domain/vials/vial-texts.ts';
import type { StockForecast } from '#app/domain/vials/forecast.ts';
import { forecastText } from '#app/domain/vials/forecast-texts.ts';
import { giveBack, spillFrom, takeFrom, stockWarning, STOCK_WARNINGS } from '#app/domain/vials/stock.ts';
import { VIAL_STATUSES } from '#app/domain/vials/vial.ts';
import { vial, vialWith } from '#tests/support/vials.ts';

const TODAY = '2026-03-10';
const at = new Date('2026-03-09T22:30:00Z');

describe('a row of the vial list', () => {
  it('says what is in the vial and until when', () => {
    expect(vialRow(vialWith('3.75', { lot: 'L1' }), TODAY)).toEqual({
      id: 'vial_1',
      name: 'BPC-157',
      status: 'reconstituted',
      statusText: 'Reconstituted',
      unit: 'mg',
      strengthUnit: 'mg/ml',
      formText: null,
      remainingText: '3.75',
      totalText: '5',
      percent: 75,
      strengthText: '2.5',
      parts: [],
      isLow: false,
      overdrawnText: null,
      date: { state: 'good', text: 'Use by 29 Mar 2026' },
      lot: 'L1',
      lotId: null,
    });
  });

  it.each([
    ['2026-03-21', 'Use by 29 Mar 2026'],
    ['2026-03-22', '7 days left'],
    ['2026-03-28', '1 day left'],
    ['2026-03-29', 'Last day today'],
    ['2026-03-30', 'Past 29 Mar 2026'],
  ])('on %s: %s', (day, text) => expect(vialRow(vial(), day).date?.text).toBe(text));

  it('shows no date for an empty vial, and says if none is known', () => {
    expect(vialRow(vialWith('0'), TODAY).date).toBeNull();
    expect(vialRow(vial({ reconstitutionDate: null }), TODAY).date).toEqual({
      state: 'unknown',
      text: 'No date yet',
    });
  });

  it('never shows a negative amount, but the over-drawn amount beside it', () => {
    const row = vialRow(vialWith('-0.15'), TODAY);
    expect(row).toMatchObject({ remainingText: '0', percent: 0, overdrawnText: '0.15', statusText: 'Empty' });
    expect(remainingOf({ remaining: '-0' })).toEqual({ left: '0', overdrawn: null });
  });

  it.each([
    ['5', 100],
    ['4.99', 100],
    ['4.97', 99],
    ['0.01', 0],
  ])('%s of 5 mg are %i percent', (left, percent) =>
    expect(vialRow(vialWith(left), TODAY).percent).toBe(percent),
  );

  it('has a word for every status', () => {
    expect(VIAL_STATUSES.map(statusText)).toEqual([
      'Sealed',
      'Reconstituted',
      'In use',
      'Empty',
      'Discarded',
    ]);
  });
});

describe('the page of a vial', () => {
  it('lists what is known and leaves out what is not', () => {
    const known = vial({
      displacement: '10',
      storageTemp: '2–8 °C',
      lot: 'L1',
      cost: '40',
      currency: 'USD',
      notes: 'n',
    });
    expect(vialDetail(known, TODAY, 'Europe/Berlin').facts).toEqual([
      ['Water added', '2 ml'],
      ['Powder displacement', '10 µl/mg'],
      ['Reconstituted', '1 Mar 2026'],
      ['Last day of use', '29 Mar 2026'],
      ['Storage', '2–8 °C'],
      ['Lot', 'L1'],
      ['Paid', '40 USD'],
      ['Added', '1 Mar 2026, 09:00'],
    ]);
    const bare = vial({ reconstitutionDate: null, waterMl: null });
    expect(vialDetail(bare, TODAY, 'UTC')).toMatchObject({
      facts: [['Added', '1 Mar 2026, 08:00']],
      leftMlText: null,
      isUsable: false,
    });
  });

  it("lists the ledger newest first, in the reader's time zone", () => {
    const drawn = takeFrom(vial(), { id: 'dose', mg: '0.25', at });
    const undone = giveBack(drawn, { id: 'dose', at, reason: 'Dose undone' });
    const spilled = spillFrom(undone, { id: 'spill', mg: '1', at, reason: 'dropped' });
    expect(vialDetail(spilled, TODAY, 'Asia/Tokyo').ledger).toEqual([
      {
        id: 'spill',
        at: at.toISOString(),
        when: '10 Mar 2026, 07:30',
        what: 'Spill',
        change: '−1',
        reason: 'dropped',
      },
      {
        id: 'dose:undo',
        at: at.toISOString(),
        when: '10 Mar 2026, 07:30',
        what: 'Dose undone',
        change: '+0.25',
        reason: 'Dose undone',
      },
      {
        id: 'dose',
        at: at.toISOString(),
        when: '10 Mar 2026, 07:30',
        what: 'Dose',
        change: '−0.25',
        reason: null,
      },
    ]);
  });

  it('shows the doses left, rounded down, and the cost of one', () => {
    const half = vialWith('3.75', { cost: '40', currency: 'USD' });
    expect(doseOfVial(half, '0.25', 'u100-1ml')).toEqual({
      ml: '0.1',
      units: '10',
      mark: expect.objectContaining({ drawsText: '10', isExact: true }),
      dosesLeft: '15',
      cost: '2.00 USD',
    });
    expect(doseOfVial(half, '0.26', 'u100-1ml').dosesLeft).toBe('14');
    expect(doseOfVial(vial({ waterMl: null }), '0.25', 'u100-1ml')).toEqual({
      ml: null,
      units: null,
      mark: null,
      dosesLeft: '20',
      cost: null,
    });
    expect(doseOfVial(vialWith('-1'), '0.25', 'u100-1ml').dosesLeft).toBe('0');
  });
});

describe('the label of a vial', () => {
  it('shows name, concentration, dates and storage', () => {
    expect(vialLabel(vial({ lot: 'L1', storageTemp: '2–8 °C' }))).toEqual({
      name: 'BPC-157',
      contents: '5 mg, 2.5 mg/ml',
      lines: [
        ['Reconstituted', '1 Mar 2026'],
        ['Use by', '29 Mar 2026'],
        ['Lot', 'L1'],
        ['Syringe', 'U-100: 1 mg is 40 units'],
        ['Store', '2–8 °C'],
      ],
    });
    const own = { id: 'own:a2', name: 'Oral', barrelMl: '5', unitsPerMl: null, mark: '0.2' };
    expect([vialLabel(vial(), 'u40-1ml'), vialLabel(vial(), own)].map(({ lines }) => lines.at(-1))).toEqual([
      ['Syringe', 'U-40: 1 mg is 16 U-40 units'],
      ['Syringe', 'Marked in ml: 1 mg is 0.4 ml'],
    ]);
    expect(vialLabel(vial({ reconstitutionDate: null, waterMl: null }))).toEqual({
      name: 'BPC-157',
      contents: '5 mg',
      lines: [],
    });
  });
});

describe('the text of a stock forecast', () => {
  const forecast = (more: Partial<StockForecast>): StockForecast => ({
    name: 'A',
    nameKey: 'a',
    level: 'ok',
    why: null,
    measure: 'mg',
    stockMg: '1',
    expiredMg: '0',
    runOutDay: null,
    wasted: null,
    daysOfSupply: null,
    reorderBy: null,
    until: '2026-07-08',
    ...more,
  });

  it.each([
    [{}, 'Enough', 'Enough for every planned dose until 8 Jul 2026.', null],
    [
      { level: 'red', runOutDay: '2026-03-11', daysOfSupply: 1, reorderBy: '2026-02-25' },
      'Under 7 days',
      'Lasts until 11 Mar 2026 (1 day).',
      'Reorder now',
    ],
    [
      {
        level: 'amber',
        runOutDay: '2026-03-20',
        daysOfSupply: 10,
        reorderBy: '2026-03-06',
        wasted: { vials: 1, lastDay: '2026-03-19', mg: '3.5' },
        expiredMg: '10',
      },
      'Under 14 days',
      'Lasts until 20 Mar 2026 (10 days). 3.5 mg will expire unused on 19 Mar 2026. 10 mg is past its beyond-use date and not counted.',
      'Reorder now',
    ],
    [
      { level: 'ok', runOutDay: '2026-04-10', daysOfSupply: 31, reorderBy: '2026-03-27' },
      'Enough',
      'Lasts until 10 Apr 2026 (31 days).',
      'Reorder by 27 Mar 2026',
    ],
    [
      { level: 'red', runOutDay: TODAY, daysOfSupply: 0, reorderBy: '2026-02-24' },
      'Under 7 days',
      'Not enough for the doses planned today.',
      'Reorder now',
    ],
  ] as const)('%j', (more, badge, text, reorder) => {
    expect(forecastText(forecast(more), TODAY)).toEqual({
      level: forecast(more).level,
      badge,
      text,
      reorder,
    });
  });

  it.each(['no-doses', 'no-vials', 'no-amount'] as const)(
    '%s is unknown, and says what is missing',
    (why) => {
      const { badge, text, reorder } = forecastText(forecast({ level: 'unknown', why }), TODAY);
      expect({ badge, reorder }).toEqual({ badge: 'Unknown', reorder: null });
      expect(text).toMatch(/^Unknown: .+\.$/);
    },
  );
});

it('every stock warning is a sentence, with or without a vial', () => {
  for (const code of STOCK_WARNINGS) {
    expect(stockWarning(code).message).toMatch(/^[A-Z].+\.$/);
    expect(stockWarning(code, vial())).toMatchObject({ code, compoundId: 'vial_1' });
  }
});
