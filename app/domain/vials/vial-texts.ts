import type { DoseUnit } from '#app/domain/calculator/calculation.ts';
import {
  Decimal,
  fixedText,
  floor,
  quotient,
  ratio,
  shortText,
  type Ratio,
} from '#app/domain/decimal/decimal.ts';
import { figureText } from '#app/domain/decimal/figure-text.ts';
import { ratioFigure, unitsOf, unitsText } from '#app/domain/units/quantity.ts';
import { countDays, shownDay } from '#app/domain/time/calendar.ts';
import {
  formOf,
  isLow,
  isFinal,
  isReadyMade,
  measureOf,
  strengthUnitOf,
  type Vial,
  type VialStatus,
  type LedgerEntry,
  type LedgerKind,
  type VialWithLedger,
  expiryOf,
  type Expiry,
  beyondUseDay,
} from './vial.ts';
import {
  containerOf,
  strengthOf,
  costOfDose,
  drawOf,
  blendOf,
  componentDoses,
  contentsOf,
  dosedAt,
  leftOf,
  otherDoseTexts,
} from './contents.ts';
import {
  DEFAULT_SYRINGE,
  syringeOf,
  isDrawn,
  type ContainerForm,
  type NearestMark,
  type SubstanceUnit,
  type SyringeChoice,
} from '#app/domain/calculator/calculation.ts';
import { plural } from '#app/domain/text/plural.ts';
import { shownInstant } from '#app/domain/time/zoned-time.ts';

/** One component of a blend as text: what is left, the total, and the strength (null if unknown). Serialisable. */
export interface PartTexts {
  name: string;
  remainingText: string;
  totalText: string;
  strengthText: string | null;
}

/** A vial as display text, so that the page needs no decimal arithmetic. Serialisable. */
export interface VialRow {
  id: string;
  name: string;
  status: VialStatus;
  statusText: string;
  /** The unit of its amounts, and of its strength: "mg/ml", "IU/ml", "mg each". */
  unit: SubstanceUnit;
  strengthUnit: string;
  /** "Pen, 0.01 ml a click"; null for powder. */
  formText: string | null;
  /** What is left, never negative; `overdrawnText` has the excess. */
  remainingText: string;
  totalText: string;
  /** Whole percent left, 0…100. */
  percent: number;
  /** With 2 decimals; null if unknown. */
  strengthText: string | null;
  /** The components of a blend; empty for a single peptide. */
  parts: PartTexts[];
  isLow: boolean;
  overdrawnText: string | null;
  /** Null for an empty or discarded vial. */
  date: { state: Expiry['state']; text: string } | null;
  lot: string | null;
  /** The id of that lot; null if it has no page. */
  lotId: string | null;
}

/** The words for what is not powder. */
const FORM_TEXTS: Readonly<Record<Exclude<ContainerForm, 'powder'>, string>> = {
  solution: 'Solution',
  pen: 'Pen',
  spray: 'Spray',
  capsule: 'Capsules',
};

/** "Pen, 0.01 ml a click", "60 capsules"; null for powder. */
function formText(vial: Vial): string | null {
  const form = formOf(vial);
  const { clickMl, sprayMl, pieces } = vial;
  if (form === 'powder') return null;
  if (form === 'pen' && clickMl !== null) return `Pen, ${figureText(clickMl)} ml a click`;
  if (form === 'spray' && sprayMl !== null) return `Spray, ${figureText(sprayMl)} ml each`;
  if (form === 'capsule' && pieces !== null) return plural(Number(pieces), 'capsule');
  return FORM_TEXTS[form];
}

const STATUS_TEXTS: Readonly<Record<VialStatus, string>> = {
  sealed: 'Sealed',
  reconstituted: 'Reconstituted',
  in_use: 'In use',
  empty: 'Empty',
  discarded: 'Discarded',
};

export const statusText = (status: VialStatus): string => STATUS_TEXTS[status];

/** The status of a vial: what was bought ready to use is unopened and never sealed powder. */
const statusOfVial = (vial: Vial): string =>
  vial.status === 'sealed' && isReadyMade(vial) ? 'Unopened' : statusText(vial.status);

function dateText({ state, lastDay, daysLeft }: Expiry): string {
  if (lastDay === null || daysLeft === null) return 'No date yet';
  if (state === 'past') return `Past ${shownDay(lastDay)}`;
  if (state === 'good') return `Use by ${shownDay(lastDay)}`;
  return daysLeft === 0 ? 'Last day today' : `${countDays(daysLeft)} left`;
}

/** The concentration with 2 decimals, for the API; null if unknown. */
export function strengthText(vial: Vial): string | null {
  const strength = strengthOf(vial);
  return strength === null ? null : fixedText(strength, 2);
}

/** The concentration for pages, labels and reports: "2.5"; null if unknown. @param at the component's index */
export function strengthFigure(vial: Vial, at = 0): string | null {
  const strength = strengthOf(vial, at);
  if (strength === null) return null;
  return strength.n < strength.d ? ratioFigure(strength) : figureText(shortText(strength, 2));
}

/** What is left, never negative (nor "-0"), and what was over-drawn. */
export function remainingOf(vial: Pick<Vial, 'remaining'>): { left: string; overdrawn: string | null } {
  const balance = new Decimal(vial.remaining);
  if (balance.gte(0)) return { left: balance.toFixed(), overdrawn: null };
  return { left: '0', overdrawn: balance.abs().toFixed() };
}

/** An amount for pages: at most 6 decimals, because a blend's amounts may not terminate. */
const mgFigure = (mg: Ratio<'mg'>): string => figureText(shortText(mg, 6));

function partsOf(vial: Vial): PartTexts[] {
  if (vial.components === undefined) return [];
  return vial.components.map(({ name, amount }, at) => {
    const left = leftOf(vial, at);
    return {
      name,
      remainingText: left.n < 0n ? '0' : mgFigure(left),
      totalText: figureText(amount),
      strengthText: strengthFigure(vial, at),
    };
  });
}

/** "4.75 of 5 mg, 2.5 mg/ml"; for a blend, each component with its name. */
export function contentsText(
  row: Pick<VialRow, 'remainingText' | 'totalText' | 'strengthText' | 'unit' | 'strengthUnit' | 'parts'>,
): string {
  const { unit, strengthUnit } = row;
  const one = ({ remainingText, totalText, strengthText }: Omit<PartTexts, 'name'>): string =>
    `${remainingText} of ${totalText} ${unit}${strengthText === null ? '' : `, ${strengthText} ${strengthUnit}`}`;
  return row.parts.length === 0 ? one(row) : row.parts.map((part) => `${part.name} ${one(part)}`).join('; ');
}

/** A vial's contents as text, by component for a blend. */
const heldWords = (vial: Vial, one: (part: Omit<PartTexts, 'name' | 'strengthText'>) => string): string => {
  const parts = partsOf(vial);
  if (parts.length > 0) return parts.map((part) => `${part.name} ${one(part)}`).join(' + ');
  return one({ remainingText: figureText(vial.remaining), totalText: figureText(vial.totalAmount) });
};

/** "4.75 mg"; for a blend "BPC-157 4.75 mg + TB-500 9.5 mg". */
export const leftWords = (vial: Vial): string =>
  heldWords(vial, ({ remainingText }) => `${remainingText} ${measureOf(vial)}`);

/** "4.75 of 5 mg"; for a blend "BPC-157 4.75 of 5 mg + TB-500 9.5 of 10 mg". */
export const leftOfWords = (vial: Vial): string =>
  heldWords(vial, ({ remainingText, totalText }) => `${remainingText} of ${totalText} ${measureOf(vial)}`);

function percentLeft(vial: Vial): number {
  const share = ratio(new Decimal(remainingOf(vial).left).times(100), new Decimal(vial.totalAmount));
  return Math.min(100, Number(fixedText(share, 0)));
}

/** A row of the list. @param day today in the owner's zone */
export function vialRow(vial: Vial, day: string): VialRow {
  const expiry = expiryOf(vial, day);
  const { left, overdrawn } = remainingOf(vial);
  return {
    id: vial.id,
    name: vial.name,
    status: vial.status,
    statusText: statusOfVial(vial),
    unit: measureOf(vial),
    strengthUnit: strengthUnitOf(vial),
    formText: formText(vial),
    remainingText: vial.components === undefined ? figureText(left) : mgFigure(ratio(new Decimal(left))),
    parts: partsOf(vial),
    totalText: figureText(vial.totalAmount),
    percent: percentLeft(vial),
    strengthText: strengthFigure(vial),
    isLow: isLow(vial),
    overdrawnText: overdrawn === null ? null : mgFigure(ratio(new Decimal(overdrawn))),
    date: isFinal(vial) ? null : { state: expiry.state, text: dateText(expiry) },
    lot: vial.lot,
    lotId: vial.lotId ?? null,
  };
}

/** A ledger entry as text. */
export interface LedgerRow {
  id: string;
  /** ISO 8601; `when` is the same instant in the reader's zone. */
  at: string;
  when: string;
  what: string;
  /** With its sign: "−0.25", "+0.25"; the unit is the vial's. */
  change: string;
  reason: string | null;
}

type Fact = readonly [label: string, text: string];

/** Everything that a vial's page shows. Serialisable. */
export interface VialDetail extends VialRow {
  /** ml left, at most 3 decimals; null if the strength is unknown. */
  leftMlText: string | null;
  facts: Fact[];
  notes: string | null;
  /** Newest first. */
  ledger: LedgerRow[];
  foldedCount: number;
  /** True if doses can be logged from it: powder once it is reconstituted, anything else at once. */
  isUsable: boolean;
  /** True if a syringe draws from it. */
  isDrawn: boolean;
}

const KINDS: Readonly<Record<LedgerKind, string>> = {
  dose: 'Dose',
  correction: 'Correction',
  spill: 'Spill',
  discard: 'Discarded',
  import: 'Import',
};

const signed = (mg: string): string =>
  mg.startsWith('-') ? `−${figureText(mg.slice(1))}` : `+${figureText(mg)}`;

function ledgerRow(
  { id, kind, mg, component = 0, reason, at }: LedgerEntry,
  timeZone: string,
  vial: Pick<Vial, 'components' | 'amountUnit'>,
): LedgerRow {
  const { components } = vial;
  const act = kind === 'dose' && id.endsWith(':undo') ? 'Dose undone' : KINDS[kind];
  const what =
    components === undefined ? act : `${act}, ${measureOf(vial)} of ${components[component]?.name ?? ''}`;
  return { id, at: at.toISOString(), when: shownInstant(at, timeZone), what, change: signed(mg), reason };
}

const day = (value: string | null): string | null => (value === null ? null : shownDay(value));
const withUnit = (value: string | null, unit: string): string | null =>
  value === null ? null : `${figureText(value)} ${unit}`;

function factsOf(vial: Vial, timeZone: string): Fact[] {
  const { openedAt, displacement, cost, currency } = vial;
  const facts: readonly (readonly [string, string | null])[] = [
    [isReadyMade(vial) ? 'Volume' : 'Water added', withUnit(vial.waterMl, 'ml')],
    ['Powder displacement', displacement === '0' ? null : `${figureText(displacement)} µl/mg`],
    ['Reconstituted', day(vial.reconstitutionDate)],
    ['First drawn from', openedAt === null ? null : shownInstant(openedAt, timeZone)],
    ['Last day of use', day(beyondUseDay(vial))],
    ['Storage', vial.storageTemp],
    ['Lot', vial.lot],
    ['Paid', cost === null ? null : [cost, currency].filter(Boolean).join(' ')],
    ['Added', shownInstant(vial.createdAt, timeZone)],
  ];
  return facts.flatMap(([label, text]) => (text === null || text === '' ? [] : [[label, text] as const]));
}

/** A vial for its page, with dates in the owner's zone. */
export function vialDetail(vial: VialWithLedger, today: string, timeZone: string): VialDetail {
  const strength = strengthOf(vial);
  const left = ratio<'mg'>(new Decimal(remainingOf(vial).left));
  return {
    ...vialRow(vial, today),
    leftMlText:
      strength === null || formOf(vial) === 'capsule'
        ? null
        : figureText(shortText(quotient<'ml'>(left, strength), 3)),
    facts: factsOf(vial, timeZone),
    notes: vial.notes,
    ledger: vial.ledger.map((entry) => ledgerRow(entry, timeZone, vial)).reverse(),
    foldedCount: vial.foldedCount,
    isUsable: vial.reconstitutionDate !== null || isReadyMade(vial),
    isDrawn: isDrawn(formOf(vial)),
  };
}

/** The draw for a dose from a vial, as text. */
export interface DoseOfVial {
  /** Null if the vial's strength is unknown. */
  ml: string | null;
  units: string | null;
  /** Null if the strength is unknown. */
  mark: NearestMark | null;
  /** The other components in the draw, "TB-500 250 mcg"; absent for a single peptide. */
  others?: string[];
  /** Whole doses left. */
  dosesLeft: string;
  /** With the currency; null if the price is unknown. */
  cost: string | null;
}

/**
 * What to draw for a dose, how many doses are left and what one costs.
 * @param doseMg decimal text above zero, in mg or IU
 * @param doseOf for a blend, the component that the dose counts; the first by default
 */
export function doseOfVial(
  vial: Vial,
  doseMg: string,
  syringe: SyringeChoice,
  { doseOf, unit = 'mg' }: { doseOf?: string | null; unit?: DoseUnit } = {},
): DoseOfVial {
  const blend = blendOf(vial, { doseOf, name: vial.name });
  const at = dosedAt(contentsOf(vial), { doseOf, name: vial.name });
  const draw = drawOf(vial, doseMg, syringe, at, unit);
  const cost = costOfDose(vial, doseMg, at);
  const available = leftOf(vial, at);
  const left = quotient<'times'>(available.n < 0n ? { n: 0n, d: 1n } : available, ratio(new Decimal(doseMg)));
  return {
    ...(blend !== null && {
      others: otherDoseTexts(componentDoses(vial.name, new Decimal(doseMg), blend), unit),
    }),
    ml: draw === null || formOf(vial) === 'capsule' ? null : figureText(draw.volumeText),
    units: draw === null ? null : figureText(draw.unitsText),
    mark: draw?.nearestMark ?? null,
    dosesLeft: String(floor(left)),
    cost: cost === null ? null : [cost, vial.currency].filter(Boolean).join(' '),
  };
}

/** The text on a vial's label. Serialisable. */
export interface VialLabelTexts {
  name: string;
  /** "5 mg, 2.5 mg/ml"; for a blend "BPC-157 5 mg, 2.5 mg/ml; TB-500 5 mg, 2.5 mg/ml". */
  contents: string;
  lines: (readonly [label: string, text: string])[];
}

/** "1 mg is 40 units", "100 IU is 4 units", "1 IU is 10 clicks", for a blend "1 mg of BPC-157 is 40 units". */
function unitsPerMgText(
  vial: Vial,
  syringe: SyringeChoice,
  one = measureOf(vial) === 'IU' && isDrawn(formOf(vial)) ? '100' : '1',
): string {
  const contents = contentsOf(vial);
  const read = contents.map(({ name }, at) => {
    const strength = strengthOf(vial, at);
    const amount = `${one} ${measureOf(vial)}`;
    const what = contents.length === 1 ? amount : `${amount} of ${name}`;
    const container = containerOf(vial);
    return strength === null
      ? ''
      : `${what} is ${unitsText(unitsOf(new Decimal(one), strength, syringe, container), syringe, container)}`;
  });
  return read.join(', ');
}

/**
 * The label of a vial: name, concentration, dates and storage.
 * @param syringe of its owner
 */
export function vialLabel(vial: Vial, syringe: SyringeChoice = DEFAULT_SYRINGE): VialLabelTexts {
  const { scale, unitsPerMl } = syringeOf(syringe);
  const strength = strengthFigure(vial);
  const day = (value: string | null) => (value === null ? null : shownDay(value));
  const contents = contentsOf(vial);
  const held = contents.map(({ name, amount }, at) => {
    const own = strengthFigure(vial, at);
    const figures = `${figureText(amount)} ${measureOf(vial)}${own === null ? '' : `, ${own} ${strengthUnitOf(vial)}`}`;
    return contents.length === 1 ? figures : `${name} ${figures}`;
  });
  const lines: readonly (readonly [label: string, text: string | null])[] = [
    ['Reconstituted', day(vial.reconstitutionDate)],
    ['Use by', day(beyondUseDay(vial))],
    ['Lot', vial.lot],
    ['Form', formText(vial)],
    isDrawn(formOf(vial))
      ? [
          'Syringe',
          strength === null
            ? null
            : `${scale === 'ml' ? 'Marked in ml' : `U-${unitsPerMl}`}: ${unitsPerMgText(vial, syringe)}`,
        ]
      : ['Draw', strength === null || formOf(vial) === 'capsule' ? null : unitsPerMgText(vial, syringe)],
    ['Store', vial.storageTemp],
  ];
  return {
    name: vial.name,
    contents: held.join('; '),
    lines: lines.flatMap(([label, text]) => (text === null ? [] : [[label, text] as const])),
  };
}
