import { PageTitle, Tabs } from '#app/ui/page-head.tsx';
import { Badge } from '#app/ui/badge.tsx';
import { Button, LinkButton, CopyButton } from '#app/ui/button.tsx';
import { Checkbox, RadioGroup, Field, Select, TextArea } from '#app/ui/fields.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { DataTable } from '#app/ui/data-table.tsx';
import { Disclosure } from '#app/ui/disclosure.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Figure, Measured } from '#app/ui/figure.tsx';
import { Icon, ICON_NAMES } from '#app/ui/icon.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { Pagination } from '#app/ui/list-controls.tsx';
import { QrCode } from '#app/ui/qr-code.tsx';
import { showToast } from '#app/ui/toasts.tsx';
import { Spinner } from '#app/ui/shell/loading.tsx';
import { useHydrated } from '#app/ui/hydration.ts';
import type { ReactNode } from 'react';

/** Pairs of background and text colours, by their classes. */
const COLOURS = [
  { name: 'paper', className: 'bg-paper text-ink' },
  { name: 'sheet', className: 'bg-sheet text-ink' },
  { name: 'field', className: 'bg-field text-ink' },
  { name: 'soft on sheet', className: 'bg-sheet text-soft' },
  { name: 'pen', className: 'bg-pen text-on-pen' },
  { name: 'pen wash', className: 'bg-pen-wash text-pen-deep' },
  { name: 'good', className: 'bg-good-wash text-good' },
  { name: 'warn', className: 'bg-warn-wash text-warn' },
  { name: 'danger', className: 'bg-danger-wash text-danger' },
] as const;

/** Colours and type of `app/styles/tokens.css` in the current colour scheme. */
function Tokens() {
  return (
    <>
      <ul className="swatches">
        {COLOURS.map(({ name, className }) => (
          <li key={name} className={className}>
            {name} <span className="figure">0.250 mg</span>
          </li>
        ))}
      </ul>
      <div className="specimen">
        <p className="hero-title">Title of the landing page</p>
        <p className="font-serif text-2xl font-semibold">Title of a section</p>
        <p>
          Text of the page, and <a href="#tokens">a link in it</a>.
        </p>
        <p className="text-sm text-soft">The hint below a field.</p>
        <p className="text-xl">
          <span className="figure">0123456789</span> <span className="figure">0.100 ml</span>{' '}
          <span className="figure">2.50 mg/ml</span>
        </p>
      </div>
    </>
  );
}

const PARTS = [
  { id: 'tokens', title: 'Tokens', Part: Tokens },
  { id: 'buttons', title: 'Buttons', Part: Buttons },
  { id: 'fields', title: 'Fields', Part: Fields },
  { id: 'messages', title: 'Messages', Part: Messages },
  { id: 'structure', title: 'Structure', Part: Structure },
] as const;

/** Every component of `app/ui` in every state, for developers. */
export function Styleguide() {
  return (
    <>
      <PageTitle>Style guide</PageTitle>
      <p className="max-w-prose text-soft">
        The components of app/ui. Pages are built from these; change a look here, not on a page.
      </p>
      {PARTS.map(({ id, title, Part }) => (
        <section key={id} id={id} aria-labelledby={`${id}-title`} className="mt-10">
          <h2 id={`${id}-title`}>{title}</h2>
          <Part />
        </section>
      ))}
    </>
  );
}

const UNITS = [
  { value: 'mg', label: 'mg' },
  { value: 'mcg', label: 'mcg' },
];
const VARIANTS = ['primary', 'quiet', 'plain', 'danger'] as const;

/** Buttons, links that look like them, and badges. */
function Buttons() {
  return (
    <>
      <Sample file="button.tsx">
        <div className="flex flex-wrap gap-3">
          {VARIANTS.map((variant) => (
            <Button key={variant} type="button" variant={variant}>
              {variant}
            </Button>
          ))}
          <Button type="button" disabled>
            disabled
          </Button>
          <Button type="button" variant="primary" aria-disabled data-busy>
            sending
          </Button>
          <LinkButton to="#button">a link</LinkButton>
        </div>
        <CopyButton text="5 mg + 2 ml = 2.50 mg/ml" />
      </Sample>
      <Sample file="badge.tsx">
        <div className="flex flex-wrap gap-3">
          <Badge>plain</Badge>
          <Badge tone="pen">pen</Badge>
          <Badge tone="soft">soft</Badge>
          <Badge tone="good">good</Badge>
          <Badge tone="warn">warn</Badge>
          <Badge tone="danger">danger</Badge>
        </div>
      </Sample>
    </>
  );
}

/** Form fields and their messages. */
function Fields() {
  return (
    <>
      <Sample file="fields.tsx">
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <Field name="plain" label="Empty" />
          <Field name="hinted" label="With a hint" hint="Optional. As on the label." defaultValue="BPC-157" />
          <Field name="wrong" label="Refused" error="Enter a name" />
          <Field name="off" label="Disabled" disabled defaultValue="not now" />
          <Select name="unit" label="Select" options={UNITS} />
          <TextArea name="notes" label="Text area" defaultValue="Swirl, never shake." />
        </div>
        <Checkbox name="one" label="Chosen" defaultChecked />
        <Checkbox name="two" label="Refused" error="You must agree to the Terms of Service" />
        <Checkbox name="three" label="Disabled" disabled />
        <RadioGroup name="way" legend="Solve for" options={UNITS} defaultValue="mg" />
      </Sample>
      <Sample file="error-summary.tsx">
        <ErrorSummary errors={['Please fill in all fields']} />
      </Sample>
    </>
  );
}

const ROWS = [
  { name: 'BPC-157', dose: '0.25', volume: '0.100' },
  { name: 'Semaglutide', dose: '0.5', volume: '0.250' },
];
const TONES = ['info', 'success', 'warning', 'error'] as const;
const TABS = [
  { tab: 'here', to: '/styleguide', label: 'Here' },
  { tab: 'there', to: '/styleguide?tab=there', label: 'There' },
];

function ToastButtons() {
  if (!useHydrated()) return <p>These toasts need JavaScript.</p>;
  return (
    <div className="flex flex-wrap gap-3">
      {TONES.map((type) => (
        <Button
          key={type}
          type="button"
          onClick={() => showToast({ type, title: type, message: 'Shown once.' })}
        >
          {type}
        </Button>
      ))}
    </div>
  );
}

/** Notices, toasts, empty states, dialogs. */
function Messages() {
  return (
    <>
      <Sample file="notice.tsx">
        <div className="grid gap-3">
          {TONES.map((tone) => (
            <Notice key={tone} tone={tone} title={tone}>
              An icon and words carry the meaning; the colour only repeats it.
            </Notice>
          ))}
        </div>
      </Sample>
      <Sample file="toasts.tsx">
        <ToastButtons />
      </Sample>
      <Sample file="empty-state.tsx">
        <EmptyState
          title="No vials yet"
          drawing="vials"
          action={<LinkButton to="#empty">Add your first vial</LinkButton>}
        >
          What this page will show, why it is useful, and what to do first.
        </EmptyState>
      </Sample>
      <Sample file="shell/loading.tsx">
        <Spinner />
        <Spinner label="Loading component..." />
      </Sample>
      <Sample file="dialog.tsx">
        <LinkButton to="?help=keys" preventScrollReset>
          Open one
        </LinkButton>
      </Sample>
    </>
  );
}

/** What pages are laid out with. */
function Structure() {
  return (
    <>
      <Sample file="page-head.tsx">
        <PageTitle as="p" actions={<LinkButton to="#title">An action</LinkButton>}>
          Vials
        </PageTitle>
        <Tabs label="Tabs" tabs={TABS} current="here" />
      </Sample>
      <Sample file="data-table.tsx">
        <DataTable
          caption="Doses"
          rows={ROWS}
          rowKey={({ name }) => name}
          columns={[
            { key: 'name', label: 'Compound', cell: ({ name }) => name },
            { key: 'dose', label: 'Dose', numeric: true, cell: ({ dose }) => `${dose} mg` },
            { key: 'draw', label: 'Draw', numeric: true, cell: ({ volume }) => `${volume} ml` },
          ]}
        />
        <Pagination label="Doses" position="1–20 of 53" previousHref="#back" nextHref="#on" />
      </Sample>
      <Sample file="disclosure.tsx">
        <Disclosure summary="Closed">More of the same.</Disclosure>
        <Disclosure summary="Open" open>
          More of the same.
        </Disclosure>
      </Sample>
      <Sample file="figure.tsx">
        <p>
          <Figure value="0.100" unit="ml" className="text-2xl" />
        </p>
        <p>
          <Measured text="0.100 ml is 10 units on a U-100 syringe." />
        </p>
      </Sample>
      <Sample file="icon.tsx">
        <ul className="flex flex-wrap gap-4">
          {ICON_NAMES.map((name) => (
            <li key={name} className="inline-flex items-center gap-2">
              <Icon name={name} />
              {name}
            </li>
          ))}
        </ul>
      </Sample>
      <Sample file="qr-code.tsx">
        <QrCode size={3} path="M0 0h1v1H0zM2 0h1v1H2zM1 1h1v1H1zM0 2h1v1H0z" label="Not a real code" />
      </Sample>
    </>
  );
}

/** One component in all its states, under the name of its file. */
function Sample({ file, children }: { file: string; children: ReactNode }) {
  return (
    <section aria-label={file} className="specimen">
      <h3 className="figure">{file}</h3>
      <div>{children}</div>
    </section>
  );
}
