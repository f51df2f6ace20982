import { Decimal } from '#app/domain/decimal/decimal.ts';
import { fixedText } from '#app/domain/decimal/rounded-text.ts';
import { ratio } from '#app/domain/decimal/ratio.ts';
import { countDays, shownDay } from '#app/domain/time/format-day.ts';
import { expiryOf, type Expiry } from './beyond-use.ts';
import { isLow } from './low-stock.ts';
import { isFinal } from './vial-status.ts';
import { strengthOf } from './concentration.ts';
import type { Vial, VialStatus } from './vial.ts';

/** A vial as texts to show; made where the decimals are at hand, so that the page needs none. Serialisable. */
export interface VialRow {
  id: string;
  name: string;
  status: VialStatus;
  statusText: string;
  /** mg. What is left is never below zero; what was drawn beyond stands in `overdrawnText`. */
  remainingText: string;
  totalText: string;
  /** Whole percent that is left, 0…100. */
  percent: number;
  /** mg/ml with 2 decimals; null when unknown. */
  strengthText: string | null;
  isLow: boolean;
  /** mg. */
  overdrawnText: string | null;
  /** Null for a vial that is used up or thrown away. */
  date: { state: Expiry['state']; text: string } | null;
  lot: string | null;
}

const STATUS_TEXTS: Readonly<Record<VialStatus, string>> = {
  sealed: 'Sealed',
  reconstituted: 'Reconstituted',
  in_use: 'In use',
  empty: 'Empty',
  discarded: 'Discarded',
};

/** A status in words. */
export const statusText = (status: VialStatus): string => STATUS_TEXTS[status];

function dateText({ state, lastDay, daysLeft }: Expiry): string {
  if (lastDay === null || daysLeft === null) return 'No date yet';
  if (state === 'past') return `Past ${shownDay(lastDay)}`;
  if (state === 'good') return `Use by ${shownDay(lastDay)}`;
  return daysLeft === 0 ? 'Last day today' : `${countDays(daysLeft)} left`;
}

/** The concentration with 2 decimals, as the calculator shows it; null when unknown. */
export function strengthText(vial: Vial): string | null {
  const strength = strengthOf(vial);
  return strength === null ? null : fixedText(strength, 2);
}

/** What is left in mg: never below zero, and never a hair below it as "-0". */
export function remainingOf(vial: Pick<Vial, 'remaining'>): { left: string; overdrawn: string | null } {
  const balance = new Decimal(vial.remaining);
  if (balance.gte(0)) return { left: balance.toFixed(), overdrawn: null };
  return { left: '0', overdrawn: balance.abs().toFixed() };
}

function percentLeft(vial: Vial): number {
  const share = ratio(new Decimal(remainingOf(vial).left).times(100), new Decimal(vial.totalAmount));
  return Math.min(100, Number(fixedText(share, 0)));
}

/** A row for the list. @param day the calendar day in the owner's zone */
export function vialRow(vial: Vial, day: string): VialRow {
  const expiry = expiryOf(vial, day);
  const { left, overdrawn } = remainingOf(vial);
  return {
    id: vial.id,
    name: vial.name,
    status: vial.status,
    statusText: statusText(vial.status),
    remainingText: left,
    totalText: vial.totalAmount,
    percent: percentLeft(vial),
    strengthText: strengthText(vial),
    isLow: isLow(vial),
    overdrawnText: overdrawn,
    date: isFinal(vial) ? null : { state: expiry.state, text: dateText(expiry) },
    lot: vial.lot,
  };
}
