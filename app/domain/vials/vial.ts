export const VIAL_STATUSES = ['sealed', 'reconstituted', 'in_use', 'empty', 'discarded'] as const;
/**
 * Where a vial stands. `reconstituted` and `in_use` are open, `empty` and `discarded` are final; that a vial is past
 * its date is computed and is no state (decisions, section 8).
 */
export type VialStatus = (typeof VIAL_STATUSES)[number];

export const LEDGER_KINDS = ['dose', 'correction', 'spill', 'discard', 'import'] as const;
/** Why an amount changed. */
export type LedgerKind = (typeof LEDGER_KINDS)[number];

/** One change of what a vial holds. */
export interface LedgerEntry {
  /** Given by whoever writes it; the same id is written once. */
  readonly id: string;
  readonly kind: LedgerKind;
  /** Decimal text in mg with a sign: below zero what went out, above zero what came back. */
  readonly mg: string;
  readonly reason: string | null;
  readonly at: Date;
}

/** A vial without its ledger. Amounts are decimal text in mg, days YYYY-MM-DD. */
export interface Vial {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly status: VialStatus;
  /** mg when it was whole. */
  readonly totalAmount: string;
  /** Book balance in mg: what it held less the ledger. Below zero when more was drawn than the book had. */
  readonly remaining: string;
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
  readonly lot: string | null;
  readonly supplierId: string | null;
  /** What was paid for the vial, decimal text. */
  readonly cost: string | null;
  /** ISO 4217 code of the cost. */
  readonly currency: string | null;
}

/** A vial with every entry of its ledger; the oldest of a very long one are folded into one sum. */
export interface VialWithLedger extends Vial {
  readonly ledger: readonly LedgerEntry[];
  /** Entries that are no longer listed, and their sum in mg. */
  readonly foldedCount: number;
  readonly foldedMg: string;
}

/** A dose that will be drawn. */
export interface FutureDose {
  name: string;
  /** The calendar day it is due. */
  day: string;
  /** mg, decimal text; null when it is not known. */
  mg: string | null;
  /** The schedule's vial. */
  compoundId?: string | null;
}
