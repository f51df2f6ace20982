import { LinkButton } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { PageTitle } from '#app/ui/page-head.tsx';
import { startOf, useSite } from '#app/ui/site.ts';
import { DemoForm } from './demo-form.tsx';

interface DemoPageProps {
  isOpen: boolean;
  /** Why no demo was started. */
  problem?: string | undefined;
}

/** Starts a demo from a link, and says why if that fails. */
export function DemoPage({ isOpen, problem }: DemoPageProps) {
  const start = startOf(useSite());
  return (
    <div className="max-w-prose">
      <PageTitle>Demo</PageTitle>
      {problem ? (
        <Notice tone="error" role="alert">
          {problem}
        </Notice>
      ) : null}
      {isOpen ? (
        <>
          <p className="my-4">
            A year of sample data: two compounds with their vials, doses, side effects, weight and orders. Use
            it as your own; nothing is sent anywhere. It’s deleted after 24 hours.
          </p>
          <DemoForm variant="primary" />
        </>
      ) : (
        <p className="my-4">A demo is coming soon.</p>
      )}
      <p className="mt-6 flex flex-wrap gap-3">
        {start === null ? null : <LinkButton to={start.href}>{start.label}</LinkButton>}
        <LinkButton to="/">Back to the calculator</LinkButton>
      </p>
    </div>
  );
}
