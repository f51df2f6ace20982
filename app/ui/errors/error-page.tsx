import { ERROR_WORDS, supportReference } from '#app/domain/messages/error-messages.ts';
import { LinkButton } from '#app/ui/button.tsx';
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
      title={ERROR_WORDS.title}
      actions={
        <>
          <LinkButton to={href} reloadDocument variant="primary">
            {ERROR_WORDS.refresh}
          </LinkButton>
          <LinkButton to={retryHref}>{ERROR_WORDS.again}</LinkButton>
        </>
      }
    >
      <p>{message ?? ERROR_WORDS.nothingLost}</p>
      {requestId ? <p className="text-sm text-soft">{supportReference(requestId)}</p> : null}
    </MessagePage>
  );
}

/** The application itself failed: no shell, plain links only. */
export function ApplicationError({
  href = '/',
  message = ERROR_WORDS.application,
  requestId,
}: {
  href?: string;
  message?: string;
  requestId?: string;
}) {
  return (
    <StandalonePage>
      <MessagePage
        title={ERROR_WORDS.title}
        actions={
          <a href={href} className="btn btn-primary">
            {ERROR_WORDS.refresh}
          </a>
        }
      >
        <p>{message}</p>
        {requestId ? <p className="text-sm text-soft">{supportReference(requestId)}</p> : null}
      </MessagePage>
    </StandalonePage>
  );
}
