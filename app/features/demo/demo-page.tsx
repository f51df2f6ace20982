import { LinkButton, Button } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { PageTitle } from '#app/ui/page-head.tsx';
import { deviceTimeZone } from '#app/ui/use-time-zone.ts';

interface DemoPageProps {
  isOpen: boolean;
  /** Why no demo was started. */
  problem?: string | undefined;
}

/** Starts a demo from a link, and says why if that fails. */
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
            A year of sample data: two compounds with their vials, doses, side effects, weight and orders. Use
            it as your own; nothing is sent anywhere. It’s deleted after 24 hours.
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

/** Fills in the visitor's zone; without scripts the demo uses UTC. */
function fillZone(field: HTMLInputElement | null): void {
  if (field) field.value = deviceTimeZone();
}

/** Starts a demo. A plain form, so that the whole page reloads for the signed-in user. */
export function DemoForm({ variant }: { variant?: 'primary' }) {
  return (
    <form method="post" action="/demo">
      <input type="hidden" name="timeZone" ref={fillZone} />
      <Button {...(variant && { variant })}>Try the demo</Button>
    </form>
  );
}
