import { data, type MetaFunction } from '@remix-run/node';
import { forEveryone } from '#app/platform/http/route-handlers.server.ts';
import { NotFound, StandalonePage } from '#app/ui/errors/error-pages.tsx';

export const meta: MetaFunction = () => [{ title: 'Page not found – Vialbook' }];

export function loader() {
  return data(null, { status: 404 });
}

export const action = forEveryone(() => data(null, { status: 404 }));

export { clientAction } from '#app/ui/connection/client-action.ts';

/** Any other path. */
export default function UnknownPage() {
  return (
    <StandalonePage>
      <NotFound />
    </StandalonePage>
  );
}
