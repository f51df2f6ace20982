import { plainText } from '#app/domain/decimal/decimal.ts';
import { figureText } from '#app/domain/decimal/figure-text.ts';
import type { CalculationInput, CalculationResult, ComponentFigures, FormulaLine } from './calculation.ts';

/** What the formula is written from. */
export type FormulaTexts = Pick<
  CalculationResult,
  | 'form'
  | 'amountUnit'
  | 'components'
  | 'doseOf'
  | 'peptideAmountText'
  | 'waterVolumeText'
  | 'desiredDoseText'
  | 'displacementText'
  | 'solutionVolumeText'
  | 'concentrationText'
  | 'injectionVolumeText'
  | 'unitsText'
  | 'syringe'
  | 'nearestMark'
>;

const isDisplaced = (known: FormulaTexts): boolean => known.displacementText !== '0';

const drawText = (input: CalculationInput): string => plainText(input.drawVolume ?? '0');

/** The contents of the vial, as the formula writes them: "5 mg", "(5 + 5) mg". */
function totalText({ components, amountUnit }: FormulaTexts): string {
  const sum = components.map(({ amountText }) => amountText).join(' + ');
  return components.length > 1 ? `(${sum}) ${amountUnit}` : `${sum} ${amountUnit}`;
}

function solutionLine(known: FormulaTexts): FormulaLine {
  return {
    name: 'Solution volume',
    rule: 'water volume + peptide amount × displacement ÷ 1000',
    numbers: `${known.waterVolumeText} ml + ${totalText(known)} × ${known.displacementText} µl/${known.amountUnit} ÷ 1000`,
    result: `${known.solutionVolumeText} ml`,
  };
}

/** "Concentration"; for a blend "Concentration of TB-500". */
const named = (what: string, { name }: ComponentFigures, known: FormulaTexts): string =>
  known.components.length > 1 && name !== undefined ? `${what} of ${name}` : what;

function concentrationLines(known: FormulaTexts, input: CalculationInput): FormulaLine[] {
  const unit = known.amountUnit;
  return known.components.map((component) => {
    const name = named('Concentration', component, known);
    const result = `${component.concentrationText} ${unit}/ml`;
    if (input.solveFor === 'water') {
      // Not calculated from the water, which is shown rounded.
      const isDosed = component.name === known.doseOf || known.components.length === 1;
      const share = isDosed ? '' : ` × ${component.amountText} ${unit} ÷ ${known.peptideAmountText} ${unit}`;
      return {
        name,
        rule: `desired dose ÷ draw volume${isDosed ? '' : ' × its share'}`,
        numbers: `${known.desiredDoseText} ${unit} ÷ ${drawText(input)} ml${share}`,
        result,
      };
    }
    const divisor = isDisplaced(known) ? 'solution volume' : 'water volume';
    const rule = known.form === 'powder' ? `peptide amount ÷ ${divisor}` : 'amount ÷ volume';
    const numbers = `${component.amountText} ${unit} ÷ ${known.solutionVolumeText} ml`;
    return { name, rule, numbers, result };
  });
}

/** The doses of the other components in the draw. */
function otherDoseLines(known: FormulaTexts): FormulaLine[] {
  const unit = known.amountUnit;
  const others = known.components.filter(({ name }) => known.doseOf !== undefined && name !== known.doseOf);
  return others.map((component) => ({
    name: named('Dose', component, known),
    rule: `dose of ${known.doseOf ?? ''} × amount ÷ amount of ${known.doseOf ?? ''}`,
    numbers: `${known.desiredDoseText} ${unit} × ${component.amountText} ${unit} ÷ ${known.peptideAmountText} ${unit}`,
    result: `${component.doseText} ${unit}`,
  }));
}

/** The name of what the hand counts, at the start of a line. */
const COUNTED = {
  unit: 'Units',
  ml: 'Volume',
  click: 'Clicks',
  spray: 'Sprays',
  capsule: 'Capsules',
} as const;

/** How a volume becomes a number of the scale: "× 100", "÷ 0.05 ml a click"; nothing for a scale in ml. */
function stepWords(
  known: FormulaTexts,
  { clickMl, sprayMl }: CalculationInput,
): { rule: string; numbers: string } | null {
  const step = known.form === 'pen' ? clickMl : known.form === 'spray' ? sprayMl : undefined;
  if (step !== undefined)
    return { rule: ` ÷ volume of a ${known.nearestMark.noun}`, numbers: ` ÷ ${plainText(step)} ml` };
  if (known.syringe.scale === 'ml') return null;
  return { rule: ` × ${known.syringe.unitsPerMl}`, numbers: ` × ${known.syringe.unitsPerMl}` };
}

/** The volume step, and the same step in units, which are calculated from the exact draw and not from its rounded text. */
function drawLines(known: FormulaTexts, input: CalculationInput): FormulaLine[] {
  const unit = known.amountUnit;
  const step = stepWords(known, input);
  const inUnits = { name: COUNTED[known.nearestMark.noun], result: figureText(known.unitsText) };
  if (known.form === 'capsule') {
    const numbers = `${known.desiredDoseText} ${unit} ÷ ${known.peptideAmountText} ${unit}`;
    return [{ ...inUnits, rule: 'desired dose ÷ amount of a capsule', numbers }];
  }
  const counted = (rule: string, numbers: string): FormulaLine[] =>
    step === null ? [] : [{ ...inUnits, rule: rule + step.rule, numbers: numbers + step.numbers }];
  if (input.solveFor !== 'volume') return counted('draw volume', `${drawText(input)} ml`);
  const numbers = `${known.desiredDoseText} ${unit} × ${known.solutionVolumeText} ml ÷ ${known.peptideAmountText} ${unit}`;
  return [
    {
      name: 'Injection volume',
      rule: 'desired dose ÷ concentration',
      numbers,
      result: `${known.injectionVolumeText} ml`,
    },
    ...counted('injection volume', numbers),
  ];
}

function waterLine(known: FormulaTexts, input: CalculationInput): FormulaLine {
  const unit = known.amountUnit;
  const displaced = isDisplaced(known);
  const numbers = `${drawText(input)} ml × ${known.peptideAmountText} ${unit} ÷ ${known.desiredDoseText} ${unit}`;
  const less = ` − ${totalText(known)} × ${known.displacementText} µl/${unit} ÷ 1000`;
  return {
    name: 'Water volume',
    rule: `draw volume × peptide amount ÷ desired dose${displaced ? ' − peptide amount × displacement ÷ 1000' : ''}`,
    numbers: displaced ? numbers + less : numbers,
    result: `${known.waterVolumeText} ml`,
  };
}

function doseLine(known: FormulaTexts, input: CalculationInput): FormulaLine {
  const unit = known.amountUnit;
  return {
    name: known.doseOf === undefined ? 'Dose' : `Dose of ${known.doseOf}`,
    rule: 'draw volume × concentration',
    numbers: `${drawText(input)} ml × ${known.peptideAmountText} ${unit} ÷ ${known.solutionVolumeText} ml`,
    result: `${known.desiredDoseText} ${unit}`,
  };
}

/** The arithmetic of a result, step by step, with its numbers, so that it can be checked by hand. */
export function formulaLines(input: CalculationInput, known: FormulaTexts): FormulaLine[] {
  if (known.form === 'capsule') return drawLines(known, input);
  const lines: FormulaLine[] = [];
  if (input.solveFor === 'water') lines.push(waterLine(known, input));
  else if (isDisplaced(known)) lines.push(solutionLine(known));
  lines.push(...concentrationLines(known, input));
  if (input.solveFor === 'dose') lines.push(doseLine(known, input));
  return [...lines, ...drawLines(known, input), ...otherDoseLines(known)];
}
