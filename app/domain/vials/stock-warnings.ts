import { shownDay } from '#app/domain/time/format-day.ts';
import { beyondUseDay } from './beyond-use.ts';
import type { Vial } from './vial.ts';

export const STOCK_WARNINGS = ['PAST_DATE', 'OVER_DRAWN', 'NOT_RECONSTITUTED', 'NO_OPEN_VIAL'] as const;
export type StockWarningCode = (typeof STOCK_WARNINGS)[number];

/** Something to know about a draw. It never blocks. */
export interface StockWarning {
  readonly code: StockWarningCode;
  /** The vial it is about; null when there is none. */
  readonly compoundId: string | null;
  readonly message: string;
}

type About = Pick<Vial, 'id' | 'name' | 'expirationDate' | 'reconstitutionDate'>;

function pastDate(vial: About | undefined): string {
  const last = vial === undefined ? null : beyondUseDay(vial);
  return `This vial is past its beyond-use date${last === null ? '' : ` (${shownDay(last)})`}. You can still log from it.`;
}

const MESSAGES: Readonly<Record<StockWarningCode, (vial: About | undefined) => string>> = {
  PAST_DATE: pastDate,
  OVER_DRAWN: () =>
    'This vial is over-drawn: its book had less than this dose. Correct the remaining amount.',
  NOT_RECONSTITUTED: () => 'This vial is sealed in the book. Note when it was reconstituted.',
  NO_OPEN_VIAL: () => 'No open vial of this name: nothing was taken from stock.',
};

/** A warning with its words. */
export function stockWarning(code: StockWarningCode, vial?: About): StockWarning {
  return { code, compoundId: vial?.id ?? null, message: MESSAGES[code](vial) };
}
