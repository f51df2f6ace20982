import type { MetricStatus, Trend } from '#app/domain/system/system-metrics.ts';
import { plural } from '#app/domain/text/plural.ts';
import { Badge, type BadgeTone } from '#app/ui/badge.tsx';
import { LinkButton } from '#app/ui/button.tsx';
import { DataTable } from '#app/ui/data-table.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { OverviewFigures, type OverviewFigure } from '#app/features/admin/overview-page.tsx';

export const STATUS_TONE: Readonly<Record<MetricStatus, BadgeTone>> = {
  healthy: 'good',
  warning: 'warn',
  critical: 'danger',
};

const TREND_TEXT: Readonly<Record<Trend, string>> = { up: '↗ up', down: '↘ down', stable: '→ stable' };

/** A figure as the page shows it. */
export interface MetricView {
  name: string;
  value: string;
  status: MetricStatus;
  trend: Trend;
  updated: string;
}

/** A job of the worker as the page shows it. */
export interface JobView {
  name: string;
  last: string;
  took: string;
  failures: number;
  error: string | null;
}

/** A failed background job or backup, as the page shows it. */
export interface FailureView {
  what: string;
  /** When it last failed, and how often. */
  when: string;
  reason: string;
}

interface HealthProps {
  failures: readonly FailureView[];
  figures: readonly OverviewFigure[];
  metrics: readonly MetricView[];
  jobs: readonly JobView[];
  host: string;
}

const ACTIONS = [
  { to: '/admin/dashboard/system/actions?do=backup', label: 'Back up now' },
  { to: '/admin/dashboard/system/actions?do=restart-worker', label: 'Restart worker' },
  { to: '/admin/dashboard/system/actions?do=clear-cache', label: 'Clear cache' },
] as const;

/** The server's health. */
export function Health({ failures, figures, metrics, jobs, host }: HealthProps) {
  return (
    <>
      {failures.map(({ what, when, reason }) => (
        <Notice key={what} tone="error" title={`Failed: ${what}`}>
          <p className="wrap-anywhere">{reason}</p>
          <p className="text-sm text-soft">{when}</p>
        </Notice>
      ))}
      <OverviewFigures figures={figures} />
      <div className="flex flex-wrap gap-3">
        {ACTIONS.map(({ to, label }) => (
          <LinkButton key={to} to={to}>
            {label}
          </LinkButton>
        ))}
        <LinkButton to="/admin/dashboard/system/report" reloadDocument>
          System report
        </LinkButton>
      </div>
      <section aria-labelledby="metrics">
        <h2 id="metrics" className="text-xl">
          Metrics
        </h2>
        <p className="mb-3 text-sm text-soft">
          {`Measured every 10 seconds by the process on ${host} that answered this request. Arrows compare the last two minutes.`}
        </p>
        <ul className="admin-metrics">
          {metrics.map(({ name, value, status, trend, updated }) => (
            <li key={name} className="sheet p-4">
              <p className="flex items-center justify-between gap-2 text-sm">
                <span className="text-soft">{name}</span>
                <Badge tone={STATUS_TONE[status]}>{status}</Badge>
              </p>
              <p className="admin-figure figure">{value}</p>
              <p className="text-sm text-soft">{`${TREND_TEXT[trend]} · ${updated}`}</p>
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="jobs">
        <h2 id="jobs" className="text-xl">
          Background jobs
        </h2>
        <DataTable
          caption="Background jobs"
          rows={jobs}
          rowKey={({ name }) => name}
          columns={[
            { key: 'name', label: 'Job', cell: ({ name }) => name },
            { key: 'last', label: 'Last run', cell: ({ last }) => last },
            { key: 'took', label: 'Took', numeric: true, cell: ({ took }) => took },
            {
              key: 'state',
              label: 'Status',
              cell: ({ failures, error }) =>
                failures === 0 ? (
                  <Badge tone="good">OK</Badge>
                ) : (
                  <span className="wrap-anywhere">
                    <Badge tone="danger">{`failed ${plural(failures, 'time')}`}</Badge> {error}
                  </span>
                ),
            },
          ]}
        />
      </section>
    </>
  );
}
