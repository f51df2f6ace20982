import { useLocation } from '@remix-run/react';
import { LinkButton } from '../ui/button.tsx';
import { ApplicationError, ErrorPage } from './error-page.tsx';
import { MessagePage } from './message-page.tsx';
import { NotFound } from './not-found.tsx';
import { PremiumOnly } from './premium-only.tsx';
import { StandalonePage } from './standalone-page.tsx';

interface RouteErrorPageProps {
  status: number;
  /** What the server said, when it is fit to be read. */
  message?: string;
  requestId?: string;
  /** Inside a frame that has a `main` and a navigation of its own. */
  framed?: boolean;
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

function Explained({ status, message, href }: { status: number; message?: string; href: string }) {
  if (status === 404) return <NotFound />;
  if (message === PREMIUM_TEXT) return <PremiumOnly />;
  return <Refused status={status} message={message} href={href} />;
}

/** Whatever a loader or an action threw, or a page that failed to render: what it means and what to do next. */
export function RouteErrorPage({ status, message, requestId, framed = false }: RouteErrorPageProps) {
  const { pathname, search } = useLocation();
  const href = `${pathname}${search}`;
  if (status >= 500) {
    if (framed) return <ErrorPage href={href} message={message} requestId={requestId} />;
    return <ApplicationError href={href} message={message} requestId={requestId} />;
  }
  const page = <Explained status={status} message={message} href={href} />;
  return framed ? page : <StandalonePage>{page}</StandalonePage>;
}
