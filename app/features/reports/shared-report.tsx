import type { ClinicianReport } from '#app/domain/reports/report-types.ts';
import { AuthPage } from '#app/ui/shell/auth-page.tsx';
import { LinkButton } from '#app/ui/button.tsx';
import { ReportBody } from './report-body.tsx';

/** A report behind a link. Nothing on it can be changed, and it does not say whose it is. */
export function SharedReportPage({ report, until }: { report: ClinicianReport; until: string }) {
  return (
    <article className="py-6">
      <h1>Clinician report</h1>
      <p className="mt-2 max-w-prose text-soft">
        {`Shared by the person it is about, to read only. They see when it is opened. The link works until ${until}, or until they revoke it.`}
      </p>
      <ReportBody {...report} />
    </article>
  );
}

/** What a link that does not work leads to, whatever the reason. */
export function ShareOver({ message }: { message: string }) {
  return (
    <AuthPage title="There is no report here">
      <p className="mb-2">{message}</p>
      <p className="mb-4">Ask the person who sent it for a new one.</p>
      <LinkButton to="/">Go to the home page</LinkButton>
    </AuthPage>
  );
}
