import { calculateFigures } from '#app/domain/calculator/calculate.ts';
import type { SavedCalculation, CalculationInput } from '#app/domain/calculator/calculation.ts';
import { componentsText, splitComponents } from '#app/domain/calculator/components.ts';
import { doubleText, plainText, Decimal } from '#app/domain/decimal/decimal.ts';
import { toBaseUnit } from '#app/domain/units/quantity.ts';
import { parseCalculationForm } from '#app/domain/calculator/calculation-schema.ts';

import {
  fixed,
  number,
  text,
  type ExportableType,
  type ExportCells,
  type ImportCells,
  type ReadRow,
  readIdentity,
} from './record-type.ts';

const ID_PREFIX = 'calc';

/** Saved calculations. */
export const CALCULATIONS: ExportableType<SavedCalculation> = {
  idPrefix: ID_PREFIX,
  columns: [
    fixed('id'),
    fixed('createdAt'),
    fixed('type'),
    text('peptideName'),
    number('peptideAmount'),
    number('waterVolume'),
    number('desiredDose'),
    number('concentration'),
    number('injectionVolume'),
    fixed('concentrationText'),
    fixed('injectionVolumeText'),
    text('notes'),
    text('components'),
    text('doseOf'),
    number('measuredAmount'),
    text('form'),
    text('amountUnit'),
    number('clickMl'),
    number('sprayMl'),
    number('pieces'),
    number('vials'),
  ],
  printColumns: [
    { heading: 'Date', source: 'createdAt', width: 15, align: 'left' },
    { heading: 'Peptide', source: 'peptideName', width: 20, align: 'left', show: blendOnPaper },
    { heading: 'Amount', source: 'peptideAmount', width: 10, align: 'right', show: withUnit },
    { heading: 'Water, ml', source: 'waterVolume', width: 10, align: 'right' },
    { heading: 'Dose', source: 'desiredDose', width: 10, align: 'right', show: withUnit },
    { heading: 'Per ml', source: 'concentrationText', width: 9, align: 'right', show: withUnit },
    { heading: 'Volume, ml', source: 'injectionVolumeText', width: 10, align: 'right' },
    { heading: 'Notes', source: 'notes', width: 31, align: 'left' },
  ],
  cells: calculationCells,
  read: readCalculation,
};

/** Numbers without needless zeros, as most are entered, need no parsing. */
const PLAIN = /^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/;

const shortest = (entered: string): string => (PLAIN.test(entered) ? entered : plainText(entered));

/** The two displayed texts, from the doubles where rounding is certain, otherwise from the exact values. */
function shownTexts(saved: SavedCalculation): [concentration: string, volume: string] {
  const concentration = certainText(saved.concentration, 2);
  const volume = certainText(saved.injectionVolume, 3);
  if (concentration !== null && volume !== null) return [concentration, volume];
  const exact = calculateFigures(saved);
  return [exact.concentrationText, exact.injectionVolumeText];
}

/** The water in ml and the dose in mg, as entered or calculated. */
function waterAndDose(saved: SavedCalculation): [water: string, dose: string] {
  const { waterVolume, desiredDose, desiredDoseUnit } = saved;
  const dose = desiredDose === undefined ? null : inMg(desiredDose, desiredDoseUnit);
  if (waterVolume !== undefined && dose !== null) return [shortest(waterVolume), dose];
  const exact = calculateFigures(saved);
  return [
    waterVolume === undefined ? doubleText(exact.waterVolume) : shortest(waterVolume),
    dose ?? doubleText(exact.desiredDose),
  ];
}

/** Up to this many digits, a decimal survives conversion to a double and back. */
const SURE_DIGITS = 15;

function inMg(entered: string, unit: SavedCalculation['desiredDoseUnit']): string {
  if (unit !== 'mcg') return shortest(entered);
  return entered.length <= SURE_DIGITS
    ? doubleText(Number(`${entered}e-3`))
    : toBaseUnit(entered, unit).toFixed();
}

/** The row of a saved calculation. Amounts are mg and ml, numbers the shortest decimals, shown texts as on the page. */
function calculationCells(saved: SavedCalculation): ExportCells {
  const [water, dose] = waterAndDose(saved);
  const [concentration, volume] = shownTexts(saved);
  return [
    saved.id,
    saved.createdAt.toISOString(),
    saved.type,
    saved.peptideName ?? null,
    shortest(saved.peptideAmount),
    water,
    dose,
    doubleText(saved.concentration),
    doubleText(saved.injectionVolume),
    concentration,
    volume,
    saved.notes ?? null,
    saved.components === undefined ? null : componentsText(saved.components),
    saved.doseOf ?? null,
    saved.measuredAmount === undefined ? null : shortest(saved.measuredAmount),
    saved.form ?? null,
    saved.amountUnit ?? null,
    ...[saved.clickMl, saved.sprayMl, saved.pieces, saved.vials].map((number) =>
      number === undefined ? null : shortest(number),
    ),
  ];
}

/** "5 mg", "5000 IU". */
function withUnit(amount: string, of: (column: string) => string): string {
  return amount === '' ? '' : `${amount} ${of('amountUnit') || 'mg'}`;
}

/** A blend with its components. The amount column has the component that the dose is for. */
function blendOnPaper(name: string, of: (column: string) => string): string {
  const parts = splitComponents(of('components')).map((part) => `${part.name} ${part.amount} mg`);
  return parts.length < 2 ? name : `${name} (${parts.join(', ')}; dose of ${of('doseOf')})`;
}

/** Doubles that differ by less come from the same numbers, exported and read again. */
const SAME = 1e-9;

const near = (a: number, b: number): boolean => Math.abs(a - b) <= SAME * Math.max(Math.abs(a), Math.abs(b));

/**
 * The powder displacement in µl/mg, which an export does not contain but its concentration implies:
 * concentration = amount ÷ (water + all amounts × displacement ÷ 1000), the calculator's own formula, solved for the
 * displacement.
 */
function displacementOf(
  { peptideAmount: printed, measuredAmount, components }: CalculationInput,
  water: string,
  concentration: string,
): string {
  const peptideAmount = measuredAmount ?? printed;
  const solution = new Decimal(peptideAmount).div(concentration);
  const amounts = components?.map(({ amount }) => amount) ?? [peptideAmount];
  const total = amounts.reduce((sum, amount) => sum.plus(amount), new Decimal(0));
  const perMg = solution.minus(water).times(1000).div(total);
  // A displacement is measured to hundredths; further digits come from rounding the double.
  const rounded = perMg.round(6);
  return rounded.lte(0) ? '0' : rounded.toFixed();
}

/** The form's fields when solving for volume, the only mode for which a row has every number. */
function fieldsOf(cells: ImportCells, more: Record<string, string> = {}): Record<string, string> {
  const { peptideAmount = '', waterVolume = '', desiredDose = '', peptideName = '', notes = '' } = cells;
  const { components = '', doseOf = '', measuredAmount = '' } = cells;
  const { form = '', amountUnit = '', clickMl = '', sprayMl = '', pieces = '', vials = '' } = cells;
  const desiredDoseUnit = amountUnit === 'IU' ? 'IU' : 'mg';
  const numbers = { solveFor: 'volume', peptideAmount, waterVolume, desiredDose, desiredDoseUnit };
  const container = { form, amountUnit, clickMl, sprayMl, pieces, vials };
  return { ...numbers, ...container, components, doseOf, measuredAmount, peptideName, notes, ...more };
}

interface FiguresOfRow {
  concentration: number | null;
  injectionVolume: number | null;
}

function figuresOf({ concentration, injectionVolume }: ImportCells): FiguresOfRow {
  const numberOf = (text: string | undefined) => (text === undefined ? null : Number(text));
  return { concentration: numberOf(concentration), injectionVolume: numberOf(injectionVolume) };
}

function leadsTo(input: CalculationInput, { concentration, injectionVolume }: FiguresOfRow): boolean {
  const figures = calculateFigures(input);
  return (
    (concentration === null || near(figures.concentration, concentration)) &&
    (injectionVolume === null || near(figures.injectionVolume, injectionVolume))
  );
}

function withDisplacement(cells: ImportCells, plain: CalculationInput): Record<string, string> {
  const { waterVolume, concentration } = cells;
  const known = [waterVolume, concentration].every(
    (text) => text !== undefined && /^\d+(\.\d+)?$/.test(text) && Number(text) > 0,
  );
  if (!known) return {};
  return { displacement: displacementOf(plain, waterVolume ?? '', concentration ?? '') };
}

/** The inputs that give a row's figures, with powder displacement if needed; null if none do. */
function inputOf(cells: ImportCells, plain: CalculationInput): CalculationInput | null {
  const figures = figuresOf(cells);
  if (leadsTo(plain, figures)) return plain;
  const displaced = parseCalculationForm(fieldsOf(cells, withDisplacement(cells, plain)));
  return displaced.ok && leadsTo(displaced.input, figures) ? displaced.input : null;
}

/**
 * A calculation from a row of an export. An export has the figures but not which one was solved for, so this one solves
 * for the volume, with the displacement that the concentration implies and the default syringe. The two doubles are kept
 * as they are in the row.
 */
function readCalculation(cells: ImportCells): ReadRow {
  const identity = readIdentity(cells, ID_PREFIX, 'a calculation');
  if (typeof identity === 'string') return { reason: identity };
  if ((cells['type'] ?? 'reconstitution') !== 'reconstitution')
    return { reason: 'type: Only reconstitution calculations can be imported' };
  const parsed = parseCalculationForm(fieldsOf(cells));
  if (!parsed.ok) {
    const reasons = Object.entries(parsed.fields).map(([field, [message = '']]) => `${field}: ${message}`);
    return { reason: reasons.join('; ') };
  }
  const input = inputOf(cells, parsed.input);
  if (input === null) return { reason: 'concentration: This does not match the amount, water and dose' };
  const { concentration, injectionVolume } = figuresOf(cells);
  const figures = calculateFigures(input);
  return {
    record: {
      type: 'calculations',
      ...identity,
      input,
      concentration: concentration ?? figures.concentration,
      injectionVolume: injectionVolume ?? figures.injectionVolume,
    },
  };
}

/** A double this close to a rounding boundary, in units of the last digit, may be on the wrong side of it. */
const DOUBTFUL = 1e-6;
/** Up to this value a double's own error is far smaller than that distance. */
const LARGEST = 1e7;

/**
 * The text of a value rounded half-up, if its nearest double is enough to tell. Rounding can only go wrong if the value
 * is close to the middle between two texts.
 * @param double nearest to the exact value, not negative
 * @returns null when the exact value is needed
 */
export function certainText(double: number, decimals: number): string | null {
  const scaled = double * 10 ** decimals;
  if (!(scaled < LARGEST)) return null;
  const rest = scaled - Math.floor(scaled);
  return Math.abs(rest - 0.5) < DOUBTFUL ? null : double.toFixed(decimals);
}
