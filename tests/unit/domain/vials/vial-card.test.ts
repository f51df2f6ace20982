import { describe, expect, it } from 'vitest';
import { dosesOfSchedule, lastDoseOf, vialCard } from '#app/domain/vials/vial-card.ts';
import { vial } from '#tests/support/vials.ts';

const MIXED = vial({ name: 'BPC-157', totalAmount: '5', remaining: '5', waterMl: '2' });
const mcg = (amount: string) => ({ amount, unit: 'mcg' as const });
const at = new Date('2026-11-01T08:00:00Z');
const drawn = (id: string, mg: string) => ({ id, kind: 'dose' as const, mg, reason: null, at });

describe('the card of a vial', () => {
  it('has the planned doses in order, each once, and the syringe at the next one', () => {
    const planned = [mcg('500'), mcg('250'), { amount: '0.25', unit: 'mg' as const }];
    const card = vialCard(MIXED, { planned, usual: mcg('500') }, 'u40-1ml');
    expect(card.rows.map(({ dose, drawTo, isMain }) => [dose, drawTo, isMain])).toEqual([
      ['250 mcg', '4 U-40 units', false],
      ['500 mcg', '8 U-40 units', true],
    ]);
    expect(card.picture).toMatchObject({ units: 8 });
  });

  it('without a schedule has the last dose and its multiples, up to what the vial holds', () => {
    const card = vialCard(MIXED, { planned: [], usual: { amount: '3', unit: 'mg' } }, 'u100-1ml');
    expect(card.rows.map(({ dose, drawTo }) => [dose, drawTo])).toEqual([
      ['1.5 mg', '60 units'],
      ['3 mg', '100 + 20 units'],
      ['4.5 mg', '100 + 80 units'],
    ]);
    expect(card.picture).toMatchObject({ units: 100, label: '100 units, 2 draws' });
  });

  it('without a concentration has the doses, but no draw', () => {
    const dry = vial({ waterMl: null, concentration: null });
    const card = vialCard(dry, { planned: [mcg('250')], usual: null }, 'u100-1ml');
    expect(card.rows).toMatchObject([{ dose: '250 mcg', drawTo: '–', exact: '–', error: '–' }]);
    expect(card.picture).toBeNull();
  });
});

describe('the doses of a schedule', () => {
  it('are the steps of its ramp, at most twelve', () => {
    const ramp = { start: '0.25', step: '0.25', everyWeeks: 4, target: '0.6' };
    const doses = (more: object) =>
      dosesOfSchedule({ doseAmount: '1', doseUnit: 'mg', ramp: { ...ramp, ...more } }).map(
        ({ amount }) => amount,
      );
    expect(doses({})).toEqual(['0.25', '0.5', '0.6']);
    expect(doses({ target: '100' })).toHaveLength(12);
    expect(doses({ step: '0' })).toHaveLength(12);
  });
});

describe('the last dose of a vial', () => {
  it('is the latest that was not undone, in the unit that the owner prefers', () => {
    const ledger = [drawn('a', '-0.25'), drawn('b', '-0.5'), drawn('b:undo', '0.5')];
    expect(lastDoseOf(vial({ ledger }), 'mcg')).toMatchObject({ amount: '250', unit: 'mcg' });
    expect(lastDoseOf(vial({ ledger: [] }), 'mcg')).toBeNull();
  });
});
