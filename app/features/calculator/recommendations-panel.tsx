import { Link } from '@remix-run/react';
import type { DosageRecommendation } from '#app/domain/calculator/research-reference.ts';
import { NO_REFERENCE, RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { Badge } from '#app/ui/badge.tsx';
import { Figure } from '#app/ui/statistic.tsx';

export interface ReferenceChoice {
  name: string;
  href: string;
}

interface RecommendationsPanelProps {
  /** The name looked up; empty when none was typed or chosen. */
  name: string;
  rows: readonly DosageRecommendation[];
  /** Names that have a reference, as links to this page with that name looked up. */
  choices: readonly ReferenceChoice[];
}

function Row({ row }: { row: DosageRecommendation }) {
  return (
    <li className="entry grid gap-1 border-t border-line py-3">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <Badge tone="soft">{row.category}</Badge>
        <Figure value={row.dosageRange} className="font-semibold" />
        {row.frequency === 'not stated' ? (
          <span className="text-soft">frequency not stated</span>
        ) : (
          <span>{row.frequency}</span>
        )}
      </p>
      {row.injectionVolume ? (
        <p>
          At this concentration: <Figure value={row.injectionVolume} className="text-pen" />{' '}
          {row.units ? <Figure value={`(${row.units} units)`} className="text-pen" /> : null}
        </p>
      ) : null}
      <p className="text-sm text-soft">
        {row.notes ? `${row.notes}. ` : null}
        {`Source: ${row.source}.`}
      </p>
    </li>
  );
}

/** The published doses for a name, by category, each with its source; a reference, not advice. */
export function RecommendationsPanel({ name, rows, choices }: RecommendationsPanelProps) {
  return (
    <section aria-labelledby="recommendations-title" id="recommendations" className="sheet mt-4 p-4">
      <h2 id="recommendations-title">{name ? `Dosage reference: ${name}` : 'Dosage reference'}</h2>
      <p className="mt-1 text-sm text-soft">{RESEARCH_NOTICE}</p>
      <ul className="my-2 flex flex-wrap gap-x-5">
        {choices.map((choice) => (
          <li key={choice.name}>
            <Link
              to={choice.href}
              preventScrollReset
              className="inline-flex min-h-11 items-center"
              aria-current={choice.name.toLowerCase() === name.toLowerCase() ? 'true' : undefined}
            >
              {choice.name}
            </Link>
          </li>
        ))}
      </ul>
      {rows.length > 0 ? (
        <ul>
          {rows.map((row) => (
            <Row key={row.category} row={row} />
          ))}
        </ul>
      ) : (
        <p>{NO_REFERENCE}</p>
      )}
    </section>
  );
}
