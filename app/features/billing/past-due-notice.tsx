import { LinkButton } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';

/** Shown on every signed-in page while a payment is outstanding: what that means and how to fix it. */
export function PastDueNotice({ isPremium }: { isPremium: boolean }) {
  return (
    <div className="no-print mt-4">
      <Notice
        tone="warning"
        title="Your last payment failed"
        actions={<LinkButton to="/upgrade">Check your plan</LinkButton>}
      >
        {isPremium
          ? 'Premium stays on for 7 days after the failure.'
          : 'Premium has stopped. Nothing was deleted.'}
      </Notice>
    </div>
  );
}
