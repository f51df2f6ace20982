import type { FlagName } from '#app/domain/flags/flags.ts';
import { Badge } from '#app/ui/badge.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Disclosure } from '#app/ui/disclosure.tsx';
import { ReasonForm } from '#app/features/admin/reason-form.tsx';
import type { SentForm } from '#app/ui/forms/schema-form.tsx';

/** A switch as the page shows it. */
export interface SwitchView {
  name: FlagName;
  label: string;
  whenOff: string;
  isOn: boolean;
  changed: string | null;
}

/** The feature switches, each with its form. */
export function SwitchList({
  switches,
  refused,
}: {
  switches: readonly SwitchView[];
  refused?: SentForm | undefined;
}) {
  // An error without a known switch is shown above the list.
  const isOfNone = refused && !switches.some(({ name }) => name === refused.values['name']);
  return (
    <>
      {isOfNone ? <ErrorSummary errors={Object.values(refused.errors).flat()} /> : null}
      <ul className="sheet">
        {switches.map(({ name, label, whenOff, isOn, changed }) => {
          const mine = refused?.values['name'] === name ? refused : undefined;
          return (
            <li key={name} className="admin-line">
              <h2 className="flex flex-wrap items-center gap-3 text-xl">
                {label} <Badge tone={isOn ? 'good' : 'warn'}>{isOn ? 'on' : 'off'}</Badge>
              </h2>
              <p className="text-soft">{`While off: ${whenOff}`}</p>
              {changed ? <p className="text-sm text-soft">{`Last changed ${changed}`}</p> : null}
              <Disclosure
                summary={isOn ? `Switch ${label} off` : `Switch ${label} on`}
                open={mine !== undefined}
              >
                <ReasonForm
                  id={`reason-${name}`}
                  action="/admin/dashboard/system/switches"
                  button={isOn ? `Switch ${label} off` : `Switch ${label} on`}
                  danger={isOn}
                  refused={mine}
                >
                  <input type="hidden" name="name" value={name} />
                  <input type="hidden" name="state" value={isOn ? 'off' : 'on'} />
                </ReasonForm>
              </Disclosure>
            </li>
          );
        })}
      </ul>
    </>
  );
}
