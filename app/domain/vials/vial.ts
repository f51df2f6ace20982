import type { Component } from '#app/domain/calculator/calculation.ts';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import { dayAfter, daysBetween } from '#app/domain/time/zoned-time.ts';

export const VIAL_STATUSES = ['sealed', 'reconstituted', 'in_use', 'empty', 'discarded'] as const;
/**
 * The state of a vial. `reconstituted` and `in_use` are open, `empty` and `discarded` are final. Whether a vial is past
 * its date depends on the day and is computed, not stored.
 */
export type VialStatus = (typeof VIAL_STATUSES)[number];

/** Why an amount changed. */
export type LedgerKind = 'dose' | 'correction' | 'spill' | 'discard' | 'import';

/** One change of what a vial holds. */
export interface LedgerEntry {
  /** Chosen by the writer; an entry with a known id is not written again. */
  readonly id: string;
  readonly kind: LedgerKind;
  /** Decimal text in mg with a sign: below zero what went out, above zero what came back. */
  readonly mg: string;
  /** Of a blend: the place of the component that `mg` counts; the first when absent. All others change in proportion. */
  readonly component?: number | undefined;
  readonly reason: string | null;
  readonly at: Date;
}

/** One of the peptides in a blend, and the ledger's entries that are stated in it. */
export interface VialComponent extends Component {
  /** The sum of those entries in mg, with a sign. */
  readonly changedMg: string;
  /** As much of it as is no longer listed. */
  readonly foldedMg: string;
}

/** A vial without its ledger. Amounts are decimal text in mg, days YYYY-MM-DD. */
export interface Vial {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly status: VialStatus;
  /** mg when it was whole; of a blend, of the first component. */
  readonly totalAmount: string;
  /**
   * Book balance in mg: what it held less the ledger; of a blend, of the first component. Below zero when more was drawn than
   * the book had.
   */
  readonly remaining: string;
  /** What a blend holds, 2 to 6 in the order of its label; absent for a single peptide. See `contentsOf`. */
  readonly components?: readonly VialComponent[] | undefined;
  /** ml of water that were added; null when the concentration was given instead, or nothing is known. */
  readonly waterMl: string | null;
  /** mg/ml as given; null when it follows from the water, or nothing is known. */
  readonly concentration: string | null;
  /** µl that one mg of powder takes up; "0" by default. */
  readonly displacement: string;
  readonly reconstitutionDate: string | null;
  readonly expirationDate: string | null;
  /** When it was first drawn from. */
  readonly openedAt: Date | null;
  readonly createdAt: Date;
  readonly storageTemp: string | null;
  readonly notes: string | null;
  /** The number of its lot, as printed on it. */
  readonly lot: string | null;
  /** The lot that the number means; absent before it has been looked up. */
  readonly lotId?: string | null;
  readonly supplierId: string | null;
  /** What was paid for the vial, decimal text. */
  readonly cost: string | null;
  /** ISO 4217 code of the cost. */
  readonly currency: string | null;
}

/** A vial with every entry of its ledger; the oldest of a very long one are folded into one sum. */
export interface VialWithLedger extends Vial {
  readonly ledger: readonly LedgerEntry[];
  /** Entries that are no longer listed, and the sum of those that are stated in the first component, in mg. */
  readonly foldedCount: number;
  readonly foldedMg: string;
}

/** A dose that will be drawn. */
export interface FutureDose {
  name: string;
  /** The calendar day it is due. */
  day: string;
  /** mg, decimal text; of a blend, of the component that the dose is of. Null when it is not known. */
  mg: string | null;
  /** What it is drawn from, when that is a blend. */
  blend?: { readonly doseOf: string; readonly components: readonly Component[] } | null | undefined;
  /** The schedule's vial. */
  compoundId?: string | null;
  /** How many injections it stands for, decimal text; one when absent. */
  injections?: string;
  /** Its plan ends when that vial is used up. */
  endsWithVial?: boolean | undefined;
  /** It stands for what was taken a day in the last weeks, not for a planned dose. */
  isEstimate?: boolean;
}

/** True while a vial may be drawn from without being named. */
export function isOpen({ status }: Pick<Vial, 'status'>): boolean {
  return status === 'reconstituted' || status === 'in_use';
}

/** True for a vial that is used up or thrown away. */
export function isFinal({ status }: Pick<Vial, 'status'>): boolean {
  return status === 'empty' || status === 'discarded';
}

/** What a status follows from: thrown away, used up, drawn from, reconstituted, in this order. */
export function statusOf(
  vial: Pick<Vial, 'status' | 'remaining' | 'openedAt' | 'reconstitutionDate'>,
): VialStatus {
  if (vial.status === 'discarded') return 'discarded';
  if (new Decimal(vial.remaining).lte(0)) return 'empty';
  if (vial.openedAt !== null) return 'in_use';
  return vial.reconstitutionDate === null ? 'sealed' : 'reconstituted';
}

/** The key under which vials of the same compound match: case, spaces and Unicode forms make no difference. */
export function vialNameKey(name: string): string {
  return name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}

/** The share of its total below which an open vial counts as low. A rule of thumb; the forecast says when it runs out. */
export const LOW_SHARE = '0.2';

/** True for an open vial that holds a fifth or less. */
export function isLow(vial: Pick<Vial, 'status' | 'remaining' | 'totalAmount'>): boolean {
  return isOpen(vial) && new Decimal(vial.remaining).lte(new Decimal(vial.totalAmount).times(LOW_SHARE));
}

/** Days a reconstituted multi-dose vial may be used (USP <797>: 28 days after first entry). */
export const BEYOND_USE_DAYS = 28;

/** The badge turns amber this many days before the last day of use. */
const EXPIRING_DAYS = 7;

type Dated = Pick<Vial, 'expirationDate' | 'reconstitutionDate'>;

/** The last day on which a vial may be used: the one stored, else 28 days after reconstitution; null when unknown. */
export function beyondUseDay({ expirationDate, reconstitutionDate }: Dated): string | null {
  if (expirationDate !== null) return expirationDate;
  return reconstitutionDate === null ? null : dayAfter(reconstitutionDate, BEYOND_USE_DAYS);
}

/** The last day of a vial that is reconstituted on a day: 28 days later, or the maker's date when that is earlier. */
export function beyondUseDayAfter(reconstitutionDay: string, expirationDate: string | null): string {
  const later = dayAfter(reconstitutionDay, BEYOND_USE_DAYS);
  return expirationDate !== null && expirationDate < later ? expirationDate : later;
}

/** True from the day after the last one on. */
export function isPastDate(vial: Dated, day: string): boolean {
  const last = beyondUseDay(vial);
  return last !== null && last < day;
}

/** How a vial's date looks from a day. */
export interface Expiry {
  /** `good`: over 7 days; `soon`: 7 or fewer, the last day included; `past`; `unknown` without a date. */
  readonly state: 'good' | 'soon' | 'past' | 'unknown';
  readonly lastDay: string | null;
  /** Whole days until the last one; 0 on it, below zero after it. */
  readonly daysLeft: number | null;
}

/** @param day the calendar day in the owner's zone */
export function expiryOf(vial: Dated, day: string): Expiry {
  const lastDay = beyondUseDay(vial);
  if (lastDay === null) return { state: 'unknown', lastDay, daysLeft: null };
  const daysLeft = daysBetween(day, lastDay);
  const state = daysLeft < 0 ? 'past' : daysLeft <= EXPIRING_DAYS ? 'soon' : 'good';
  return { state, lastDay, daysLeft };
}
