import { data, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { OfflinePage } from '#app/features/offline/index.ts';
import { calculatorStatus, readCalculatorPage } from '#app/features/calculator/pages.server.ts';

export const meta: MetaFunction = () => [
  { title: 'Offline – Vialbook' },
  { name: 'robots', content: 'noindex' },
];

/**
 * The page that every browser keeps for times without a connection. It knows nothing of who asks: what it shows of a
 * person comes out of the store in their own browser.
 */
export function loader({ request }: { request: Request }) {
  const { searchParams } = new URL(request.url);
  const page = readCalculatorPage('/offline', searchParams);
  const { path, values, result, errors, blends } = page;
  return data({ path, values, result, errors, blends }, { status: calculatorStatus(page) });
}

/** Nothing of it changes, and asking would fail just when it is needed. */
export const shouldRevalidate = () => false;

export default function Offline() {
  return <OfflinePage {...useLoaderData<typeof loader>()} />;
}
