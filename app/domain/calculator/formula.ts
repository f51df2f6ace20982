import { type CalculationInput, type CalculationResult, type FormulaLine } from './types.ts';

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

function solutionLine(known: Known): FormulaLine {
  return {
    name: 'Solution volume',
    rule: 'water volume + peptide amount × displacement ÷ 1000',
    numbers: `${known.waterVolumeText} ml + ${known.peptideAmountText} mg × ${known.displacementText} µl/mg ÷ 1000`,
    result: `${known.solutionVolumeText} ml`,
  };
}

function concentrationLine(known: Known, solution: string): FormulaLine {
  return {
    name: 'Concentration',
    rule: `peptide amount ÷ ${solution}`,
    numbers: `${known.peptideAmountText} mg ÷ ${known.solutionVolumeText} ml`,
    result: `${known.concentrationText} mg/ml`,
  };
}

/** The volume step, and the same step in units. Units are worked out from the exact draw, not from its rounded text. */
function drawLines(known: Known, input: CalculationInput): FormulaLine[] {
  const perMl = known.syringe.unitsPerMl;
  const inUnits = { name: 'Units', result: known.unitsText };
  if (input.solveFor !== 'volume') {
    return [{ ...inUnits, rule: `draw volume × ${perMl}`, numbers: `${input.drawVolume} ml × ${perMl}` }];
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
  const displaced = known.displacementText !== '0';
  const numbers = `${input.drawVolume} ml × ${known.peptideAmountText} mg ÷ ${known.desiredDoseText} mg`;
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
    numbers: `${input.drawVolume} ml × ${known.peptideAmountText} mg ÷ ${known.solutionVolumeText} ml`,
    result: `${known.desiredDoseText} mg`,
  };
}

/** The arithmetic of a result, step by step, with its numbers in it. */
export function formulaLines(input: CalculationInput, known: Known): FormulaLine[] {
  const displaced = known.displacementText !== '0';
  const lines: FormulaLine[] = [];
  if (input.solveFor === 'water') lines.push(waterLine(known, input));
  if (displaced) lines.push(solutionLine(known));
  lines.push(concentrationLine(known, displaced ? 'solution volume' : 'water volume'));
  if (input.solveFor === 'dose') lines.push(doseLine(known, input));
  return [...lines, ...drawLines(known, input)];
}
