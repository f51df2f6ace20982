import { LinkButton } from '#app/ui/button.tsx';
import { MessagePage } from './message-page.tsx';

/** A premium page asked for by a free user (403). */
export function PremiumOnly({ area }: { area?: string }) {
  return (
    <MessagePage
      title="Premium users only"
      actions={
        <>
          <LinkButton to="/upgrade" variant="primary">
            Upgrade to Pro
          </LinkButton>
          <LinkButton to="/dashboard/calculator">Back to the calculator</LinkButton>
        </>
      }
    >
      <p>{`${area ?? 'This page'} is part of Premium: $5 per month or $30 per year, 14 days free without a card.`}</p>
    </MessagePage>
  );
}
