import type { ClinicianReport } from '#app/domain/reports/report-types.ts';
import { useEffect, useRef } from 'react';
import { TextSection } from '#app/ui/text-section.tsx';

function AdherenceSection({ share, numbers, formula, counts, timing }: ClinicianReport['adherence']) {
  return (
    <section className="mt-8">
      <h2>Adherence</h2>
      {share === null ? (
        <p className="text-soft">No dose was taken or missed in this period, so there is no figure.</p>
      ) : (
        <p className="figure text-3xl font-semibold">{share}</p>
      )}
      {numbers === null ? null : <p>{numbers}</p>}
      <p>{counts}</p>
      <p className="max-w-prose text-sm text-soft">{formula}</p>
      {timing === null ? null : <p className="mt-2 max-w-prose">{timing}</p>}
    </section>
  );
}

/** Unfolds everything before the page is printed, for browsers whose print styles cannot; folds it again after. */
function useUnfoldedOnPaper() {
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let unfolded: HTMLDetailsElement[] = [];
    const unfold = () => {
      unfolded = [...(body.current?.querySelectorAll('details') ?? [])].filter(({ open }) => !open);
      for (const details of unfolded) details.open = true;
    };
    const fold = () => {
      for (const details of unfolded) details.open = false;
    };
    window.addEventListener('beforeprint', unfold);
    window.addEventListener('afterprint', fold);
    return () => {
      window.removeEventListener('beforeprint', unfold);
      window.removeEventListener('afterprint', fold);
    };
  }, []);
  return body;
}

/**
 * The report for a clinician, below its title: what sums up first, then the long lists, by month. The same on the page,
 * on paper (with the months unfolded) and behind a link.
 */
export function ReportBody({ facts, adherence, sections, open }: ClinicianReport & { open?: boolean }) {
  const body = useUnfoldedOnPaper();
  return (
    <div ref={body} className="report-body">
      <dl className="mt-3 grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1">
        {facts.map(({ label, value }) => (
          <div key={label} className="contents">
            <dt className="text-soft">{label}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
      <AdherenceSection {...adherence} />
      {sections.map((section) => (
        <TextSection key={section.title} {...section} open={open} />
      ))}
      <p className="mt-8 text-sm text-soft">
        Written from what its owner logged in Vialbook. A research record, not a medical finding.
      </p>
    </div>
  );
}
