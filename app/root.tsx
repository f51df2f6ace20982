// Must come first, before any module with schemas.
import '#app/ui/connection/no-eval.client.ts';
import {
  data,
  redirect,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node';
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLoaderData,
  useLocation,
  useRouteError,
  useRouteLoaderData,
  type ClientLoaderFunctionArgs,
} from '@remix-run/react';
import { useEffect, type ReactNode } from 'react';
import type { NoAnswer } from '#app/ui/connection/no-answer.ts';
import { MissedPage } from '#app/ui/connection/missed-page.tsx';
import { loadOrStay, useShownPage } from '#app/ui/connection/stay.ts';
import { RouteErrorPage, thrownMessage } from '#app/ui/errors/error-pages.tsx';
import { AppNotices } from '#app/offline/installed/app-notices.tsx';
import { useNonce } from '#app/ui/nonce.tsx';
import { LazyShortcuts } from '#app/ui/shell/lazy-shortcuts.tsx';
import { SiteContext, type Site } from '#app/ui/site.ts';
import { LoadingBar } from '#app/ui/shell/loading.tsx';
import { PageFocus } from '#app/ui/shell/page-frame.tsx';
import { ToastStack } from '#app/ui/toasts.tsx';
import { plainPathOf } from '#app/domain/site/public-pages.ts';
import { takeFlash, type Flash } from '#app/platform/http/forms.server.ts';
import { siteOffers } from '#app/platform/http/session.server.ts';
import stylesheet from './styles/app.css?url';

export const links: LinksFunction = () => [
  { rel: 'stylesheet', href: stylesheet },
  { rel: 'icon', href: '/favicon.ico', sizes: '32x32' },
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'apple-touch-icon', href: '/icons/apple-touch-icon.png' },
  { rel: 'manifest', href: '/manifest.webmanifest' },
];

export const meta: MetaFunction = () => [{ title: 'Vialbook' }];

/** What this server offers, and the messages the last action left for this page. Capitals lead to the page's one address. */
export async function loader({ request }: LoaderFunctionArgs) {
  const { pathname, search } = new URL(request.url);
  const plain = plainPathOf(pathname);
  if (plain !== null) throw redirect(`${plain}${search}`, 301);
  const { toasts, headers } = await takeFlash(request);
  return data({ toasts, site: siteOffers() }, { headers });
}

interface RootData {
  toasts: Flash[];
  site: Site | null;
  noAnswer?: NoAnswer;
}

/** What the server offered when it last answered. */
let lastSite: Site | null = null;

/** With scripts: the root takes part in every navigation, so it notices when nobody answers. */
export function clientLoader({ request, serverLoader }: ClientLoaderFunctionArgs): Promise<RootData> {
  return loadOrStay<RootData>(
    request,
    () => serverLoader<typeof loader>(),
    ({ title, message }) => ({ toasts: [], site: lastSite, noAnswer: { title, message } }),
  );
}

/** A page without an answer from the server offers nothing. */
const NOTHING: Site = { origin: '', isSelling: false, hasSignUp: false, hasPasswords: true, providers: [] };

/** Account pages share a description; public pages have their own. */
const OF_ACCOUNT = /^\/(?:dashboard|upgrade)/;

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useNonce();
  const { pathname } = useLocation();
  const site = useRouteLoaderData<RootData>('root')?.site ?? null;
  useEffect(() => {
    lastSite = site ?? lastSite;
  }, [site]);
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#edf2ea" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0d1312" media="(prefers-color-scheme: dark)" />
        <Meta />
        {OF_ACCOUNT.test(pathname) ? (
          <meta name="description" content="Your vials, plans and doses." />
        ) : null}
        <Links />
      </head>
      <body>
        <SiteContext.Provider value={site ?? NOTHING}>{children}</SiteContext.Provider>
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

export default function App() {
  const { toasts } = useLoaderData<typeof loader>();
  useShownPage();
  const location = useLocation();
  return (
    <>
      <LoadingBar />
      <PageFocus />
      <Outlet />
      <LazyShortcuts />
      <ToastStack
        key={toasts.map((toast) => toast.id).join()}
        toasts={toasts}
        closeHref={`${location.pathname}${location.search}`}
      />
      <MissedPage />
      <AppNotices />
    </>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  if (isRouteErrorResponse(error))
    return <RouteErrorPage status={error.status} message={thrownMessage(error)} />;
  return <RouteErrorPage status={500} error={error} />;
}
