import {
  isRouteErrorResponse,
  Outlet,
  useLoaderData,
  useRouteError,
  useRouteLoaderData,
} from '@remix-run/react';
import { AdminShell, type AdminFrame } from '#app/features/admin/index.ts';
import { RouteErrorPage, thrownMessage } from '#app/ui/errors/error-pages.tsx';
import { forAdmins } from '#app/platform/http/route-handlers.server.ts';

/** Data of the header. Each page below checks its own permission. */
export const loader = forAdmins(({ user }): AdminFrame => ({
  email: user.email,
  role: user.role === 'super_admin' ? 'super_admin' : 'admin',
}));

export default function Admin() {
  return (
    <AdminShell {...useLoaderData<typeof loader>()}>
      <Outlet />
    </AdminShell>
  );
}

/** Keeps the header when a page fails; without header data, only the error page is shown. */
export function ErrorBoundary() {
  const error = useRouteError();
  const frame = useRouteLoaderData<typeof loader>('routes/admin.dashboard');
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const page = <RouteErrorPage status={status} message={thrownMessage(error)} framed={frame !== undefined} />;
  return frame ? <AdminShell {...frame}>{page}</AdminShell> : page;
}
