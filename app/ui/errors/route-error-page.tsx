import { useLocation } from '@remix-run/react';
import type { ReactNode } from 'react';
import { ERROR_WORDS } from '#app/domain/messages/error-messages.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { ComponentError, isModuleError } from './component-error.tsx';
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
  /** What was thrown, in the browser. */
  error?: unknown;
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
            {ERROR_WORDS.again}
          </LinkButton>
          <LinkButton to="/">Go to the home page</LinkButton>
        </>
      }
    >
      <p>{message ?? `The server refused this request (${status}).`}</p>
    </MessagePage>
  );
}

/** The server is there and cannot answer now, or not at all what was asked: it says so itself then. */
function Unavailable({ href, message }: { href: string; message?: string }) {
  return (
    <MessagePage
      title={message === undefined ? 'Back in a moment' : 'Not available'}
      actions={
        <LinkButton to={href} reloadDocument variant="primary">
          {ERROR_WORDS.again}
        </LinkButton>
      }
    >
      <p>{message ?? 'The server is starting up or busy. What you saved is safe.'}</p>
    </MessagePage>
  );
}

function Explained({ status, message, href }: { status: number; message?: string; href: string }) {
  if (status === 404) return <NotFound />;
  if (message === PREMIUM_TEXT) return <PremiumOnly />;
  return <Refused status={status} message={message} href={href} />;
}

/** Whatever a loader or an action threw, or a page that failed to render: what it means and what to do next. */
export function RouteErrorPage({ status, message, requestId, error, framed = false }: RouteErrorPageProps) {
  const { pathname, search } = useLocation();
  const href = `${pathname}${search}`;
  const framedOrAlone = (page: ReactNode) => (framed ? page : <StandalonePage>{page}</StandalonePage>);
  if (isModuleError(error)) return framedOrAlone(<ComponentError href={href} />);
  if (status === 503) return framedOrAlone(<Unavailable href={href} message={message} />);
  if (status >= 500) {
    if (framed) return <ErrorPage href={href} message={message} requestId={requestId} />;
    return <ApplicationError href={href} message={message} requestId={requestId} />;
  }
  return framedOrAlone(<Explained status={status} message={message} href={href} />);
}
