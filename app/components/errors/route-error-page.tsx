import { useLocation } from '@remix-run/react';
import { LinkButton } from '../ui/button.tsx';
import { ApplicationError } from './error-page.tsx';
import { MessagePage } from './message-page.tsx';
import { NotFound } from './not-found.tsx';
import { PremiumOnly } from './premium-only.tsx';

interface RouteErrorPageProps {
  status: number;
  /** What the server said, when it is fit to be read. */
  message?: string;
  requestId?: string;
}

const PREMIUM_TEXT = 'Premium users only';

function Refused({ status, message, href }: { status: number; message?: string; href: string }) {
  return (
    <MessagePage
      title={status === 429 ? 'Too many attempts' : 'This did not go through'}
      actions={
        <>
          <LinkButton to={href} reloadDocument variant="primary">
            Try Again
          </LinkButton>
          <LinkButton to="/">Go to the home page</LinkButton>
        </>
      }
    >
      <p>{message ?? `The server refused this request (${status}).`}</p>
    </MessagePage>
  );
}

/** The last boundary: whatever a loader or an action threw, or a page that failed to render. */
export function RouteErrorPage({ status, message, requestId }: RouteErrorPageProps) {
  const { pathname, search } = useLocation();
  const href = `${pathname}${search}`;
  if (status >= 500) return <ApplicationError href={href} message={message} requestId={requestId} />;
  return (
    <main>
      {status === 404 ? (
        <NotFound />
      ) : message === PREMIUM_TEXT ? (
        <PremiumOnly />
      ) : (
        <Refused status={status} message={message} href={href} />
      )}
    </main>
  );
}
