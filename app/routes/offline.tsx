import { data, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { OfflinePage } from '#app/features/offline/index.ts';
import { calculatorStatus, readCalculatorPage } from '#app/features/calculator/pages.server.ts';

export const meta: MetaFunction = () => [
  { title: 'Offline – Vialbook' },
  { name: 'robots', content: 'noindex' },
];

/**
 * The page that every browser caches for offline use. It contains no personal data: that comes from the store in the
 * user's own browser.
 */
export function loader({ request }: { request: Request }) {
  const { searchParams } = new URL(request.url);
  const page = readCalculatorPage('/offline', searchParams);
  const { path, values, result, errors, blends } = page;
  return data({ path, values, result, errors, blends }, { status: calculatorStatus(page) });
}

/** The page never changes, and offline the request would fail. */
export const shouldRevalidate = () => false;

export default function Offline() {
  return <OfflinePage {...useLoaderData<typeof loader>()} />;
}
