import { LinkButton } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { PageTitle } from '#app/ui/page-head.tsx';
import { DemoForm } from './demo-form.tsx';

interface DemoPageProps {
  isOpen: boolean;
  /** Why no demo was begun. */
  problem?: string | undefined;
}

/** Where a demo is begun from a link, and where it is said why none was. */
export function DemoPage({ isOpen, problem }: DemoPageProps) {
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
            A whole year in Vialbook: two compounds, their vials, doses, side effects, weight and orders. You
            get an account of your own for 24 hours. Everything in it works, nothing is sent anywhere, and all
            of it is deleted at the end.
          </p>
          <DemoForm variant="primary" />
        </>
      ) : (
        <p className="my-4">A demo is coming soon.</p>
      )}
      <p className="mt-6 flex flex-wrap gap-3">
        <LinkButton to="/register?plan=trial">Start free trial</LinkButton>
        <LinkButton to="/">Back to the calculator</LinkButton>
      </p>
    </div>
  );
}
