import { plainText } from '#app/domain/decimal/decimal.ts';
import type { CalculationInput, CalculationResult, FormulaLine } from './calculation.ts';

type Known = Pick<
  CalculationResult,
  | 'peptideAmountText'
  | 'waterVolumeText'
  | 'desiredDoseText'
  | 'displacementText'
  | 'solutionVolumeText'
  | 'concentrationText'
  | 'injectionVolumeText'
  | 'unitsText'
  | 'syringe'
>;

const isDisplaced = (known: Known): boolean => known.displacementText !== '0';

const drawText = (input: CalculationInput): string => plainText(input.drawVolume ?? '0');

function solutionLine(known: Known): FormulaLine {
  return {
    name: 'Solution volume',
    rule: 'water volume + peptide amount × displacement ÷ 1000',
    numbers: `${known.waterVolumeText} ml + ${known.peptideAmountText} mg × ${known.displacementText} µl/mg ÷ 1000`,
    result: `${known.solutionVolumeText} ml`,
  };
}

function concentrationLine(known: Known, input: CalculationInput): FormulaLine {
  const name = 'Concentration';
  const result = `${known.concentrationText} mg/ml`;
  if (input.solveFor === 'water') {
    // not by way of the water, which is shown rounded
    const numbers = `${known.desiredDoseText} mg ÷ ${drawText(input)} ml`;
    return { name, rule: 'desired dose ÷ draw volume', numbers, result };
  }
  const divisor = isDisplaced(known) ? 'solution volume' : 'water volume';
  const numbers = `${known.peptideAmountText} mg ÷ ${known.solutionVolumeText} ml`;
  return { name, rule: `peptide amount ÷ ${divisor}`, numbers, result };
}

/** The volume step, and the same step in units. Units are worked out from the exact draw, not from its rounded text. */
function drawLines(known: Known, input: CalculationInput): FormulaLine[] {
  const perMl = known.syringe.unitsPerMl;
  const inUnits = { name: 'Units', result: known.unitsText };
  if (input.solveFor !== 'volume') {
    return [{ ...inUnits, rule: `draw volume × ${perMl}`, numbers: `${drawText(input)} ml × ${perMl}` }];
  }
  const numbers = `${known.desiredDoseText} mg × ${known.solutionVolumeText} ml ÷ ${known.peptideAmountText} mg`;
  return [
    {
      name: 'Injection volume',
      rule: 'desired dose ÷ concentration',
      numbers,
      result: `${known.injectionVolumeText} ml`,
    },
    { ...inUnits, rule: `injection volume × ${perMl}`, numbers: `${numbers} × ${perMl}` },
  ];
}

function waterLine(known: Known, input: CalculationInput): FormulaLine {
  const displaced = isDisplaced(known);
  const numbers = `${drawText(input)} ml × ${known.peptideAmountText} mg ÷ ${known.desiredDoseText} mg`;
  const less = ` − ${known.peptideAmountText} mg × ${known.displacementText} µl/mg ÷ 1000`;
  return {
    name: 'Water volume',
    rule: `draw volume × peptide amount ÷ desired dose${displaced ? ' − peptide amount × displacement ÷ 1000' : ''}`,
    numbers: displaced ? numbers + less : numbers,
    result: `${known.waterVolumeText} ml`,
  };
}

function doseLine(known: Known, input: CalculationInput): FormulaLine {
  return {
    name: 'Dose',
    rule: 'draw volume × concentration',
    numbers: `${drawText(input)} ml × ${known.peptideAmountText} mg ÷ ${known.solutionVolumeText} ml`,
    result: `${known.desiredDoseText} mg`,
  };
}

/** The arithmetic of a result, step by step, with its numbers in it. */
export function formulaLines(input: CalculationInput, known: Known): FormulaLine[] {
  const lines: FormulaLine[] = [];
  if (input.solveFor === 'water') lines.push(waterLine(known, input));
  else if (isDisplaced(known)) lines.push(solutionLine(known));
  lines.push(concentrationLine(known, input));
  if (input.solveFor === 'dose') lines.push(doseLine(known, input));
  return [...lines, ...drawLines(known, input)];
}
