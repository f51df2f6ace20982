import type { MetaFunction } from '@remix-run/node';
import { useLoaderData, useRouteError } from '@remix-run/react';
import { AdminDataError, Health, SystemPage } from '#app/features/admin/index.ts';
import { healthView } from '#app/features/admin/system/system-pages.server.ts';
import { forAdmins } from '#app/platform/http/route-handlers.server.ts';
import { thrownMessage } from '#app/ui/errors/error-pages.tsx';
import { systemHealth } from '#app/features/admin/index.server.ts';
import { getWorkerFigures, listFailures } from '#app/features/system/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'System – Vialbook Admin' }];

export const loader = forAdmins(async ({ ctx, user }) =>
  healthView(await systemHealth(ctx), await getWorkerFigures(ctx), await listFailures(ctx), user.timeZone),
);

export default function AdminSystem() {
  return (
    <SystemPage tab="health" title="System">
      <Health {...useLoaderData<typeof loader>()} />
    </SystemPage>
  );
}

export function ErrorBoundary() {
  return <AdminDataError message={thrownMessage(useRouteError())} />;
}
