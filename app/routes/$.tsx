import { data, type MetaFunction } from '@remix-run/react';
import { NotFound, StandalonePage } from '#app/ui/errors/error-pages.tsx';

export const meta: MetaFunction = () => [{ title: 'Page not found – Vialbook' }];

export function loader() {
  return data(null, { status: 404 });
}

export function action() {
  return data(null, { status: 404 });
}

/** Any other path. */
export default function UnknownPage() {
  return (
    <StandalonePage>
      <NotFound />
    </StandalonePage>
  );
}
