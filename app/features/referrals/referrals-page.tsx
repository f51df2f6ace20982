import { Form } from '@remix-run/react';
import type { ReferralStatus } from '#app/domain/referrals/referral.ts';
import { Badge, type BadgeTone } from '#app/ui/badge.tsx';
import { Button, CopyButton } from '#app/ui/button.tsx';
import { DataTable, type Column } from '#app/ui/data-table.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { QrCode, type QrCodeProps } from '#app/ui/qr-code.tsx';

interface ReferralLinkProps {
  code: string;
  link: string;
  qr: Omit<QrCodeProps, 'label'>;
}

/** The account's own link, to copy, scan or read out. */
export function ReferralLink({ code, link, qr }: ReferralLinkProps) {
  return (
    <div className="flex flex-wrap gap-6">
      <div className="grid min-w-0 flex-1 basis-72 content-start gap-4">
        <div>
          <p className="text-sm text-soft">Link</p>
          <p className="figure break-all whitespace-normal">{link}</p>
        </div>
        <div>
          <p className="text-sm text-soft">Code</p>
          <p className="figure text-2xl">{code}</p>
        </div>
        <div>
          <CopyButton text={link} label="Copy link" />
        </div>
      </div>
      <QrCode {...qr} label="QR code of your link" />
    </div>
  );
}

/** A text to send with the link. */
export function ShareText({ text }: { text: string }) {
  return (
    <div className="grid gap-3">
      <blockquote className="margin-rule max-w-prose break-words ps-4">{text}</blockquote>
      <div>
        <CopyButton text={text} label="Copy text" />
      </div>
    </div>
  );
}

/** For an account that has no link yet. */
export function CreateLink() {
  return (
    <Form method="post" action="/dashboard/referrals" className="grid gap-3">
      <p>You do not have a link yet.</p>
      <div>
        <Button variant="primary">Create my link</Button>
      </div>
    </Form>
  );
}

/** A referral as texts to show. */
export interface ReferralRow {
  key: string;
  since: string;
  standing: ReferralStatus;
  /** When it was credited or reversed; null while it is pending. */
  changed: string | null;
}

const STATUSES: Record<ReferralStatus, { label: string; tone: BadgeTone; meaning: string }> = {
  pending: { label: 'Pending', tone: 'plain', meaning: 'No payment yet' },
  credited: { label: 'Credited', tone: 'good', meaning: '30 days for both' },
  reversed: { label: 'Reversed', tone: 'warn', meaning: 'The payment was refunded or disputed' },
};

const COLUMNS: readonly Column<ReferralRow>[] = [
  { key: 'since', label: 'Registered', cell: ({ since }) => since },
  {
    key: 'standing',
    label: 'Status',
    cell: ({ standing }) => (
      <span>
        <Badge tone={STATUSES[standing].tone}>{STATUSES[standing].label}</Badge>
        <span className="block text-sm text-soft">{STATUSES[standing].meaning}</span>
      </span>
    ),
  },
  { key: 'changed', label: 'Updated', cell: ({ changed, since }) => changed ?? since },
];

interface ReferralLedgerProps {
  rows: readonly ReferralRow[];
  totals: Record<ReferralStatus, number>;
  /** As text; null when there is none. */
  creditUntil: string | null;
}

/** The account's referrals and the credit they earned. It names nobody. */
export function ReferralLedger({ rows, totals, creditUntil }: ReferralLedgerProps) {
  const all = totals.pending + totals.credited + totals.reversed;
  if (all === 0 && creditUntil === null)
    return (
      <EmptyState title="No referrals yet" drawing="gift">
        When someone registers with your link, it is listed here by date, without a name, with what it earned
        you both.
      </EmptyState>
    );
  return (
    <>
      <p>
        {`${totals.pending} pending, ${totals.credited} credited, ${totals.reversed} reversed.`}
        {creditUntil === null ? null : ` Your credit lasts until ${creditUntil}.`}
      </p>
      {rows.length > 0 ? (
        <DataTable caption="Referrals" columns={COLUMNS} rows={rows} rowKey={({ key }) => key} />
      ) : null}
      {all > rows.length ? <p className="text-soft">{`Only the latest ${rows.length} are listed.`}</p> : null}
    </>
  );
}
