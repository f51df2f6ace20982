import { Link } from '@remix-run/react';
import { LinkButton } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';

/** What saving means on the free plan, said before it matters. */
export function SessionOnlyBanner() {
  return (
    <div className="no-print mt-6">
      <Notice tone="info" role="note" title="Free Tier - Session Only">
        <p>
          Saved calculations belong to this sign-in and go when you sign out.{' '}
          <Link to="/upgrade">Premium keeps them</Link>, also those of this session.
        </p>
      </Notice>
    </div>
  );
}

/** From ten saved calculations on. */
export function FreeTierLimit({ count }: { count: number }) {
  return (
    <div className="no-print mt-6">
      <Notice
        tone="warning"
        role="note"
        title="Free Tier Limit"
        actions={
          <LinkButton to="/upgrade" variant="primary">
            Upgrade
          </LinkButton>
        }
      >
        <p>{`This session holds ${count} calculations. They go when it ends; Premium keeps every one.`}</p>
      </Notice>
    </div>
  );
}
