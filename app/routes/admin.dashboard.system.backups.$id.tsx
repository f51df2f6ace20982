import { data, type HeadersFunction, type MetaFunction } from '@remix-run/node';
import { useLoaderData, useRevalidator } from '@remix-run/react';
import { useEffect } from 'react';
import { BackupProgress, SystemPage } from '#app/features/admin/index.ts';
import { backupView } from '#app/features/admin/system/system-pages.server.ts';
import { forAdmins } from '#app/platform/http/route-handlers.server.ts';
import { getBackup, listBackups } from '#app/features/system/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Backup – Vialbook Admin' }];

const AGAIN_SECONDS = 2;

export const loader = forAdmins(async ({ ctx, user, params }) => {
  const backup = await getBackup(ctx, params.id ?? '');
  const last = (await listBackups(ctx)).find(({ state, id }) => state === 'done' && id !== backup.id);
  const view = backupView(backup, user.timeZone, last?.bytes ?? null);
  // Without scripts the browser reloads the page until the backup has ended.
  const headers = new Headers(view.state === 'running' ? { Refresh: String(AGAIN_SECONDS) } : {});
  return data({ backup: view, mayDownload: user.role === 'super_admin' }, { headers });
});

export const headers: HeadersFunction = ({ loaderHeaders }) => {
  const refresh = loaderHeaders.get('Refresh');
  return new Headers(refresh === null ? {} : { Refresh: refresh });
};

export default function AdminBackup() {
  const { backup, mayDownload } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const isRunning = backup.state === 'running';
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => void revalidate(), AGAIN_SECONDS * 1000);
    return () => clearInterval(timer);
  }, [isRunning, revalidate]);
  return (
    <SystemPage tab="backups" title="Backup">
      <BackupProgress backup={backup} mayDownload={mayDownload} />
    </SystemPage>
  );
}
