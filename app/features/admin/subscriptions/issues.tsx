import { Form, Link } from '@remix-run/react';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { ErrorSummary, fieldsToFix } from '#app/ui/error-summary.tsx';
import { Select, TextArea, type Option } from '#app/ui/fields.tsx';
import { ReasonForm } from '#app/features/admin/reason-form.tsx';
import type { SentForm } from '#app/ui/forms/schema-form.tsx';
import type { BillingProblemType, IssueStatus } from '#app/domain/billing/billing-state.ts';
import { Badge, type BadgeTone } from '#app/ui/badge.tsx';
import { Disclosure } from '#app/ui/disclosure.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Tabs, type Tab } from '#app/ui/page-head.tsx';
import { Whose } from './subscription-page.tsx';

/** A billing issue as the pages show it. */
interface IssueRow {
  id: string;
  href: string;
  user: string;
  userHref: string | null;
  /** The account still exists, so its owner can be contacted. */
  canContact: boolean;
  type: BillingProblemType;
  kind: string;
  /** Null where no money is concerned. */
  amount: string | null;
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

const untilText = ({ resolved }: Pick<IssueRow, 'resolved'>): string =>
  resolved === null ? '' : `, resolved ${resolved}`;

/** The billing issues with one status. */
export function IssueList({ issues, status }: { issues: readonly IssueRow[]; status: IssueStatus }) {
  return (
    <>
      <Tabs label="Issue status" tabs={TABS} current={status} />
      {issues.length === 0 ? (
        <EmptyState title={`No ${status} issues`} level={2}>
          Failed payments, expiring cards, disputes and requested refunds open an issue automatically.
        </EmptyState>
      ) : (
        <ul className="sheet">
          {issues.map((issue) => (
            <li key={issue.id} className="admin-line">
              <p className="flex flex-wrap items-center gap-x-3">
                <Link to={issue.href} className="inline-flex min-h-11 items-center font-semibold">
                  {issue.amount === null ? issue.kind : `${issue.kind}, ${issue.amount}`}
                </Link>
                <Badge tone={TONE[issue.status]}>{issue.status}</Badge>
                <Whose {...issue} />
              </p>
              <p className="text-sm text-soft">{`${issue.description} Since ${issue.opened}${untilText(issue)}.`}</p>
              <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
                {issue.canContact ? <LinkButton to={`${issue.href}/contact`}>Contact User</LinkButton> : null}
                {status === 'resolved' ? null : <IssueSteps issue={issue} list={status} />}
              </div>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** One billing issue and its actions. */
export function IssueDetail({ issue, refused }: { issue: IssueRow; refused?: SentForm | undefined }) {
  const { kind, amount, status, description, opened, canContact, href } = issue;
  // Shown at the top: if someone else has already resolved or escalated the issue, the form is gone.
  const { formErrors = [], errors = {} } = refused ?? {};
  const messages = [...formErrors, ...(errors['seen'] ?? []), ...(errors['step'] ?? [])];
  return (
    <div className="sheet grid max-w-2xl gap-4 p-5">
      <ErrorSummary errors={messages} />
      <p className="flex flex-wrap items-center gap-3">
        <Badge tone={TONE[status]}>{status}</Badge>
        {amount === null ? null : <span className="figure">{amount}</span>}
        <Whose {...issue} />
      </p>
      <p>{description}</p>
      <p className="text-sm text-soft">{`${kind}, open since ${opened}${untilText(issue)}.`}</p>
      {canContact ? (
        <div>
          <LinkButton to={`${href}/contact`}>Contact User</LinkButton>
        </div>
      ) : (
        <p className="text-soft">This account has been deleted, so there is nobody to write to.</p>
      )}
      {status === 'resolved' ? null : <IssueSteps issue={issue} refused={refused} />}
    </div>
  );
}

interface IssueStepsProps {
  issue: IssueRow;
  /** The list to return to; undefined on the issue's own page. */
  list?: IssueStatus;
  refused?: SentForm | undefined;
}

function IssueSteps({ issue, list, refused }: IssueStepsProps) {
  const { status, href } = issue;
  const idOf = (step: string) => (list === undefined ? `reason-${step}` : `reason-${step}-${issue.id}`);
  const of = (step: string) =>
    refused?.values['step'] === step && refused.errors['reason'] ? { ...refused, formErrors: [] } : undefined;
  const hidden = (step: string) => (
    <>
      <input type="hidden" name="step" value={step} />
      <input type="hidden" name="seen" value={status} />
      {list === undefined ? null : <input type="hidden" name="list" value={list} />}
    </>
  );
  return (
    <>
      <Disclosure summary="Mark Resolved" open={of('resolve') !== undefined}>
        <ReasonForm id={idOf('resolve')} action={href} button="Mark Resolved" refused={of('resolve')}>
          {hidden('resolve')}
        </ReasonForm>
      </Disclosure>
      {status === 'open' ? (
        <Disclosure summary="Escalate" open={of('escalate') !== undefined}>
          <ReasonForm id={idOf('escalate')} action={href} button="Escalate" refused={of('escalate')}>
            {hidden('escalate')}
          </ReasonForm>
        </Disclosure>
      ) : null}
    </>
  );
}

interface MailShown {
  to: string;
  subject: string;
  text: string;
}

interface ContactFormProps {
  templates: readonly Option[];
  values: { template: string; note: string; saveKey: string };
  preview: MailShown | null;
  refused?: SentForm | undefined;
}

/** Chooses a template, previews the mail and sends it. The preview shows exactly what will be sent. */
export function ContactForm({ templates, values, preview, refused }: ContactFormProps) {
  return (
    <>
      <Form method="get" className="sheet grid max-w-2xl gap-4 p-5">
        <ErrorSummary errors={refused?.formErrors} fields={fieldsToFix(refused?.errors ?? {})} />
        <Select
          name="template"
          label="Template"
          options={templates}
          defaultValue={values.template}
          error={refused?.errors['template']?.[0]}
        />
        <TextArea
          name="note"
          label="Additional note"
          rows={4}
          maxLength={2000}
          hint="Optional. Each line becomes a paragraph."
          defaultValue={values.note}
          error={refused?.errors['note']?.[0]}
        />
        <div>
          <Button>Preview</Button>
        </div>
      </Form>
      {preview === null ? null : (
        <section aria-labelledby="preview" className="sheet grid max-w-2xl gap-3 p-5">
          <h2 id="preview" className="text-xl">
            {preview.subject}
          </h2>
          <p className="text-sm text-soft wrap-anywhere">{`To ${preview.to}`}</p>
          <p className="wrap-anywhere whitespace-pre-wrap">{preview.text}</p>
          <Form method="post">
            <input type="hidden" name="template" value={values.template} />
            <input type="hidden" name="note" value={values.note} />
            <input type="hidden" name="saveKey" value={values.saveKey} />
            <Button variant="primary">Send</Button>
          </Form>
        </section>
      )}
    </>
  );
}
