import type { ClinicianReport } from '#app/domain/report/index.ts';
import { TextSection } from '../ui/text-section.tsx';

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

/** The report for a clinician, below its title: the same on the page, on paper and behind a link. */
export function ReportBody({ facts, adherence, sections }: ClinicianReport) {
  return (
    <>
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
        <TextSection key={section.title} {...section} />
      ))}
      <p className="mt-8 text-sm text-soft">
        Written from what its owner logged in Vialbook. A research record, not a medical finding.
      </p>
    </>
  );
}
