import { Link } from '@remix-run/react';
import { Badge, type BadgeTone } from '#app/ui/badge.tsx';
import { LinkButton } from '#app/ui/button.tsx';
import { DataTable } from '#app/ui/data-table.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Notice } from '#app/ui/notice.tsx';

/** A backup as the pages show it. */
export interface BackupShown {
  id: string;
  state: 'running' | 'done' | 'failed' | 'interrupted';
  started: string;
  size: string;
  host: string;
  error: string | null;
  /** Bytes written so far as a share of the last backup's size; null if there is none to compare with. */
  share: number | null;
}

const TONE: Readonly<Record<BackupShown['state'], BadgeTone>> = {
  running: 'pen',
  done: 'good',
  failed: 'danger',
  interrupted: 'danger',
};

const pathOf = (id: string) => `/admin/dashboard/system/backups/${id}`;

/** All backups, latest first. */
export function BackupList({ backups }: { backups: readonly BackupShown[] }) {
  if (backups.length === 0)
    return (
      <EmptyState
        level={2}
        title="No backups yet"
        action={
          <LinkButton to="/admin/dashboard/system/actions?do=backup" variant="primary">
            Back up now
          </LinkButton>
        }
      >
        A backup is one compressed file with checksums. People can keep working while it is made. The last
        five are kept for up to 30 days. To restore one, run “vialbook admin restore FILE” at the terminal.
      </EmptyState>
    );
  return (
    <DataTable
      caption="Backups"
      rows={backups}
      rowKey={({ id }) => id}
      columns={[
        {
          key: 'started',
          label: 'Started',
          cell: ({ id, started }) => <Link to={pathOf(id)}>{started}</Link>,
        },
        { key: 'state', label: 'Status', cell: ({ state }) => <Badge tone={TONE[state]}>{state}</Badge> },
        { key: 'size', label: 'Size', numeric: true, cell: ({ size }) => size },
        { key: 'host', label: 'Machine', cell: ({ host }) => host },
      ]}
    />
  );
}

/** One backup: its progress, and a download link for super admins. */
export function BackupProgress({ backup, mayDownload }: { backup: BackupShown; mayDownload: boolean }) {
  const { id, state, started, size, host, error, share } = backup;
  return (
    <div className="sheet grid max-w-2xl gap-3 p-5">
      <p className="flex flex-wrap items-center gap-3">
        <Badge tone={TONE[state]}>{state}</Badge>
        <span className="figure">{size}</span>
        <span className="text-soft">{`started ${started} on ${host}`}</span>
      </p>
      {state === 'running' ? (
        <p role="status">
          <progress className="admin-progress" max={1} value={share ?? undefined} aria-label="Written" />
          <span className="block text-sm text-soft">
            {share === null
              ? 'In progress. This page refreshes by itself.'
              : 'In progress. The bar compares it with the last backup. This page refreshes by itself.'}
          </span>
        </p>
      ) : null}
      {error === null ? null : <Notice tone="error">{error}</Notice>}
      {state === 'interrupted' ? (
        <Notice tone="warning">The process that was writing it has stopped. Start another backup.</Notice>
      ) : null}
      {state === 'done' && mayDownload ? (
        <div>
          <LinkButton to={`${pathOf(id)}/file`} reloadDocument variant="primary">
            Download
          </LinkButton>
          <p className="mt-2 text-sm text-soft">
            The file contains everyone’s data. Its second factors can only be read with this server’s session
            secret.
          </p>
        </div>
      ) : null}
      {state === 'done' && !mayDownload ? (
        <p className="text-soft">Only a super admin can download it.</p>
      ) : null}
    </div>
  );
}
