import type { LogLevel } from '#app/domain/system/log-line.ts';
import { FilterForm } from '#app/ui/list-controls.tsx';
import { Badge, type BadgeTone } from '#app/ui/badge.tsx';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Disclosure } from '#app/ui/disclosure.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Field, Select } from '#app/ui/fields.tsx';

const TONE: Readonly<Record<LogLevel, BadgeTone>> = { info: 'soft', warning: 'warn', error: 'danger' };
const LEVELS = [
  { value: '', label: 'All levels' },
  { value: 'info', label: 'Info' },
  { value: 'warning', label: 'Warning' },
  { value: 'error', label: 'Error' },
];
const PATH = '/admin/dashboard/system/logs';

/** A line of the log as the page shows it. */
export interface LogView {
  id: string;
  at: string;
  level: LogLevel;
  source: string;
  message: string;
  facts: readonly (readonly [name: string, value: string])[];
}

interface LogListProps {
  lines: readonly LogView[];
  level: string;
  search: string;
  isFiltered: boolean;
}

/** The stored log with its filter. */
export function LogList({ lines, ...filter }: LogListProps) {
  return (
    <>
      <FilterForm action={PATH} className="admin-filter" role="search" aria-label="Logs">
        <Select name="level" label="Level" options={LEVELS} defaultValue={filter.level} />
        <Field name="search" label="Search" type="search" defaultValue={filter.search} maxLength={100} />
        <Button>Show</Button>
        {filter.isFiltered ? <LinkButton to={PATH}>Clear</LinkButton> : null}
      </FilterForm>
      {lines.length === 0 ? (
        <EmptyState title={filter.isFiltered ? 'Nothing matches' : 'Nothing logged yet'} level={2}>
          Warnings, errors and the actions of administrators and jobs are kept for 14 days, up to 20,000
          lines, without email addresses and account ids. Ordinary requests are only counted.
        </EmptyState>
      ) : (
        <ol className="sheet">
          {lines.map(({ id, at, level, source, message, facts }) => (
            <li key={id} className="admin-line">
              <p className="flex flex-wrap items-center gap-x-3">
                <Badge tone={TONE[level]}>{level}</Badge>
                <span className="figure text-sm text-soft">{at}</span>
                <span className="text-sm text-soft">{source}</span>
              </p>
              <p className="wrap-anywhere">{message}</p>
              {facts.length > 0 ? (
                <Disclosure summary="Details">
                  <dl className="admin-facts">
                    {facts.map(([name, value]) => (
                      <div key={name}>
                        <dt>{name}</dt>
                        <dd className="wrap-anywhere whitespace-pre-wrap">{value}</dd>
                      </div>
                    ))}
                  </dl>
                </Disclosure>
              ) : null}
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
