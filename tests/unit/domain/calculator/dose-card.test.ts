import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calculationQuery } from '#app/domain/calculator/calculation-query.ts';
import { parseCalculationForm } from '#app/domain/calculator/calculation-schema.ts';
import type { CalculationInput } from '#app/domain/calculator/calculation.ts';
import { resultCard } from '#app/domain/calculator/dose-card.ts';
import { anyContainer } from '#tests/support/calculator-arbitraries.ts';

function inputOf(fields: Record<string, string> | URLSearchParams): CalculationInput {
  const parsed = parseCalculationForm(fields);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.fields));
  return parsed.input;
}

const cardOf = (fields: Record<string, string> | URLSearchParams) => resultCard(inputOf(fields));
const IU = { amountUnit: 'IU', desiredDoseUnit: 'IU' };

describe('the card of a result', () => {
  it('has half, one and a half and double the dose, each with its mark and error', () => {
    const card = cardOf({
      ...{ peptideName: 'BPC-157', peptideAmount: '5', waterVolume: '2' },
      ...{ desiredDose: '275', desiredDoseUnit: 'mcg' },
    });
    expect(card.name).toBe('BPC-157');
    expect(card.rows.map(({ dose, drawTo, exact, error }) => [dose, drawTo, exact, error])).toEqual([
      ['137.5 mcg', '5 units', '0.055 ml', '9.09% less'],
      ['275 mcg', '11 units', '0.11 ml', 'exact'],
      ['412.5 mcg', '16 units', '0.165 ml', '3.03% less'],
      ['550 mcg', '22 units', '0.22 ml', 'exact'],
    ]);
    expect(card.rows.map(({ isMain }) => isMain)).toEqual([false, true, false, false]);
    expect(card.facts).toEqual([
      ['Contents', '5 mg'],
      ['Water', '2 ml'],
      ['Concentration', '2.5 mg/ml'],
      ['Syringe', 'U-100 1 ml'],
      ['Doses held', '18'],
    ]);
    expect(card.picture).toMatchObject({ units: 11, label: '11 units' });
  });

  it('has no dose that the container does not hold, and none too small to measure', () => {
    const card = cardOf({ form: 'capsule', peptideAmount: '100', pieces: '3', desiredDose: '200' });
    expect(card.rows.map(({ dose, drawTo }) => [dose, drawTo])).toEqual([
      ['100 mg', '1 capsule'],
      ['200 mg', '2 capsules'],
      ['300 mg', '3 capsules'],
    ]);
    expect(card.picture).toBeNull();
    const least = cardOf({ form: 'capsule', peptideAmount: '100', pieces: '1', desiredDose: '100' });
    expect(least.rows.map(({ dose }) => dose)).toEqual(['100 mg']);
  });

  it('counts the clicks of a pen', () => {
    const card = cardOf({
      ...{ form: 'pen', concentration: '2.5', containerVolume: '3', clickMl: '0.01' },
      desiredDose: '0.26',
    });
    expect(card.rows[1]).toMatchObject({
      dose: '0.26 mg',
      drawTo: '10 clicks',
      exact: '10.4 clicks, 0.104 ml',
    });
    expect(card.facts).toContainEqual(['One click', '0.01 ml']);
    expect(card.picture).toBeNull();
  });

  it('names the scale of another syringe than U-100', () => {
    const card = cardOf({ peptideAmount: '5', waterVolume: '2', desiredDose: '0.25', syringe: 'u40-1ml' });
    expect(card.rows[1]).toMatchObject({ drawTo: '4 U-40 units' });
  });

  it('fills the drawn barrel when a dose takes several draws', () => {
    const card = cardOf({ peptideAmount: '5', waterVolume: '2', desiredDose: '2', syringe: 'u100-0.3ml' });
    expect(card.rows.find(({ isMain }) => isMain)?.drawTo).toBe('2 × 30 + 20 units');
    expect(card.picture).toMatchObject({ units: 30, label: '30 units, 3 draws' });
  });

  it('of a blend has every component in each draw', () => {
    const card = cardOf(
      new URLSearchParams({
        ...{ components: 'BPC-157:5;TB-500:10', doseOf: 'TB-500', waterVolume: '2' },
        ...{ desiredDose: '500', desiredDoseUnit: 'mcg' },
      }),
    );
    expect(card.rows[1]).toMatchObject({ dose: '500 mcg TB-500', others: ['BPC-157 250 mcg'] });
    expect(card.facts).toContainEqual(['Concentration', 'BPC-157 2.5 mg/ml; TB-500 5 mg/ml']);
  });

  it('writes the units of the substance only', () => {
    const card = cardOf({ ...IU, peptideAmount: '5000', waterVolume: '2', desiredDose: '250' });
    expect(card.facts).toContainEqual(['Contents', '5,000 IU']);
    expect(JSON.stringify({ ...card, picture: null })).not.toMatch(/\bmg\b|\bmcg\b/);
  });

  it('never has a dose without its row, or mass for international units', () => {
    fc.assert(
      fc.property(anyContainer, (fields) => {
        const input = inputOf(fields);
        const card = resultCard(input);
        expect(card.rows.filter(({ isMain }) => isMain)).toHaveLength(1);
        expect(card.picture === null).toBe(!['powder', 'solution'].includes(input.form ?? 'powder'));
        if (input.amountUnit !== 'IU') return;
        expect(JSON.stringify([card.rows, card.facts])).not.toMatch(/\d m(?:g|cg)\b/);
      }),
    );
  });
});

describe('the address of a calculation', () => {
  it('leads to the same calculation, whatever holds the substance', () => {
    fc.assert(
      fc.property(anyContainer, (fields) => {
        const input = inputOf(fields);
        expect(inputOf(calculationQuery(input))).toEqual(input);
      }),
    );
  });

  it('has the components of a blend, and what is solved for, but no notes', () => {
    const input = inputOf(
      new URLSearchParams({
        ...{ components: 'BPC-157:5;TB-500:10', doseOf: 'TB-500', desiredDose: '1', drawVolume: '0.2' },
        ...{ solveFor: 'water', notes: 'mine' },
      }),
    );
    const query = calculationQuery(input);
    expect(query.has('notes')).toBe(false);
    expect({ ...inputOf(query), notes: 'mine' }).toEqual(input);
  });
});
