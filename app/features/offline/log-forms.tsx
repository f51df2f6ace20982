import { useState } from 'react';
import type { OfflineKind } from '#app/domain/offline/offline-schema.ts';
import { Disclosure } from '#app/ui/disclosure.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { EntryForm } from './entry-form.tsx';
import { writeDown } from './save-entry.ts';

const FORMS: readonly { kind: OfflineKind; summary: string; submit: string }[] = [
  { kind: 'dose-logged', summary: 'A dose without a schedule', submit: 'Log dose' },
  { kind: 'site', summary: 'Only an injection site, without a dose', submit: 'Log site' },
  { kind: 'side-effect', summary: 'A side effect', submit: 'Note side effect' },
];

/** Forms whose entries are written down on this device. */
export function LogForms({ nextSite }: { nextSite: string | null }) {
  const [written, setWritten] = useState<string | null>(null);
  const now = new Date().toISOString();
  const values = { takenAt: now, startedAt: now, site: nextSite ?? undefined };
  return (
    <section aria-labelledby="log" className="offline-section">
      <h2 id="log">Write down</h2>
      {written ? (
        <Notice tone="success" role="status">
          {`${written} is written down. It is sent as soon as there is a connection.`}
        </Notice>
      ) : null}
      {FORMS.map(({ kind, summary, submit }) => (
        <Disclosure key={kind} summary={summary}>
          <div className="sheet p-4">
            <EntryForm
              kind={kind}
              values={values}
              submit={submit}
              onSave={async (fields) => {
                await writeDown({ kind, about: '', fields });
                setWritten(summary);
              }}
            />
          </div>
        </Disclosure>
      ))}
    </section>
  );
}
