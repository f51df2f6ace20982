import { Form, useLocation } from '@remix-run/react';
import type { ShownQuestion } from '#app/domain/doses/dose-question.ts';
import type { DrawLine } from '#app/domain/doses/draw-line.ts';
import { slotHref, TakeTogether } from '#app/features/doses/index.ts';
import type { ActDose } from '#app/domain/reminders/reminder-link.ts';
import { AuthPage } from '#app/ui/shell/public-shell.tsx';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Field } from '#app/ui/fields.tsx';
import { Measured } from '#app/ui/figure.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { SnoozeForm } from './snooze-form.tsx';

interface ActButtonProps {
  action: string;
  label: string;
  primary?: boolean;
  /** Codes of the warnings on the page; the button confirms them. */
  confirmed?: readonly string[];
}

function ActButton({ action, label, primary, confirmed = [] }: ActButtonProps) {
  return (
    <Form method="post">
      <input type="hidden" name="action" value={action} />
      {confirmed.map((code) => (
        <input key={code} type="hidden" name="confirmed" value={code} />
      ))}
      <Button variant={primary ? 'primary' : 'quiet'} className={primary ? 'w-full' : undefined}>
        {label}
      </Button>
    </Form>
  );
}

/** Error messages: of the new time, and of anything else. */
interface ActErrors {
  dueDate: string | undefined;
  other: string | undefined;
}

/** Moves the dose to another time. */
function MoveForm({ dueDate, error }: { dueDate: string; error: string | undefined }) {
  return (
    <Form method="post" className="flex flex-wrap items-end gap-3">
      <input type="hidden" name="action" value="move" />
      <div className="min-w-36">
        <Field
          label="Take it at"
          name="dueDate"
          type="datetime-local"
          defaultValue={dueDate}
          error={error}
          required
        />
      </div>
      <Button>Move to this time</Button>
    </Form>
  );
}

interface ActPageProps {
  dose: ActDose;
  /** The open doses of a link about several. */
  rows: readonly DrawLine[];
  /** What was sent about them, with what has to be answered first. */
  asked?: {
    ids?: string[] | undefined;
    takenAt: string;
    questions: readonly ShownQuestion[];
  };
  errors: ActErrors;
}

/** The page behind a link. Opening it changes nothing, since mail programs open links too. */
export function ActPage({ rows, asked, ...props }: ActPageProps) {
  const { pathname } = useLocation();
  const [first] = rows;
  if (first === undefined) return <ActOnOne {...props} />;
  return (
    <AuthPage title="Log these doses">
      <p className="mb-5 text-soft">{`Due ${props.dose.due} (${props.dose.timeZone})`}</p>
      {props.errors.other === undefined ? null : (
        <Notice tone="error" role="alert">
          <p>{props.errors.other}</p>
        </Notice>
      )}
      <div className="grid gap-5">
        <TakeTogether
          rows={rows}
          action={pathname}
          isDue
          {...(asked && { takenAt: asked.takenAt, questions: asked.questions })}
          {...(asked?.ids && { ticked: asked.ids })}
        >
          <input type="hidden" name="action" value="taken" />
        </TakeTogether>
        <SnoozeForm intent={['action', 'snooze']} />
        <LinkButton to={slotHref(new Date(first.dueDate))}>Look</LinkButton>
      </div>
    </AuthPage>
  );
}

function ActOnOne({ dose, errors }: Pick<ActPageProps, 'dose' | 'errors'>) {
  const { name, amount, due, timeZone, doneAs, warnings, readBack, tomorrow } = dose;
  return (
    <AuthPage title={doneAs === null ? 'Log this dose' : 'This dose is already logged'}>
      <p className="text-xl font-semibold">
        {name}, <span className="figure whitespace-nowrap">{amount}</span>
      </p>
      <p className="mb-5 text-soft">{`Due ${due} (${timeZone})`}</p>
      {doneAs === null ? (
        <div className="grid gap-5">
          {readBack === null ? null : (
            <Notice title="Check this dose">
              <p>
                <Measured text={readBack} />
              </p>
            </Notice>
          )}
          {warnings.map(({ message }) => (
            <Notice key={message} tone="warning">
              <p>{message}</p>
            </Notice>
          ))}
          <ActButton
            action="taken"
            label="Taken"
            primary
            confirmed={[...new Set(warnings.map(({ code }) => code))]}
          />
          <SnoozeForm intent={['action', 'snooze']} error={errors.other} />
          {tomorrow === null ? null : <MoveForm dueDate={tomorrow} error={errors.dueDate} />}
          <ActButton action="skip" label="Skip this dose" />
        </div>
      ) : (
        <p>{`It is marked as ${doneAs}. Sign in to change it.`}</p>
      )}
    </AuthPage>
  );
}

/** The page behind a link that no longer works. */
export function ActLinkOver({ message }: { message: string }) {
  return (
    <AuthPage title="This link no longer works">
      <p className="mb-4">{message}</p>
      <LinkButton to="/dashboard/reminders">Open your reminders</LinkButton>
    </AuthPage>
  );
}

/** Confirms what the link did. */
export function ActDone({ message }: { message: string }) {
  return (
    <AuthPage title="Done">
      <p role="status" className="mb-4">
        {message}
      </p>
      <LinkButton to="/dashboard">Open Vialbook</LinkButton>
    </AuthPage>
  );
}
