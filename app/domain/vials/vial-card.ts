import type { DoseUnit } from '#app/domain/calculator/calculation.ts';
import {
  DOSE_MULTIPLES,
  drawTexts,
  UNKNOWN,
  type DoseCard,
  type DoseCardRow,
} from '#app/domain/calculator/dose-card.ts';
import { pictureOf, type SyringePicture } from '#app/domain/calculator/draw-words.ts';
import { defaultMark, isDrawn, syringeOf, type SyringeChoice } from '#app/domain/calculator/calculation.ts';
import { nearestMark, scaleOf, unitsOfVolume } from '#app/domain/calculator/nearest-mark.ts';
import { ceil, Decimal, quotient, ratio } from '#app/domain/decimal/decimal.ts';
import { rampDose, rampSteps } from '#app/domain/schedules/schedule-rule.ts';
import { doseText, fromBaseUnit, toBaseUnit, scaleWords } from '#app/domain/units/quantity.ts';
import {
  blendOf,
  componentDoses,
  containerOf,
  contentsOf,
  dosedAt,
  otherDoseTexts,
  strengthOf,
} from './contents.ts';
import { formOf, type Vial, type VialWithLedger } from './vial.ts';
import { vialLabel } from './vial-texts.ts';

/** A dose from a vial. */
export interface CardDose {
  /** Decimal text in `unit`. */
  readonly amount: string;
  readonly unit: DoseUnit;
  /** The component of a blend that it counts; the first if absent. */
  readonly doseOf?: string | null | undefined;
}

/** The most doses on a card: more would not fit a small sheet. */
const MOST_DOSES = 12;

/** The doses of a schedule: its own, or each step of its ramp. */
export function dosesOfSchedule({
  blend,
  doseAmount,
  doseUnit: unit,
  ramp,
}: {
  blend?: { doseOf: string } | null;
  doseAmount: string;
  doseUnit: DoseUnit;
  ramp: Parameters<typeof rampDose>[0] | null;
}): CardDose[] {
  const doseOf = blend?.doseOf;
  if (ramp === null) return [{ amount: doseAmount, unit, doseOf }];
  const steps = Math.min(rampSteps(ramp), MOST_DOSES - 1);
  return Array.from({ length: steps + 1 }, (_, step) => ({ amount: rampDose(ramp, step), unit, doseOf }));
}

/** The last dose in a vial's ledger that was not undone; null if there is none. */
export function lastDoseOf({ components, ledger }: VialWithLedger, unit: CardDose['unit']): CardDose | null {
  const undone = new Set(ledger.map(({ id }) => id));
  const last = ledger.findLast(
    ({ id, kind, mg }) => kind === 'dose' && mg.startsWith('-') && !undone.has(`${id}:undo`),
  );
  if (last === undefined) return null;
  const mg = new Decimal(last.mg).abs();
  return {
    amount: fromBaseUnit(mg, unit).toFixed(),
    unit,
    doseOf: components?.[last.component ?? 0]?.name,
  };
}

const mgOf = ({ amount, unit }: CardDose): Decimal => toBaseUnit(amount, unit);

/** Half, one and a half and double a dose, as far as a full vial holds them. */
function multiplesOf(vial: Vial, dose: CardDose): CardDose[] {
  const contents = contentsOf(vial);
  const held = contents[dosedAt(contents, { doseOf: dose.doseOf, name: vial.name })]?.amount ?? '0';
  return DOSE_MULTIPLES.map((times) => ({
    ...dose,
    amount: new Decimal(dose.amount).times(times).toFixed(),
  })).filter((one) => mgOf(one).lte(held) || one.amount === new Decimal(dose.amount).toFixed());
}

/** Each dose once, the smallest first. */
function inOrder(doses: readonly CardDose[]): CardDose[] {
  const isSame = (one: CardDose, other: CardDose) =>
    mgOf(one).eq(mgOf(other)) && (one.doseOf ?? '') === (other.doseOf ?? '');
  return doses
    .filter((dose, at) => doses.findIndex((other) => isSame(other, dose)) === at)
    .toSorted((one, other) => mgOf(one).cmp(mgOf(other)))
    .slice(0, MOST_DOSES);
}

interface DrawnRow {
  row: DoseCardRow;
  picture: SyringePicture | null;
}

/** What to draw for one dose, and the syringe filled with it. */
function rowOf(vial: Vial, dose: CardDose, choice: SyringeChoice, isMain: boolean): DrawnRow {
  const { amount, doseOf, unit } = dose;
  const contents = contentsOf(vial);
  const at = dosedAt(contents, { doseOf, name: vial.name });
  const blend = blendOf(vial, { doseOf, name: vial.name });
  const words = doseText(amount, unit);
  const named = {
    dose: blend === null ? words : `${words} ${blend.doseOf}`,
    others:
      blend === null ? [] : otherDoseTexts(componentDoses(vial.name, toBaseUnit(amount, unit), blend), unit),
    isMain,
  };
  const strength = strengthOf(vial, at);
  if (strength === null)
    return { row: { ...named, drawTo: UNKNOWN, exact: UNKNOWN, error: UNKNOWN }, picture: null };
  const syringe = syringeOf(choice);
  const scale = scaleOf({ ...containerOf(vial), syringe: choice });
  const mg = ratio<'mg'>(mgOf(dose));
  const volume = quotient<'ml'>(mg, strength);
  const mark = nearestMark({ volume, dose: mg }, scale, unit);
  const draws =
    scale.barrel === null ? 1 : Number(ceil(quotient(unitsOfVolume(volume, scale), scale.barrel)));
  return {
    row: { ...named, ...drawTexts(mark, volume, scale, scale.noun === 'unit' ? scaleWords(choice) : '') },
    picture: scale.barrel === null ? null : pictureOf(syringe, defaultMark(syringe), mark, draws),
  };
}

/**
 * The card of a vial: the doses of its schedules, otherwise a dose and its multiples.
 * @param planned of its schedules
 * @param usual the next dose or the last one, which the drawn syringe shows; null if there is neither
 */
export function vialCard(
  vial: Vial,
  { planned, usual }: { planned: readonly CardDose[]; usual: CardDose | null },
  syringe: SyringeChoice,
): DoseCard {
  const { contents, lines } = vialLabel(vial);
  const doses = planned.length > 0 ? planned : usual === null ? [] : multiplesOf(vial, usual);
  const main = usual ?? planned[0];
  const drawn = inOrder(doses).map((dose) =>
    rowOf(vial, dose, syringe, main !== undefined && mgOf(dose).eq(mgOf(main))),
  );
  const shown = drawn.find(({ row }) => row.isMain) ?? drawn[0];
  return {
    name: vial.name,
    facts: [
      ['Contents', contents],
      ...lines.filter(([label]) => label !== 'Syringe' && label !== 'Draw'),
      ...(isDrawn(formOf(vial)) ? [['Syringe', syringeOf(syringe).label] as const] : []),
    ],
    rows: drawn.map(({ row }) => row),
    picture: shown?.picture ?? null,
    notes: [
      ...(strengthOf(vial) === null ? ['What to draw is known once the vial is reconstituted.'] : []),
      ...(drawn.length === 0 ? ['No dose of this vial is planned or logged yet.'] : []),
    ],
  };
}
