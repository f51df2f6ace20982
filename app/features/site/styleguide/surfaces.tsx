import { Button, LinkButton } from '#app/ui/button.tsx';
import { DataTable } from '#app/ui/data-table.tsx';
import { Disclosure } from '#app/ui/disclosure.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Figure, Measured } from '#app/ui/figure.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { PageTitle, Tabs } from '#app/ui/page-head.tsx';
import { Pagination } from '#app/ui/list-controls.tsx';
import { QrCode } from '#app/ui/qr-code.tsx';
import { showToast } from '#app/ui/toasts.tsx';
import { Spinner } from '#app/ui/shell/loading.tsx';
import { useHydrated } from '#app/ui/hydration.ts';
import { ICON_NAMES } from '#app/ui/icon.tsx';
import { Sample } from './sample.tsx';

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
export function Messages() {
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
        <EmptyState title="No vials yet" action={<LinkButton to="#empty">Add your first vial</LinkButton>}>
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
export function Structure() {
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
