import { type ReactNode, useEffect } from 'react';
import { isRouteErrorResponse, useLocation, useRouteLoaderData } from '@remix-run/react';
import { ACCESS_MESSAGES } from '#app/domain/messages.ts';
import { Brand } from '#app/ui/shell/page-frame.tsx';
import { LinkButton } from '#app/ui/button.tsx';
import { ERROR_WORDS, MODULE_FAILED, MODULE_TEXTS, REQUEST_FAILED } from '#app/domain/messages.ts';
import { useSite } from '#app/ui/site.ts';
import type { NoAnswer } from '#app/ui/connection/no-answer.ts';
import { missingSince } from '#app/ui/connection/missing-page.ts';

interface MessagePageProps {
  title: string;
  children?: ReactNode;
  /** The one thing to do next, as a link or button. */
  actions?: ReactNode;
}

/** A page with one message and what to do next. */
export function MessagePage({ title, children, actions }: MessagePageProps) {
  return (
    <div className="mx-auto w-full max-w-2xl px-4 py-16">
      <div className="margin-rule py-2 ps-6">
        <h1>{title}</h1>
        <div className="mt-3 grid gap-3">{children}</div>
        {actions ? <div className="mt-6 flex flex-wrap gap-3">{actions}</div> : null}
      </div>
    </div>
  );
}

/** A page outside both shells, with a link to the home page above its content. */
export function StandalonePage({ children }: { children: ReactNode }) {
  return (
    <>
      <header className="no-print border-b border-line bg-sheet">
        <div className="mx-auto max-w-6xl px-4 py-0.5 sm:py-2">
          <Brand to="/" />
        </div>
      </header>
      <main>{children}</main>
    </>
  );
}

/** Any path that is not a page. */
export function NotFound() {
  return (
    <MessagePage
      title="404 - Page Not Found"
      actions={
        <>
          <LinkButton to="/" variant="primary">
            Go to the home page
          </LinkButton>
          <LinkButton to="/calculator">Open the calculator</LinkButton>
        </>
      }
    >
      <p>There is no page at this address. It may be mistyped, or the page may be gone.</p>
    </MessagePage>
  );
}

/** A failure from before this visit to the page: its code may load now. */
const OLD_MS = 10_000;

/**
 * A page's code did not load after all retries, because of the connection or a new version of the application. The browser
 * keeps what it was given in its place, so whoever comes back later gets the whole page anew.
 */
function ComponentError({ href, since }: { href: string; since: number }) {
  useEffect(() => {
    if (Date.now() - since > OLD_MS) window.location.reload();
  }, [since]);
  return (
    <MessagePage
      title={MODULE_FAILED}
      actions={
        <>
          <LinkButton to={href} reloadDocument variant="primary">
            {ERROR_WORDS.refresh}
          </LinkButton>
          <LinkButton to="/dashboard">{MODULE_TEXTS.back}</LinkButton>
        </>
      }
    >
      <p>{`${MODULE_TEXTS.what} ${MODULE_TEXTS.why}`}</p>
    </MessagePage>
  );
}

const supportReference = (requestId: string): string => `Reference for support: ${requestId}`;

interface ErrorPageProps {
  /** This page's own address: "Refresh Page" reloads it. */
  href: string;
  /** Where "Try Again" starts over. */
  retryHref?: string;
  title?: string;
  /** What failed, if there is a message meant for users. */
  message?: string;
  /** Identifies the failure in the log. */
  requestId?: string;
}

/** Part of the application failed; the rest still works. */
export function ErrorPage({
  href,
  retryHref = href,
  title = ERROR_WORDS.title,
  message,
  requestId,
}: ErrorPageProps) {
  return (
    <MessagePage
      title={title}
      actions={
        <>
          <LinkButton to={href} reloadDocument variant="primary">
            {ERROR_WORDS.refresh}
          </LinkButton>
          <LinkButton to={retryHref}>{ERROR_WORDS.again}</LinkButton>
        </>
      }
    >
      <p>{message ?? 'Your entries are not lost: go back one page to find them.'}</p>
      {requestId ? <p className="text-sm text-soft">{supportReference(requestId)}</p> : null}
    </MessagePage>
  );
}

/** The application itself failed: no shell, plain links only. */
function ApplicationError({
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

/** A free user opened a premium page (403). */
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

/** The demo does not have what was asked for (403). */
function NotInDemo() {
  const { hasSignUp } = useSite();
  return (
    <MessagePage
      title="Not available in the demo"
      actions={
        <>
          {hasSignUp ? (
            <LinkButton to="/register" variant="primary">
              Create an account
            </LinkButton>
          ) : null}
          <LinkButton to="/dashboard">Back to the demo</LinkButton>
        </>
      }
    >
      <p>{ACCESS_MESSAGES.notInDemo}</p>
    </MessagePage>
  );
}

/** The message of a loader or action that refused, if it is meant for users. */
export function thrownMessage(error: unknown): string | undefined {
  if (!isRouteErrorResponse(error)) return undefined;
  const body: unknown = error.data;
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined;
  return typeof message === 'string' ? message : undefined;
}

interface RouteErrorPageProps {
  status: number;
  /** The server's message, if it is meant for users. */
  message?: string;
  requestId?: string;
  /** What was thrown, in the browser. */
  error?: unknown;
  /** Inside a frame that has a `main` and a navigation of its own. */
  framed?: boolean;
}

const PREMIUM_TEXT = 'Premium users only';

function Refused({ status, message, href }: { status: number; message?: string; href: string }) {
  if (message === ACCESS_MESSAGES.notInDemo) return <NotInDemo />;
  return (
    <MessagePage
      title={status === 429 ? 'Too many attempts' : REQUEST_FAILED}
      actions={
        <>
          <LinkButton to={href} reloadDocument variant="primary">
            {ERROR_WORDS.again}
          </LinkButton>
          <LinkButton to="/">Go to the home page</LinkButton>
        </>
      }
    >
      <p>{message ?? `The server rejected this request (${status}).`}</p>
    </MessagePage>
  );
}

/** The server cannot answer now; with a `message`, it cannot answer this request at all. */
function Unavailable({ href, pathname, message }: { href: string; pathname: string; message?: string }) {
  return (
    <MessagePage
      title={message === undefined ? 'Back in a moment' : 'Not available'}
      actions={
        <>
          <LinkButton to={href} reloadDocument variant="primary">
            {ERROR_WORDS.again}
          </LinkButton>
          {href === pathname ? null : <LinkButton to={pathname}>Clear search and filters</LinkButton>}
        </>
      }
    >
      <p>{message ?? 'The server is starting up or busy. What you saved is safe.'}</p>
    </MessagePage>
  );
}

/** Why the data of the page whose address is shown did not arrive, as the root route noted; null if it did. */
function useNoAnswer(): NoAnswer | null {
  const root = useRouteLoaderData('root') as { noAnswer?: NoAnswer } | undefined;
  return root?.noAnswer ?? null;
}

/** Explains what a loader or action threw, or why a page failed to render, and what to do next. */
export function RouteErrorPage({ status, message, requestId, error, framed = false }: RouteErrorPageProps) {
  const { pathname, search } = useLocation();
  const href = `${pathname}${search}`;
  const noAnswer = useNoAnswer();
  const framedOrAlone = (page: ReactNode) => (framed ? page : <StandalonePage>{page}</StandalonePage>);
  const since = missingSince(error);
  if (since !== null) return framedOrAlone(<ComponentError href={href} since={since} />);
  if (noAnswer !== null) return framedOrAlone(<ErrorPage href={href} {...noAnswer} />);
  if (status === 503) return framedOrAlone(<Unavailable href={href} pathname={pathname} message={message} />);
  if (status >= 500) {
    if (framed) return <ErrorPage href={href} message={message} requestId={requestId} />;
    return <ApplicationError href={href} message={message} requestId={requestId} />;
  }
  if (status === 404) return framedOrAlone(<NotFound />);
  if (message === PREMIUM_TEXT) return framedOrAlone(<PremiumOnly />);
  return framedOrAlone(<Refused status={status} message={message} href={href} />);
}
