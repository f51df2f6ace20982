import type { MetaFunction } from '@remix-run/node';
import { useLoaderData, useRouteError } from '@remix-run/react';
import { AdminDataError } from '#app/components/admin/admin-data-error.tsx';
import { Health } from '#app/components/admin/system/health.tsx';
import { SystemPage } from '#app/components/admin/system/system-page.tsx';
import { healthView } from '#app/http/admin-system.server.ts';
import { forAdmins } from '#app/http/page.server.ts';
import { thrownMessage } from '#app/http/thrown-message.ts';
import { systemHealth } from '#app/services/system.server.ts';
import { getWorkerFigures } from '#app/services/worker-figures.server.ts';

export const meta: MetaFunction = () => [{ title: 'System – Vialbook Admin' }];

export const loader = forAdmins(async ({ ctx, user }) =>
  healthView(await systemHealth(ctx), await getWorkerFigures(ctx), user.timeZone),
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
