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

/** What the frame of the admin area shows. Each page below asks for its own permission; this one only draws. */
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

/** A page that fails leaves the frame standing; only when the frame itself has no data does the bare page show. */
export function ErrorBoundary() {
  const error = useRouteError();
  const frame = useRouteLoaderData<typeof loader>('routes/admin.dashboard');
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const page = <RouteErrorPage status={status} message={thrownMessage(error)} framed={frame !== undefined} />;
  return frame ? <AdminShell {...frame}>{page}</AdminShell> : page;
}
