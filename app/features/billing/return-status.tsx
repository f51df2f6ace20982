import { LinkButton } from '#app/ui/button.tsx';

interface ReturnStatusProps {
  /** The provider has told that it was paid. */
  isPaid: boolean;
  words: readonly string[];
}

/** After the checkout: what is true now, which only the payment provider decides. */
export function ReturnStatus({ isPaid, words }: ReturnStatusProps) {
  if (!isPaid) {
    return (
      <section className="sheet grid gap-4 p-5" role="status">
        <h2>Waiting for confirmation</h2>
        <p>
          The payment provider has not confirmed the payment yet. That usually takes a few seconds. Nothing is
          lost if you leave this page, and you will not be charged twice.
        </p>
        <div className="flex flex-wrap gap-3">
          <LinkButton to="/upgrade/return" variant="primary" reloadDocument>
            Check again
          </LinkButton>
          <LinkButton to="/upgrade">See your plan</LinkButton>
        </div>
      </section>
    );
  }
  return (
    <section className="sheet grid gap-4 p-5" role="status">
      <h2>Premium is on</h2>
      <div className="grid gap-1">
        {words.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      <div className="flex flex-wrap gap-3">
        <LinkButton to="/dashboard" variant="primary">
          Go to the dashboard
        </LinkButton>
        <LinkButton to="/upgrade">See your plan</LinkButton>
      </div>
    </section>
  );
}
