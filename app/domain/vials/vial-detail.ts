import { Decimal } from '#app/domain/decimal/decimal.ts';
import { fixedText } from '#app/domain/decimal/rounded-text.ts';
import { floor, quotient, ratio } from '#app/domain/decimal/ratio.ts';
import type { SyringeId } from '#app/domain/calculator/syringes.ts';
import { shownDay } from '#app/domain/time/format-day.ts';
import { shownInstant } from '#app/domain/time/format-instant.ts';
import { beyondUseDay } from './beyond-use.ts';
import { costOfDose } from './vial-cost.ts';
import { drawOf } from './draw-volume.ts';
import { strengthOf } from './concentration.ts';
import { remainingOf, vialRow, type VialRow } from './vial-texts.ts';
import type { LedgerEntry, LedgerKind, Vial, VialWithLedger } from './vial.ts';

/** An entry of the ledger as texts. */
export interface LedgerRow {
  id: string;
  /** ISO 8601, and the same in the reader's zone. */
  at: string;
  when: string;
  what: string;
  /** mg with its sign: "−0.25", "+0.25". */
  change: string;
  reason: string | null;
}

/** A fact of the vial: a label and its text. */
export type Fact = readonly [label: string, text: string];

/** A vial with everything that its page shows. Serialisable. */
export interface VialDetail extends VialRow {
  /** ml that are left, 3 decimals; null when the strength is unknown. */
  leftMlText: string | null;
  facts: Fact[];
  notes: string | null;
  /** Newest first. */
  ledger: LedgerRow[];
  foldedCount: number;
  isReconstituted: boolean;
}

const KINDS: Readonly<Record<LedgerKind, string>> = {
  dose: 'Dose',
  correction: 'Correction',
  spill: 'Spill',
  discard: 'Discarded',
  import: 'Import',
};

const signed = (mg: string): string => (mg.startsWith('-') ? `−${mg.slice(1)}` : `+${mg}`);

function ledgerRow({ id, kind, mg, reason, at }: LedgerEntry, timeZone: string): LedgerRow {
  const what = kind === 'dose' && id.endsWith(':undo') ? 'Dose undone' : KINDS[kind];
  return { id, at: at.toISOString(), when: shownInstant(at, timeZone), what, change: signed(mg), reason };
}

const day = (value: string | null): string | null => (value === null ? null : shownDay(value));
const withUnit = (value: string | null, unit: string): string | null =>
  value === null ? null : `${value} ${unit}`;

function factsOf(vial: Vial, timeZone: string): Fact[] {
  const { openedAt, displacement, cost, currency } = vial;
  const facts: readonly (readonly [string, string | null])[] = [
    ['Water added', withUnit(vial.waterMl, 'ml')],
    ['Powder displacement', displacement === '0' ? null : `${displacement} µl/mg`],
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

/** A vial for its page, with days as they are in the owner's zone. */
export function vialDetail(vial: VialWithLedger, today: string, timeZone: string): VialDetail {
  const strength = strengthOf(vial);
  const left = ratio<'mg'>(new Decimal(remainingOf(vial).left));
  return {
    ...vialRow(vial, today),
    leftMlText: strength === null ? null : fixedText(quotient<'ml'>(left, strength), 3),
    facts: factsOf(vial, timeZone),
    notes: vial.notes,
    ledger: vial.ledger.map((entry) => ledgerRow(entry, timeZone)).reverse(),
    foldedCount: vial.foldedCount,
    isReconstituted: vial.reconstitutionDate !== null,
  };
}

/** What a dose takes out of a vial, as texts. */
export interface DoseOfVial {
  /** Null when the vial's strength is unknown. */
  ml: string | null;
  units: string | null;
  /** Whole doses that are left. */
  dosesLeft: string;
  /** With the currency; null when it is not known what was paid. */
  cost: string | null;
}

/** What to draw for a dose, how many are left and what one costs. @param doseMg decimal text above zero, mg */
export function doseOfVial(vial: Vial, doseMg: string, syringe: SyringeId): DoseOfVial {
  const draw = drawOf(vial, doseMg, syringe);
  const cost = costOfDose(vial, doseMg);
  const left = ratio(new Decimal(remainingOf(vial).left), new Decimal(doseMg));
  return {
    ml: draw?.volumeText ?? null,
    units: draw?.unitsText ?? null,
    dosesLeft: String(floor(left)),
    cost: cost === null ? null : [cost, vial.currency].filter(Boolean).join(' '),
  };
}
