import {
  compare,
  Decimal,
  exactText,
  fixedText,
  plainText,
  product,
  quotient,
  ratio,
  readableText,
  shortText,
  sum,
  type Ratio,
} from '#app/domain/decimal/decimal.ts';
import { figureText } from '#app/domain/decimal/figure-text.ts';
import { ratioFigure, scaleWords } from '#app/domain/units/quantity.ts';
import { calculate } from './calculate.ts';
import {
  isDrawn,
  type CalculationInput,
  type CalculationResult,
  type DoseUnit,
  type NearestMark,
} from './calculation.ts';
import {
  countUnits,
  drawToText,
  markErrorText,
  pictureOf,
  resultNotes,
  type SyringePicture,
} from './draw-words.ts';
import { doseWithUnit, nearestMark, scaleOf, scaleText, unitsOfVolume, type Scale } from './nearest-mark.ts';
import { solve, solveComponents, type Solution } from './solve.ts';

/** One dose on a card, and what to draw for it. */
export interface DoseCardRow {
  /** "250 mcg"; of a blend "250 mcg TB-500". */
  readonly dose: string;
  /** The other components of a blend in the same draw, "BPC-157 250 mcg". */
  readonly others: readonly string[];
  /** The nearest mark: "10 units", "5 clicks"; "–" if the concentration is unknown. */
  readonly drawTo: string;
  /** "0.1 ml", "5.3 clicks, 0.053 ml"; "–" if the concentration is unknown. */
  readonly exact: string;
  /** How far the mark is off the dose: "exact", "2.5% less"; "–" if nothing can be measured. */
  readonly error: string;
  /** The dose that the card was made for. */
  readonly isMain: boolean;
}

/** A printable card: what to draw for each of a few doses from one container. Serialisable. */
export interface DoseCard {
  /** Null for a substance without a name. */
  readonly name: string | null;
  readonly facts: readonly (readonly [label: string, text: string])[];
  readonly rows: readonly DoseCardRow[];
  /** Null where nothing is drawn, as from a pen. */
  readonly picture: SyringePicture | null;
  readonly notes: readonly string[];
}

/** The doses beside the one that was asked for, as multiples of it. */
export const DOSE_MULTIPLES = ['0.5', '1', '1.5', '2'] as const;

export const UNKNOWN = '–';

/** "2,500 mcg" from "2500 mcg". */
export function withFigure(text: string): string {
  const [number = '', ...unit] = text.split(' ');
  return [figureText(number), ...unit].join(' ');
}

/** A dose and the volume that holds it, exactly. */
export interface DosedVolume {
  readonly dose: Ratio<'mg'>;
  readonly volume: Ratio<'ml'>;
}

function exactDraw(volume: Ratio<'ml'>, scale: Scale): string {
  const ml = `${figureText(fixedText(volume, 3))} ml`;
  if (scale.noun === 'ml' || scale.noun === 'unit') return ml;
  const counted = countUnits(scaleText(unitsOfVolume(volume, scale), scale), '', scale.noun);
  return scale.noun === 'capsule' ? counted : `${counted}, ${ml}`;
}

/** What to draw for a dose, as a row of a card. @param scaleName of a syringe other than U-100: "U-40 " */
export function drawTexts(
  mark: NearestMark,
  volume: Ratio<'ml'>,
  scale: Scale,
  scaleName: string,
): Pick<DoseCardRow, 'drawTo' | 'exact' | 'error'> {
  return {
    drawTo: drawToText(mark, scaleName),
    exact: exactDraw(volume, scale),
    error: mark.isExact ? 'exact' : (markErrorText(mark) ?? UNKNOWN),
  };
}

/** A concentration as a figure: at most 2 decimals, more below 1. */
export const strengthFigureOf = (strength: Ratio<'mg/ml'>): string =>
  strength.n < strength.d ? ratioFigure(strength) : figureText(shortText(strength, 2));

/** What the container holds in ml, or in pieces for capsules; null if nobody knows. */
function heldVolume(input: CalculationInput, exact: Solution): Ratio<'ml'> | null {
  if (input.form !== 'capsule') return exact.solution;
  const { pieces, vials = '1' } = input;
  return pieces === undefined ? null : ratio(new Decimal(pieces).times(vials));
}

/** True if the container holds the draw, what is lost with it included, and the nearest mark is no more than it holds. */
function fits({ volume }: DosedVolume, mark: NearestMark, input: CalculationInput, exact: Solution): boolean {
  if (mark.units === 0) return false;
  const held = heldVolume(input, exact);
  if (held === null) return true;
  const lost = ratio<'ml'>(new Decimal(input.form === 'capsule' ? '0' : (input.deadSpaceMl ?? '0')));
  const marked = quotient<'ml'>(ratio(new Decimal(String(mark.units))), scaleOf(input).perMl);
  return compare(sum(volume, lost), held) <= 0 && compare(marked, held) <= 0;
}

function multipleText(input: CalculationInput, dose: Ratio<'mg'>, multiple: string): string {
  const { desiredDose = '0', desiredDoseUnit: unit, solveFor } = input;
  if (solveFor === 'dose') return withFigure(doseWithUnit(dose, unit));
  return `${figureText(plainText(new Decimal(desiredDose).times(multiple).toFixed()))} ${unit}`;
}

/** The other components of a blend in a multiple of the dose. */
function otherTexts(
  input: CalculationInput,
  exact: Solution,
  times: Ratio<'times'>,
  unit: DoseUnit,
): string[] {
  const { components = [], doseOf } = input;
  if (components.length < 2) return [];
  return solveComponents(input, exact).flatMap(({ dose }, at) => {
    const name = components[at]?.name ?? '';
    return name === doseOf ? [] : [`${name} ${withFigure(doseWithUnit(product(dose, times), unit))}`];
  });
}

function rowsOf(input: CalculationInput, exact: Solution): DoseCardRow[] {
  const scale = scaleOf(input);
  const { desiredDoseUnit: unit, doseOf } = input;
  const scaleName = scale.noun === 'unit' ? scaleWords(input.syringe) : '';
  return DOSE_MULTIPLES.flatMap((multiple) => {
    const times = ratio<'times'>(new Decimal(multiple));
    const drawn = {
      dose: product<'mg'>(exact.dose, times),
      volume: product<'ml'>(exact.volume, times),
    };
    const mark = nearestMark(drawn, scale, unit);
    const isMain = multiple === '1';
    if (!isMain && !fits(drawn, mark, input, exact)) return [];
    const dose = multipleText(input, drawn.dose, multiple);
    return [
      {
        dose: doseOf === undefined ? dose : `${dose} ${doseOf}`,
        others: otherTexts(input, exact, times, unit),
        ...drawTexts(mark, drawn.volume, scale, scaleName),
        isMain,
      },
    ];
  });
}

/** A text for each component of a blend with its name, or one without a name. */
function byComponent(result: CalculationResult, texts: readonly string[]): string {
  if (texts.length === 1) return texts[0] ?? '';
  return texts.map((text, at) => `${result.components[at]?.name ?? ''} ${text}`).join('; ');
}

function factsOf(input: CalculationInput, exact: Solution, result: CalculationResult): DoseCard['facts'] {
  const { amountUnit: unit, components, form, syringe } = result;
  const held = byComponent(
    result,
    components.map(({ amountText }) => `${figureText(amountText)} ${unit}`),
  );
  const strengths = solveComponents(input, exact).map(({ concentration }) => strengthFigureOf(concentration));
  const concentration = byComponent(
    result,
    strengths.map((strength) => `${strength} ${unit}/ml`),
  );
  const waterMl = `${figureText(
    input.solveFor === 'water' ? readableText(exact.water) : exactText(exact.water),
  )} ml`;
  const isPowder = form === 'powder';
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    ['Containers put together', input.vials],
    ['In each capsule', form === 'capsule' ? held : null],
    ['Capsules', input.pieces === undefined ? null : figureText(input.pieces)],
    ['Contents', form === 'capsule' ? null : isPowder ? held : `${held} in ${waterMl}`],
    ['Water', isPowder ? waterMl : null],
    ['Powder displacement', input.displacement === '0' ? null : `${result.displacementText} µl/${unit}`],
    ['Concentration', form === 'capsule' ? null : concentration],
    ['One click', form === 'pen' && input.clickMl ? `${figureText(input.clickMl)} ml` : null],
    ['One spray', form === 'spray' && input.sprayMl ? `${figureText(input.sprayMl)} ml` : null],
    ['Syringe', isDrawn(form) ? syringe.label : null],
    ['Doses held', result.dosesPerVial === null ? null : figureText(String(result.dosesPerVial))],
  ];
  return facts.flatMap(([label, text]) =>
    text === null || text === undefined ? [] : [[label, text] as const],
  );
}

/**
 * The card of a calculation: its dose, and half, one and a half and double of it as far as the container holds them and they
 * can be measured.
 * @param input within the limits
 */
export function resultCard(input: CalculationInput): DoseCard {
  const exact = solve(input);
  const result = calculate(input);
  const { form, syringe, mark, nearestMark: nearest, drawsNeeded, measured, peptideName } = result;
  return {
    name: peptideName || null,
    facts: factsOf(input, exact, result),
    rows: rowsOf(input, exact),
    picture: isDrawn(form) ? pictureOf(syringe, mark, nearest, drawsNeeded) : null,
    notes: [
      ...(measured === undefined ? [] : [measured.note]),
      ...result.warnings.map(({ message }) => message),
      ...resultNotes(result),
    ],
  };
}

/** The columns of a card, with their shares of its width. */
export const CARD_COLUMNS = [
  { key: 'dose', heading: 'Dose', width: 4 },
  { key: 'drawTo', heading: 'Nearest mark', width: 4 },
  { key: 'exact', heading: 'Exactly', width: 4 },
  { key: 'error', heading: 'Error', width: 3 },
] as const;
