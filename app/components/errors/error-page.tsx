import { LinkButton } from '../ui/button.tsx';
import { MessagePage } from './message-page.tsx';
import { StandalonePage } from './standalone-page.tsx';

interface ErrorPageProps {
  /** This page's own address: "Refresh Page" loads it anew. */
  href: string;
  /** Where "Try Again" starts over. */
  retryHref?: string;
  /** A sentence about what failed, when there is one fit to be read. */
  message?: string;
  /** To find the failure in the log. */
  requestId?: string;
}

/** A part of the application failed; the rest still works. */
export function ErrorPage({ href, retryHref = href, message, requestId }: ErrorPageProps) {
  return (
    <MessagePage
      title="Something went wrong"
      actions={
        <>
          <LinkButton to={href} reloadDocument variant="primary">
            Refresh Page
          </LinkButton>
          <LinkButton to={retryHref}>Try Again</LinkButton>
        </>
      }
    >
      <p>{message ?? 'What you entered is not lost: go back one page to find it.'}</p>
      {requestId ? <p className="text-sm text-soft">{`Reference for support: ${requestId}`}</p> : null}
    </MessagePage>
  );
}

/** The application itself failed: no shell, plain links only. */
export function ApplicationError({
  href = '/',
  message = 'Application Error: Something went wrong. Please refresh the page.',
  requestId,
}: {
  href?: string;
  message?: string;
  requestId?: string;
}) {
  return (
    <StandalonePage>
      <MessagePage
        title="Something went wrong"
        actions={
          <a href={href} className="btn btn-primary">
            Refresh Page
          </a>
        }
      >
        <p>{message}</p>
        {requestId ? <p className="text-sm text-soft">{`Reference for support: ${requestId}`}</p> : null}
      </MessagePage>
    </StandalonePage>
  );
}
