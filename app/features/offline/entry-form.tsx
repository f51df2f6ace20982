import { useId, useState, type FormEvent, type ReactNode } from 'react';
import type { FieldErrors } from '#app/domain/errors.ts';
import type { OfflineKind } from '#app/domain/offline/offline-schema.ts';
import { Button } from '#app/ui/button.tsx';
import { Field, NumberField, Select, TextArea } from '#app/ui/fields.tsx';
import { AmountQuestion } from '#app/ui/forms/amount-question.tsx';
import { changeToMcg } from '#app/ui/forms/change-to-mcg.ts';
import { McgQuestion } from '#app/ui/forms/mcg-question.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { ENTRY_FIELDS, readFields, shownValue, type EntryField } from './entry-fields.ts';
import { Disclosure } from '#app/ui/disclosure.tsx';
import type { EntryQuestion, KnownPlans } from './unusual-entry.ts';
import { queueEntry } from './use-store.ts';

interface EntryFormProps {
  kind: OfflineKind;
  /** The initial values. */
  values: Record<string, unknown>;
  /** Other fields of the entry, which the form does not show. */
  hiddenFields?: Record<string, unknown>;
  errors?: FieldErrors;
  submit: string;
  /** What this device knows, to ask about an unusual dose before it is saved. */
  known?: KnownPlans | undefined;
  onSave: (fields: Record<string, unknown>) => Promise<void>;
  /** More buttons. */
  children?: ReactNode;
}

interface ControlProps {
  field: EntryField;
  value: string;
  messages: readonly string[] | undefined;
  /** Called when the value was changed as a message suggested. */
  onChanged: () => void;
}

/** Keeps the unit in the amount's own control, for a dose whose unit has none. */
const keepTyped = (typed: string): string => typed;

function Control({ field, value, messages, onChanged }: ControlProps) {
  const id = `${useId()}-${field.name}`;
  const { name, label, type, unit = keepTyped, hint, options = [], required } = field;
  const shared = { id, name, label, hint, error: messages?.[0], defaultValue: value, required };
  if (type === 'notes') return <TextArea {...shared} />;
  if (type === 'select') return <Select {...shared} options={options} />;
  if (type === 'time') return <Field {...shared} type="datetime-local" />;
  if (type === 'text') return <Field {...shared} autoComplete="off" />;
  const change = changeToMcg({ amount: name, unit });
  const question = (
    <McgQuestion
      errors={messages}
      onClick={(event) => {
        change(event);
        onChanged();
      }}
    />
  );
  return <NumberField {...shared} question={question} />;
}

/** A form that is checked on this device, by the server's rules. */
export function EntryForm({
  kind,
  values,
  hiddenFields = {},
  errors,
  submit,
  known,
  onSave,
  children,
}: EntryFormProps) {
  const [question, setQuestion] = useState<EntryQuestion | null>(null);
  const [found, setFound] = useState<FieldErrors>(errors ?? {});
  const [failure, setFailure] = useState<string | null>(null);
  const save = async (element: HTMLFormElement) => {
    const fields = { ...hiddenFields, ...readFields(kind, new FormData(element)) };
    const { checkEntry } = await import('./check-entry.ts');
    const problems = checkEntry(kind, fields, Date.now());
    setFound(problems ?? {});
    setFailure(null);
    if (problems !== null) return setQuestion(null);
    let answer = {};
    if (known !== undefined) {
      const { questionAbout } = await import('./unusual-entry.ts');
      const openQuestion = questionAbout(kind, fields, known);
      // Sending again what the question was about confirms it.
      const isAnswered = openQuestion?.answer.confirmedAmount === question?.answer.confirmedAmount;
      if (openQuestion !== null && !isAnswered) return setQuestion(openQuestion);
      answer = openQuestion?.answer ?? {};
    }
    try {
      await onSave({ ...fields, ...answer });
      setQuestion(null);
      element.reset();
    } catch {
      setFailure('This device could not save the entry. Its storage may be full.');
    }
  };
  const submitted = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void save(event.currentTarget);
  };
  const shown = ENTRY_FIELDS[kind];
  const others = Object.entries(found).filter(([name]) => !shown.some((field) => field.name === name));
  return (
    <form noValidate onSubmit={submitted} className="grid gap-4">
      {failure ? (
        <Notice tone="error" role="alert">
          {failure}
        </Notice>
      ) : null}
      {others.map(([name, messages]) => (
        <Notice key={name} tone="error" role="alert">
          {messages.join(' ')}
        </Notice>
      ))}
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {shown.map((field) => (
          <Control
            key={field.name}
            field={field}
            value={shownValue(field, values[field.name])}
            messages={found[field.name]}
            onChanged={() => setFound(({ [field.name]: _changed, ...others }) => others)}
          />
        ))}
      </div>
      <AmountQuestion
        key={question?.answer.confirmedAmount}
        title="Is this the amount you meant?"
        messages={question?.messages ?? []}
        slip={question?.slip}
        isOpen
        verb="Log"
        anyway="Log it anyway"
        controls={{ amount: 'actualDose', unit: 'doseUnit' }}
        more={children}
        instead={
          <div className="flex flex-wrap gap-3">
            <Button variant="primary">{submit}</Button>
            {children}
          </div>
        }
      />
    </form>
  );
}

const FORMS: readonly { kind: OfflineKind; summary: string; submit: string }[] = [
  { kind: 'dose-logged', summary: 'Dose without a schedule', submit: 'Log dose' },
  { kind: 'site', summary: 'Injection site without a dose', submit: 'Log site' },
  { kind: 'side-effect', summary: 'Side effect', submit: 'Log side effect' },
];

interface LogFormsProps {
  nextSite: string | null;
  known: KnownPlans;
  /** How many entries wait to be sent. */
  unsent: number;
}

/** Forms to log something on this device, to be sent later. */
export function LogForms({ nextSite, known, unsent }: LogFormsProps) {
  const [written, setWritten] = useState<string | null>(null);
  const now = new Date().toISOString();
  const values = { takenAt: now, startedAt: now, site: nextSite ?? undefined };
  return (
    <section aria-labelledby="log" className="offline-section">
      <h2 id="log">Log</h2>
      {written && unsent > 0 ? (
        <Notice tone="success" role="status">
          {`${written}: saved on this device. It will be sent when you are online.`}
        </Notice>
      ) : null}
      {FORMS.map(({ kind, summary, submit }) => (
        <Disclosure key={kind} summary={summary}>
          <div className="sheet p-4">
            <EntryForm
              kind={kind}
              values={values}
              submit={submit}
              known={known}
              onSave={async (fields) => {
                await queueEntry({ kind, about: '', fields });
                setWritten(summary);
              }}
            />
          </div>
        </Disclosure>
      ))}
    </section>
  );
}
