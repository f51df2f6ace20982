import { useEffect, useRef } from 'react';
import type { ClinicianReport } from '#app/domain/reports/report-types.ts';
import { TextSection } from '#app/ui/text-section.tsx';
import { PrintPage } from '#app/ui/print-page.tsx';
import { AuthPage } from '#app/ui/shell/public-shell.tsx';
import { LinkButton } from '#app/ui/button.tsx';

/** Opens all folded months while the page is printed, for browsers whose print styles cannot. */
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
 * The body of the report: summaries first, then the long lists by month. The same on the page, in print (with the months
 * unfolded) and behind a shared link.
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
      <section className="mt-8">
        <h2>Adherence</h2>
        {adherence.share === null ? (
          <p className="text-soft">No doses were taken or missed in this period.</p>
        ) : (
          <p className="figure text-2xl font-semibold">{adherence.share}</p>
        )}
        {adherence.numbers === null ? null : <p>{adherence.numbers}</p>}
        <p>{adherence.counts}</p>
        <p className="max-w-prose text-sm text-soft">{adherence.formula}</p>
        {adherence.timing === null ? null : <p className="mt-2 max-w-prose">{adherence.timing}</p>}
      </section>
      {sections.map((section) => (
        <TextSection key={section.title} {...section} open={open} />
      ))}
      <p className="mt-8 text-sm text-soft">
        Based on what the owner logged in Vialbook. A research record, not a medical assessment.
      </p>
    </div>
  );
}

interface ReportPrintPageProps {
  report: ClinicianReport;
  fileHref: string;
  backHref: string;
}

/** The printable report, without the dashboard's navigation. */
export function ReportPrintPage({ report, ...links }: ReportPrintPageProps) {
  return (
    <PrintPage title="Clinician report" {...links}>
      <ReportBody {...report} open />
    </PrintPage>
  );
}

/** A report behind a shared link. It is read-only and does not say whose it is. */
export function SharedReportPage({ report, until }: { report: ClinicianReport; until: string }) {
  return (
    <article className="py-6">
      <h1>Clinician report</h1>
      <p className="mt-2 max-w-prose text-soft">
        {`Shared read-only by the person it is about. They can see when it is opened. The link works until ${until}, or until they revoke it.`}
      </p>
      <ReportBody {...report} />
    </article>
  );
}

/** Shown for a link that does not work, for whatever reason. */
export function ShareOver({ message }: { message: string }) {
  return (
    <AuthPage title="Report not available">
      <p className="mb-2">{message}</p>
      <p className="mb-4">Ask the person who sent it for a new link.</p>
      <LinkButton to="/">Go to the home page</LinkButton>
    </AuthPage>
  );
}
