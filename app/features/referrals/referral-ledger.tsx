import type { ReferralStanding } from '#app/domain/referrals/referral-status.ts';
import { Badge, type BadgeTone } from '#app/ui/badge.tsx';
import { DataTable, type Column } from '#app/ui/data-table.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';

/** A referral as texts to show. */
export interface ReferralRow {
  key: string;
  since: string;
  standing: ReferralStanding;
  /** When it was credited or reversed; null while it is pending. */
  changed: string | null;
}

const STANDINGS: Record<ReferralStanding, { word: string; tone: BadgeTone; meaning: string }> = {
  pending: { word: 'Pending', tone: 'plain', meaning: 'No payment yet' },
  credited: { word: 'Credited', tone: 'good', meaning: '30 days for both' },
  reversed: { word: 'Reversed', tone: 'warn', meaning: 'The payment was refunded or disputed' },
};

const COLUMNS: readonly Column<ReferralRow>[] = [
  { key: 'since', label: 'Registered', cell: ({ since }) => since },
  {
    key: 'standing',
    label: 'Stands',
    cell: ({ standing }) => (
      <span>
        <Badge tone={STANDINGS[standing].tone}>{STANDINGS[standing].word}</Badge>
        <span className="block text-sm text-soft">{STANDINGS[standing].meaning}</span>
      </span>
    ),
  },
  { key: 'changed', label: 'Since', cell: ({ changed, since }) => changed ?? since },
];

interface ReferralLedgerProps {
  rows: readonly ReferralRow[];
  totals: Record<ReferralStanding, number>;
  /** As text; null when none runs. */
  creditUntil: string | null;
}

/** What the account's referrals brought. Nobody is named in it. */
export function ReferralLedger({ rows, totals, creditUntil }: ReferralLedgerProps) {
  const all = totals.pending + totals.credited + totals.reversed;
  if (all === 0 && creditUntil === null)
    return (
      <EmptyState title="No referrals yet">
        Whoever registers with your link is listed here, by date and without a name, and what it brought you
        both.
      </EmptyState>
    );
  return (
    <>
      <p>
        {`${totals.pending} pending, ${totals.credited} credited, ${totals.reversed} reversed.`}
        {creditUntil === null ? null : ` Your credit runs until ${creditUntil}.`}
      </p>
      {rows.length > 0 ? (
        <DataTable caption="Referrals" columns={COLUMNS} rows={rows} rowKey={({ key }) => key} />
      ) : null}
      {all > rows.length ? <p className="text-soft">{`The latest ${rows.length} are listed.`}</p> : null}
    </>
  );
}
