import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { BackupList } from '#app/components/admin/system/backup-list.tsx';
import { SystemPage } from '#app/components/admin/system/system-page.tsx';
import { LinkButton } from '#app/components/ui/button.tsx';
import { backupView } from '#app/http/admin-system.server.ts';
import { forAdmins } from '#app/http/page.server.ts';
import { listBackups } from '#app/services/admin-backups.server.ts';

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
