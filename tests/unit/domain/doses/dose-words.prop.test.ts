import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import { doseLine, type LineDose } from '#app/domain/doses/dose-line.ts';
import { doseWords, givenWords, namedDose, plannedWords, type Blend } from '#app/domain/vials/contents.ts';
import { reminderTexts } from '#app/domain/reminders/reminder-texts.ts';
import { doseCells, type ReportDose } from '#app/domain/reports/report-row-groups.ts';
import { feedEvents } from '#app/domain/schedules/calendar-events.ts';
import { doseSummary } from '#app/domain/schedules/describe-schedule.ts';
import { shownPreview } from '#app/domain/schedules/schedule-view.ts';
import { previewDoses } from '#app/domain/schedules/occurrences.ts';
import { doseText } from '#app/domain/units/quantity.ts';
import { rule } from '#tests/support/schedules.ts';

const NAMES = ['BPC-157', 'TB-500', 'GHK-Cu', 'KPV', 'CJC-1295', 'Ipamorelin'];
const milligrams = fc
  .integer({ min: 1, max: 100_000 })
  .map((micrograms) => new Decimal(micrograms).div(1000).toFixed());
const anyBlend: fc.Arbitrary<Blend> = fc
  .uniqueArray(fc.constantFrom(...NAMES), { minLength: 2, maxLength: 6 })
  .chain((names) =>
    fc.record({
      doseOf: fc.constantFrom(...names),
      components: fc.tuple(...names.map((name) => milligrams.map((amount) => ({ name, amount })))),
    }),
  );
const unit = fc.constantFrom('mg' as const, 'mcg' as const);

const BLEND: Blend = {
  doseOf: 'TB-500',
  components: [
    { name: 'BPC-157', amount: '5' },
    { name: 'TB-500', amount: '10' },
  ],
};

describe('law: the text of a dose of a blend', () => {
  it('names each component once, in the order of the label, and keeps the stated dose unchanged', () => {
    fc.assert(
      fc.property(anyBlend, milligrams, unit, (blend, amount, unitOfDose) => {
        const parts = doseWords(amount, unitOfDose, blend).split(' + ');
        expect(parts).toHaveLength(blend.components.length);
        const stated = blend.components.find(({ name }) => name === blend.doseOf);
        blend.components.forEach(({ name, amount: held }, index) => {
          const [, text = ''] = (parts[index] ?? '').split(`${name} `);
          if (name === blend.doseOf) expect(text).toBe(doseText(amount, unitOfDose));
          const [figure = '', shownUnit] = text.split(' ');
          expect(shownUnit).toBe(unitOfDose);
          const exact = new Decimal(amount).times(held).div(stated?.amount ?? '1');
          const shown = new Decimal(figure.replaceAll(',', ''));
          // At most 3 decimals, but never fewer than 3 digits: half of the last of them is the most that can be missing.
          const step = exact.gte('0.1') ? new Decimal('0.0005') : exact.times('0.005');
          expect(shown.minus(exact).abs().lte(step), `${text} for ${exact.toFixed()}`).toBe(true);
        });
      }),
      { numRuns: 500 },
    );
  });

  it('is only the dose for a single peptide', () => {
    fc.assert(
      fc.property(milligrams, unit, (amount, unitOfDose) => {
        expect(doseWords(amount, unitOfDose, null)).toBe(doseText(amount, unitOfDose));
      }),
    );
  });
});

describe('a dose of a blend in texts', () => {
  const dose: LineDose & ReportDose = {
    ...{ id: 'dose_1', scheduleId: 'sched_1', name: 'Wolverine', status: 'pending', notes: null, site: null },
    ...{ doseAmount: '500', actualDose: null, doseUnit: 'mcg', wallTime: '08:00', timeZone: 'UTC' },
    ...{ dueDate: new Date('2026-03-09T08:00:00Z'), takenAt: null, blend: BLEND },
  };
  const words = 'BPC-157 250 mcg + TB-500 500 mcg';

  it('lists each component as planned, and as taken from the vial it was drawn from', () => {
    expect(doseLine(dose, 'UTC', dose.dueDate)).toMatchObject({ amountText: words, plannedText: null });
    const drawn = { ...BLEND, components: [BLEND.components[1], { name: 'BPC-157', amount: '10' }] } as Blend;
    const taken: LineDose = { ...dose, status: 'taken', takenAt: dose.dueDate, actualDose: '250', drawn };
    expect(doseLine(taken, 'UTC', dose.dueDate)).toMatchObject({
      amountText: 'TB-500 250 mcg + BPC-157 250 mcg',
      plannedText: `planned ${words}`,
    });
    const unplanned = { ...taken, doseAmount: '250', blend: undefined };
    expect(doseLine(unplanned, 'UTC', dose.dueDate).plannedText).toBeNull();
    expect([givenWords(taken), plannedWords(taken)]).toEqual(['TB-500 250 mcg + BPC-157 250 mcg', words]);
  });

  it('lists its components in reminders, calendars and reports, but not in discreet mode', () => {
    const { message, discreet } = reminderTexts(dose, 'due');
    expect(message).toBe(`Wolverine, ${words}, is due now (08:00).`);
    expect(discreet).not.toMatch(/BPC|TB-500|Wolverine|mcg/);
    expect(feedEvents([dose], { privacy: 'full' })[0]?.summary).toBe(`Wolverine, ${words}`);
    expect(feedEvents([dose], { privacy: 'name' })[0]?.summary).toBe('Wolverine');
    expect(doseCells(dose, 'UTC', false)).toContain(words);
    const taken = { ...dose, status: 'taken' as const, takenAt: dose.dueDate, actualDose: '1000' };
    expect(doseCells(taken, 'UTC', false)).toContain('BPC-157 500 mcg + TB-500 1,000 mcg');
    expect(feedEvents([taken], { privacy: 'full' })[0]?.summary).toBe(
      'Wolverine, BPC-157 500 mcg + TB-500 1,000 mcg (taken)',
    );
  });

  it('does not repeat the components when the blend is named after them', () => {
    expect(namedDose('bpc-157 + TB-500', words, BLEND)).toBe(words);
    expect(namedDose('BPC-157', '250 mcg', null)).toBe('BPC-157, 250 mcg');
  });

  it('lists its components for schedules, each step of a ramp and each swap', () => {
    const plan = { ...rule(), doseAmount: '500', doseUnit: 'mcg' as const, blend: BLEND };
    expect(doseSummary(plan)).toBe(words);
    const ramp = { start: '500', step: '250', everyWeeks: 4, target: '1000' };
    expect(doseSummary({ ...plan, ramp })).toBe(
      `${words}, then BPC-157 125 mcg + TB-500 250 mcg more every 4 weeks, up to BPC-157 500 mcg + TB-500 1,000 mcg`,
    );
    const swap = {
      ...{ id: 'swap_1', name: 'TB-500', compoundId: null, blend: null, doseAmount: null },
      ...{ fromDay: '2026-03-11', madeAt: new Date(0) },
    };
    const swapped = { ...plan, startDate: '2026-03-09', timeZone: 'UTC', swaps: [swap] };
    const { doses } = shownPreview(swapped, { doses: previewDoses(swapped), endsAbout: null }, '2026-03-09');
    expect(doses.slice(0, 4).map(({ amount }) => amount)).toEqual([words, words, '500 mcg', '500 mcg']);
    const phased = { ...swapped, ramp };
    expect(
      shownPreview(phased, { doses: [], endsAbout: null }, '2026-03-09').phases.map(({ dose: text }) => text),
    ).toEqual([words, '500 mcg', '750 mcg', '1,000 mcg']);
  });
});
