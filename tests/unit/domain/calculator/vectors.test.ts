import { describe, expect, test } from 'vitest';
import { calculate, calculateFigures, calculateRow } from '#app/domain/calculator/calculate.ts';
import { volumeInput } from '#tests/support/calculator-arbitraries.ts';
import { CALCULATOR_VECTORS } from '#tests/support/calculator-vectors.ts';

describe.each(CALCULATOR_VECTORS)('$name: $amount mg, $water ml, $dose $doseUnit', (vector) => {
  const input = volumeInput(vector.amount, vector.water, vector.dose, { desiredDoseUnit: vector.doseUnit });
  const result = calculate(input);

  test('shows the published texts', () => {
    expect(result).toMatchObject({
      concentrationText: vector.concentrationText,
      injectionVolumeText: vector.injectionVolumeText,
      unitsText: vector.unitsText,
      summary: vector.summary,
      drawsNeeded: vector.draws,
    });
    expect(result.nearestMark.units).toBe(vector.nearestMark);
    expect(result.warnings.map(({ code }) => code)).toEqual(vector.warnings);
  });

  test('has the nearest doubles', () => {
    expect(result).toMatchObject({
      peptideAmount: Number(vector.amount),
      waterVolume: Number(vector.water),
      desiredDose: vector.doseMg,
      concentration: vector.concentration,
      injectionVolume: vector.injectionVolume,
    });
  });

  test('gives the same numbers as figures, as a batch row and when calculated again', () => {
    const { concentration, concentrationText, injectionVolume, injectionVolumeText, unitsText } = result;
    const figures = { concentration, concentrationText, injectionVolume, injectionVolumeText, unitsText };
    expect(calculateFigures(input)).toEqual({
      ...figures,
      peptideAmount: result.peptideAmount,
      waterVolume: result.waterVolume,
      desiredDose: result.desiredDose,
    });
    expect(calculateRow(input)).toEqual({ ...figures, warnings: vector.warnings });
    expect(calculate(input)).toEqual(result);
  });

  test('begins its summary with the name when there is one', () => {
    expect(calculate({ ...input, peptideName: 'BPC-157' }).summary).toBe(`BPC-157: ${vector.summary}`);
  });
});
