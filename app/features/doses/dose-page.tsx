import type { DoseUnit } from '#app/domain/calculator/calculation.ts';
import type { SubmissionResult } from '@conform-to/react';
import { Form, Link } from '@remix-run/react';
import { dayLabel } from '#app/domain/time/calendar.ts';
import { unconfirmed, type DoseWarning } from '#app/domain/doses/dose-warnings.ts';
import type { DrawLine } from '#app/domain/doses/draw-line.ts';
import { isSite, siteName, SITES } from '#app/domain/tracking/sites.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Measured } from '#app/ui/figure.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { Select, TextArea, type Option } from '#app/ui/fields.tsx';
import { DoseAmount, DoseNotes, StatusMark } from './dose-line.tsx';
import { TakeForm } from './dose-forms.tsx';

export interface DosePageProps {
  path: string;
  line: DrawLine;
  doseUnit: DoseUnit;
  /** For a blend, the component the dose is measured in. */
  doseOf: string | null;
  /** For a missed dose: what its schedule says about it, and what can be done. */
  missed: readonly string[];
  /** Decimal text in the unit. */
  planned: string;
  site: string | null;
  /** Amounts drawn from vials, once it is taken. */
  drawn: readonly string[];
  /** Its moves, oldest first: "Moved on 9 Mar 2026, 08:00: from … to …". */
  history: readonly string[];
  vials: readonly Option[];
  warnings: readonly DoseWarning[];
  /** The amount the warnings are about; see `amountKey`. */
  askedAmount: string;
  /** The person has just tried to log the dose, and is asked about it. */
  isAsked: boolean;
  lastResult?: SubmissionResult<string[]> | null;
}

function Facts({ line, site, drawn }: Pick<DosePageProps, 'line' | 'site' | 'drawn'>) {
  return (
    <div className="margin-rule grid gap-1 py-2 ps-6">
      <p className="text-xl">
        <DoseAmount text={line.amountText} />
        {line.drawText && line.status !== 'taken' ? (
          <span className="figure dose-draw">
            {' · '}
            <Measured text={line.drawText} />
          </span>
        ) : null}
      </p>
      <p>
        {`${dayLabel(line.day, true)}, `}
        <span className="figure">{line.time}</span>
      </p>
      <StatusMark line={line} />
      <DoseNotes line={line} />
      {drawn.length > 0 ? <p className="text-sm text-soft">{`Drawn: ${drawn.join(', ')}`}</p> : null}
      {site !== null && isSite(site) ? <p className="text-sm text-soft">{siteName(site)}</p> : null}
      {line.notes ? <p className="whitespace-pre-line">{line.notes}</p> : null}
    </div>
  );
}

/** Skips the dose or marks it as missed. */
function NotTakenForm({ path, line }: { path: string; line: DrawLine }) {
  return (
    <Form method="post" action={path}>
      <TextArea id="pass-notes" name="notes" label="Reason (optional)" rows={2} maxLength={2000} />
      <div className="flex flex-wrap gap-3">
        {line.status === 'skipped' ? null : (
          <Button name="intent" value="skipped">
            Skip this dose
          </Button>
        )}
        {line.status === 'missed' ? null : (
          <Button name="intent" value="missed">
            {' '}
            Mark as missed
          </Button>
        )}
      </div>
    </Form>
  );
}

function UndoForm({ path }: { path: string }) {
  return (
    <Form method="post" action={path}>
      <Button name="intent" value="undo">
        Undo
      </Button>
    </Form>
  );
}

/** Logs where a taken dose was injected, or changes it. */
function SiteOfTaken({ path, site }: Pick<DosePageProps, 'path' | 'site'>) {
  const options = SITES.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <section className="sheet p-5" id="site" aria-label="Injection site of this dose">
      <Form method="post" action={path}>
        <Select
          id="dose-site"
          name="site"
          label="Injection site"
          options={site === null ? [{ value: '', label: 'Choose a site' }, ...options] : options}
          defaultValue={site ?? ''}
        />
        <Button name="intent" value="site">
          Save site
        </Button>
      </Form>
    </section>
  );
}

/** One dose with its forms. */
export function DosePage(props: DosePageProps) {
  const { path, line, doseUnit, doseOf, planned, vials, warnings, askedAmount, isAsked, lastResult } = props;
  const problem = line.status === 'taken' ? Object.values(lastResult?.error ?? {}).flat()[0] : undefined;
  return (
    <div className="dose-page">
      {problem ? <ErrorSummary errors={[problem]} /> : null}
      <Facts {...props} />
      <div className="flex flex-wrap gap-3">
        {line.canUndo ? <UndoForm path={path} /> : null}
        {line.canMove ? <LinkButton to={`${path}/move`}>Move this dose</LinkButton> : null}
      </div>
      {props.missed.length === 0 ? null : (
        <Notice title="What its schedule says">
          {props.missed.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </Notice>
      )}
      {line.status === 'taken' ? (
        <SiteOfTaken path={path} site={props.site} />
      ) : (
        <>
          {line.readBack === null ? null : (
            <Notice title="Check this dose">
              <p>
                <Measured text={line.readBack} />
              </p>
            </Notice>
          )}
          <section className="sheet p-5" aria-label="Log this dose">
            <TakeForm
              action={path}
              doseUnit={doseUnit}
              doseOf={doseOf}
              planned={planned}
              notes={line.notes}
              vials={vials}
              warnings={unconfirmed(warnings, [])}
              askedAmount={askedAmount}
              isAsked={isAsked}
              lastResult={lastResult}
            />
          </section>
          <section aria-labelledby="not-taken">
            <h2 id="not-taken">Not taken?</h2>
            <NotTakenForm path={path} line={line} />
          </section>
        </>
      )}
      {props.history.length === 0 ? null : (
        <section aria-labelledby="dose-history">
          <h2 id="dose-history">History</h2>
          <ul className="grid gap-1 text-soft">
            {props.history.map((entry) => (
              <li key={entry}>{entry}</li>
            ))}
          </ul>
        </section>
      )}
      <p>
        <Link to="/dashboard/schedule" className="inline-flex min-h-11 items-center">
          Back to today
        </Link>
      </p>
    </div>
  );
}
