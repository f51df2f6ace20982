import type { Component, ContainerForm, SubstanceUnit } from '#app/domain/calculator/calculation.ts';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import { dayAfter, daysBetween } from '#app/domain/time/zoned-time.ts';
import type { VialDetails } from './vial-fields.ts';

export const VIAL_STATUSES = ['sealed', 'reconstituted', 'in_use', 'empty', 'discarded'] as const;
/**
 * A vial's status. `reconstituted` and `in_use` are open, `empty` and `discarded` are final. Whether a vial has expired
 * depends on the day, so it is computed and not stored.
 */
export type VialStatus = (typeof VIAL_STATUSES)[number];

export type LedgerKind = 'dose' | 'correction' | 'spill' | 'discard' | 'import';

/** One change of a vial's amount. */
export interface LedgerEntry {
  /** Chosen by the caller; an entry whose id exists is not written again. */
  readonly id: string;
  readonly kind: LedgerKind;
  /** Signed decimal text in the vial's unit: negative for what went out, positive for what came back. */
  readonly mg: string;
  /** For a blend: the index of the component that `mg` counts; 0 when absent. The others change in proportion. */
  readonly component?: number | undefined;
  readonly reason: string | null;
  readonly at: Date;
}

/** One of the peptides in a blend, with the sums of the ledger entries stated in it. */
export interface VialComponent extends Component {
  /** The signed sum of those entries in mg. */
  readonly changedMg: string;
  /** The part of that sum whose entries are no longer listed. */
  readonly foldedMg: string;
}

/**
 * A vial without its ledger. Amounts are decimal text in mg, or in IU if that is the vial's unit; days are YYYY-MM-DD.
 */
export interface Vial extends Readonly<VialDetails> {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly status: VialStatus;
  /** mg in the full vial; for a blend, of the first component. */
  readonly totalAmount: string;
  /**
   * Recorded balance in mg: total amount plus the ledger; for a blend, of the first component. Negative if more was drawn than
   * was recorded.
   */
  readonly remaining: string;
  /** The 2 to 6 components of a blend in the order of its label; absent for a single peptide. See `contentsOf`. */
  readonly components?: readonly VialComponent[] | undefined;
  /** µl that one mg of powder takes up; "0" by default. */
  readonly displacement: string;
  /** When the first dose was drawn. */
  readonly openedAt: Date | null;
  readonly createdAt: Date;
  /** When it was last changed, as stored; absent from a vial that is not stored yet. */
  readonly updatedAt?: Date | undefined;
  /** The id of the lot with its number; absent until it has been looked up. */
  readonly lotId?: string | null;
}

/** A vial with its ledger. The oldest entries of a very long ledger are folded into one sum. */
export interface VialWithLedger extends Vial {
  readonly ledger: readonly LedgerEntry[];
  /** Number of folded entries, and the sum in mg of those stated in the first component. */
  readonly foldedCount: number;
  readonly foldedMg: string;
}

/** A planned dose. */
export interface FutureDose {
  name: string;
  /** What it is measured in; mg when absent. */
  measure?: SubstanceUnit | undefined;
  /** The calendar day it is due. */
  day: string;
  /** mg, decimal text; for a blend, of the component that the dose counts. Null if unknown. */
  mg: string | null;
  /** The blend it is drawn from, if any. */
  blend?: { readonly doseOf: string; readonly components: readonly Component[] } | null | undefined;
  /** The schedule's vial. */
  compoundId?: string | null;
  /** Number of injections it stands for, decimal text; 1 when absent. */
  injections?: string;
  /** True if its plan ends when that vial is used up. */
  endsWithVial?: boolean | undefined;
  /** True if it is estimated from the average of the last weeks and not planned. */
  isEstimate?: boolean;
}

type Contained = Partial<Pick<VialDetails, 'form' | 'amountUnit'>>;

/** The form of a vial's contents. */
export const formOf = ({ form }: Contained): ContainerForm => form ?? 'powder';

/** What a vial's amounts are measured in. */
export const measureOf = ({ amountUnit }: Contained): SubstanceUnit => amountUnit ?? 'mg';

/** "mg/ml", "IU/ml", for capsules "mg each": the unit of a vial's strength. */
export const strengthUnitOf = (vial: Contained): string =>
  `${measureOf(vial)}${formOf(vial) === 'capsule' ? ' each' : '/ml'}`;

/** True if the container is used as it was bought: there is nothing to reconstitute. */
export const isReadyMade = (vial: Contained): boolean => formOf(vial) !== 'powder';

/** True if doses may be drawn from the vial without naming it: it is open, or only has to be opened. */
export const isDrawable = (vial: Pick<Vial, 'status'> & Contained): boolean =>
  isOpen(vial) || (vial.status === 'sealed' && isReadyMade(vial));

/** True if the vial is in use. */
export function isOpen({ status }: Pick<Vial, 'status'>): boolean {
  return status === 'reconstituted' || status === 'in_use';
}

/** True if the vial is empty or discarded. */
export function isFinal({ status }: Pick<Vial, 'status'>): boolean {
  return status === 'empty' || status === 'discarded';
}

/** Derives the status: discarded, else empty, else in use, else reconstituted or sealed. */
export function statusOf(
  vial: Pick<Vial, 'status' | 'remaining' | 'openedAt' | 'reconstitutionDate'>,
): VialStatus {
  if (vial.status === 'discarded') return 'discarded';
  if (new Decimal(vial.remaining).lte(0)) return 'empty';
  if (vial.openedAt !== null) return 'in_use';
  return vial.reconstitutionDate === null ? 'sealed' : 'reconstituted';
}

/** The key of a compound's name, which ignores case, spacing and Unicode forms. */
export function vialNameKey(name: string): string {
  return name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}

/** An open vial with this share of its total or less is low. A rule of thumb; the forecast says when it runs out. */
export const LOW_SHARE = '0.2';

export function isLow(vial: Pick<Vial, 'status' | 'remaining' | 'totalAmount'>): boolean {
  return isOpen(vial) && new Decimal(vial.remaining).lte(new Decimal(vial.totalAmount).times(LOW_SHARE));
}

/** Days a reconstituted multi-dose vial may be used (USP <797>: 28 days after first entry). */
export const BEYOND_USE_DAYS = 28;

/** The badge turns amber this many days before the last day of use. */
export const EXPIRING_DAYS = 7;

type Dated = Pick<Vial, 'expirationDate' | 'reconstitutionDate'>;

/** The last day to use a vial: as stored, else 28 days after reconstitution; null if unknown. */
export function beyondUseDay({ expirationDate, reconstitutionDate }: Dated): string | null {
  if (expirationDate !== null) return expirationDate;
  return reconstitutionDate === null ? null : dayAfter(reconstitutionDate, BEYOND_USE_DAYS);
}

/** The last day to use a vial reconstituted on this day: 28 days later, or the date on the vial if that is earlier. */
export function beyondUseDayAfter(reconstitutionDay: string, expirationDate: string | null): string {
  const later = dayAfter(reconstitutionDay, BEYOND_USE_DAYS);
  return expirationDate !== null && expirationDate < later ? expirationDate : later;
}

/** True from the day after the last day of use. */
export function isPastDate(vial: Dated, day: string): boolean {
  const last = beyondUseDay(vial);
  return last !== null && last < day;
}

/** How near a vial is to its last day of use. */
export interface Expiry {
  /** `good`: more than 7 days left; `soon`: 0 to 7 days; `past`; `unknown`: no date. */
  readonly state: 'good' | 'soon' | 'past' | 'unknown';
  readonly lastDay: string | null;
  /** Whole days until the last day of use: 0 on that day, negative after it. */
  readonly daysLeft: number | null;
}

/** @param day today in the owner's zone */
export function expiryOf(vial: Dated, day: string): Expiry {
  const lastDay = beyondUseDay(vial);
  if (lastDay === null) return { state: 'unknown', lastDay, daysLeft: null };
  const daysLeft = daysBetween(day, lastDay);
  const state = daysLeft < 0 ? 'past' : daysLeft <= EXPIRING_DAYS ? 'soon' : 'good';
  return { state, lastDay, daysLeft };
}
