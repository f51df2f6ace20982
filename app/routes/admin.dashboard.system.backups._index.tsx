import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { BackupList, SystemPage } from '#app/features/admin/index.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { backupView } from '#app/features/admin/system/system-pages.server.ts';
import { forAdmins } from '#app/platform/http/route-handlers.server.ts';
import { listBackups } from '#app/features/system/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Backups – Vialbook Admin' }];

export const loader = forAdmins(async ({ ctx, user }) => ({
  backups: (await listBackups(ctx)).map((backup) => backupView(backup, user.timeZone)),
}));

export default function AdminBackups() {
  const { backups } = useLoaderData<typeof loader>();
  const now = <LinkButton to="/admin/dashboard/system/actions?do=backup">Back up now</LinkButton>;
  return (
    <SystemPage tab="backups" title="Backups" actions={backups.length > 0 ? now : null}>
      <BackupList backups={backups} />
    </SystemPage>
  );
}
