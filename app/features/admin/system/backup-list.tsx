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
  /** What share of the last backup's size is written; null when there is none to compare with. */
  share: number | null;
}

const TONE: Readonly<Record<BackupShown['state'], BadgeTone>> = {
  running: 'pen',
  done: 'good',
  failed: 'danger',
  interrupted: 'danger',
};

const pathOf = (id: string) => `/admin/dashboard/system/backups/${id}`;

/** All backups, the latest first. */
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
        A backup is one compressed file with checksums in the data directory, made while people work. The last
        five are kept, for at most 30 days. Reading one in is done at the terminal: vialbook admin restore
        FILE.
      </EmptyState>
    );
  return (
    <DataTable
      caption="Backups"
      rows={backups}
      rowKey={({ id }) => id}
      columns={[
        { key: 'started', label: 'Begun', cell: ({ id, started }) => <Link to={pathOf(id)}>{started}</Link> },
        { key: 'state', label: 'State', cell: ({ state }) => <Badge tone={TONE[state]}>{state}</Badge> },
        { key: 'size', label: 'Size', numeric: true, cell: ({ size }) => size },
        { key: 'host', label: 'On', cell: ({ host }) => host },
      ]}
    />
  );
}

/** One backup: how far it is, and the file for super admins. */
export function BackupProgress({ backup, mayDownload }: { backup: BackupShown; mayDownload: boolean }) {
  const { id, state, started, size, host, error, share } = backup;
  return (
    <div className="sheet grid max-w-2xl gap-3 p-5">
      <p className="flex flex-wrap items-center gap-3">
        <Badge tone={TONE[state]}>{state}</Badge>
        <span className="figure">{size}</span>
        <span className="text-soft">{`begun ${started} on ${host}`}</span>
      </p>
      {state === 'running' ? (
        <p role="status">
          <progress className="admin-progress" max={1} value={share ?? undefined} aria-label="Written" />
          <span className="block text-sm text-soft">
            {share === null
              ? 'Being written. This page looks again by itself.'
              : 'Being written; the bar compares with the last backup. This page looks again by itself.'}
          </span>
        </p>
      ) : null}
      {error === null ? null : <Notice tone="error">{error}</Notice>}
      {state === 'interrupted' ? (
        <Notice tone="warning">The process that made it is gone. Start another one.</Notice>
      ) : null}
      {state === 'done' && mayDownload ? (
        <div>
          <LinkButton to={`${pathOf(id)}/file`} reloadDocument variant="primary">
            Download
          </LinkButton>
          <p className="mt-2 text-sm text-soft">
            The file holds everything of everybody. Second factors in it open only together with this server’s
            session secret.
          </p>
        </div>
      ) : null}
      {state === 'done' && !mayDownload ? (
        <p className="text-soft">Only a super admin can download it.</p>
      ) : null}
    </div>
  );
}
