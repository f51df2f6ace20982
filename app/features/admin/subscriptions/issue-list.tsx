import { Link } from '@remix-run/react';
import type { IssueStatus } from '#app/domain/billing/billing-issues.ts';
import type { TroubleType } from '#app/domain/billing/billing-state.ts';
import { Badge, type BadgeTone } from '#app/ui/badge.tsx';
import { LinkButton } from '#app/ui/button.tsx';
import { Disclosure } from '#app/ui/disclosure.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Tabs, type Tab } from '#app/ui/tabs.tsx';
import { ReasonForm, type Refused } from '#app/features/admin/reason-form.tsx';
import { Whose } from './event-table.tsx';

/** A billing issue as the pages show it. */
export interface IssueRow {
  id: string;
  href: string;
  user: string;
  userHref: string | null;
  /** The account is there to write to. */
  canContact: boolean;
  type: TroubleType;
  kind: string;
  amount: string;
  description: string;
  status: IssueStatus;
  opened: string;
  resolved: string | null;
}

const TONE: Readonly<Record<IssueStatus, BadgeTone>> = {
  open: 'warn',
  escalated: 'danger',
  resolved: 'good',
};
const PATH = '/admin/dashboard/subscriptions/issues';
const TABS: readonly Tab<IssueStatus>[] = [
  { tab: 'open', to: PATH, label: 'Open' },
  { tab: 'escalated', to: `${PATH}?status=escalated`, label: 'Escalated' },
  { tab: 'resolved', to: `${PATH}?status=resolved`, label: 'Resolved' },
];

/** The billing issues of one state. */
export function IssueList({ issues, status }: { issues: readonly IssueRow[]; status: IssueStatus }) {
  return (
    <>
      <Tabs label="State of the issues" tabs={TABS} current={status} />
      {issues.length === 0 ? (
        <EmptyState title={`No ${status} issues`} level={2}>
          Failed payments, expiring cards, disputes and refunds that were asked for open an issue by
          themselves.
        </EmptyState>
      ) : (
        <ul className="sheet">
          {issues.map((issue) => (
            <li key={issue.id} className="admin-line">
              <p className="flex flex-wrap items-center gap-x-3">
                <Link to={issue.href} className="inline-flex min-h-11 items-center font-semibold">
                  {`${issue.kind}, ${issue.amount}`}
                </Link>
                <Badge tone={TONE[issue.status]}>{issue.status}</Badge>
                <Whose {...issue} />
              </p>
              <p className="text-sm text-soft">{`${issue.description} Since ${issue.opened}.`}</p>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Settle({ issue, refused }: { issue: IssueRow; refused: Refused | undefined }) {
  const { status, href } = issue;
  const of = (step: string) =>
    refused?.values['step'] === step && refused.errors['reason'] ? { ...refused, formErrors: [] } : undefined;
  const hidden = (step: string) => (
    <>
      <input type="hidden" name="step" value={step} />
      <input type="hidden" name="seen" value={status} />
    </>
  );
  return (
    <>
      <Disclosure summary="Mark Resolved" open={of('resolve') !== undefined}>
        <ReasonForm id="reason-resolve" action={href} button="Mark Resolved" refused={of('resolve')}>
          {hidden('resolve')}
        </ReasonForm>
      </Disclosure>
      {status === 'open' ? (
        <Disclosure summary="Escalate" open={of('escalate') !== undefined}>
          <ReasonForm id="reason-escalate" action={href} button="Escalate" refused={of('escalate')}>
            {hidden('escalate')}
          </ReasonForm>
        </Disclosure>
      ) : null}
    </>
  );
}

/** One billing issue with what can be done about it. */
export function IssueDetail({ issue, refused }: { issue: IssueRow; refused?: Refused | undefined }) {
  const { kind, amount, status, description, opened, resolved, canContact, href } = issue;
  // Not at the form of the step: a step that somebody else has made meanwhile has none any more.
  const told = [...(refused?.formErrors ?? []), ...(refused?.errors['seen'] ?? [])];
  return (
    <div className="sheet grid max-w-2xl gap-4 p-5">
      <ErrorSummary errors={told} />
      <p className="flex flex-wrap items-center gap-3">
        <Badge tone={TONE[status]}>{status}</Badge>
        <span className="figure">{amount}</span>
        <Whose {...issue} />
      </p>
      <p>{description}</p>
      <p className="text-sm text-soft">
        {`${kind}, open since ${opened}${resolved === null ? '' : `, resolved ${resolved}`}.`}
      </p>
      {canContact ? (
        <div>
          <LinkButton to={`${href}/contact`}>Contact User</LinkButton>
        </div>
      ) : (
        <p className="text-soft">The account is deleted; there is nobody to write to.</p>
      )}
      {status === 'resolved' ? null : <Settle issue={issue} refused={refused} />}
    </div>
  );
}
