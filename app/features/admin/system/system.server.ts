import {
  countStatuses,
  metricsOf,
  overallStatus,
  type Metric,
  type MetricStatus,
  LIVE_MS,
} from '#app/domain/system/system-metrics.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { DAY_MS } from '#app/domain/time/calendar.ts';
import {
  logQuerySchema,
  systemActionSchema,
  type LogQueryInput,
  type SystemActionInput,
} from '#app/domain/admin/admin-schema.ts';
import type { ProcessKind, ServerLogRecord, StorageSize } from '#models/index.server.ts';
import { adminStats } from '#app/features/admin/overview.server.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import { authorise, authoriseRecentOver } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { emptyAllCaches } from '#app/platform/cache.server.ts';
import { getWorkerFigures, type WorkerFigures } from '#app/features/system/index.server.ts';
import { repos } from '../repositories.server.ts';

/** A running process. */
export interface ProcessHealth {
  host: string;
  pid: number;
  kind: ProcessKind;
  startedAt: Date;
  /** When it last reported. */
  seenAt: Date;
  status: MetricStatus;
  metrics: Metric[];
}

/**
 * The server's health. The figures are those of the process that answers; at the terminal, those of the web server if one
 * is running.
 */
export interface SystemHealth {
  status: MetricStatus;
  uptimeSeconds: number;
  host: string;
  counts: Record<MetricStatus, number>;
  metrics: Metric[];
  /** The running processes, as each reported within the last minute. */
  processes: ProcessHealth[];
  /** Total and free bytes of the embedded database's file; null for MongoDB. */
  dataFile: StorageSize | null;
}

/** @throws AppError UNAUTHENTICATED, FORBIDDEN */
export async function systemHealth(ctx: Ctx): Promise<SystemHealth> {
  authorise(ctx.actor, 'system.read');
  const { server } = ctx;
  if (server.samples().length === 0) await server.sample();
  const own = metricsOf(server.samples());
  const processes = await liveProcesses(ctx);
  const found = ctx.actor.kind === 'cli' ? processes.find(({ kind }) => kind === 'server') : undefined;
  const metrics = found?.metrics ?? own;
  return {
    status: overallStatus(metrics),
    uptimeSeconds:
      found === undefined ? server.uptimeSeconds() : (ctx.now().getTime() - found.startedAt.getTime()) / 1000,
    host: found?.host ?? server.host,
    counts: countStatuses(metrics),
    metrics,
    processes,
    dataFile: await repos(ctx).dataFile.size(),
  };
}

async function liveProcesses(ctx: Ctx): Promise<ProcessHealth[]> {
  const since = new Date(ctx.now().getTime() - LIVE_MS);
  const found = await repos(ctx).serverProcesses.listSince(since);
  return found.map(({ sample, ...process }) => {
    const metrics = metricsOf([sample]);
    return { ...process, status: overallStatus(metrics), metrics };
  });
}

export const LOG_PAGE = 50;

/** One page of the stored log, latest first. */
export interface LogPage {
  lines: ServerLogRecord[];
  /** Cursor of the next page; null on the last page. */
  next: string | null;
}

/** @throws AppError UNAUTHENTICATED, FORBIDDEN, INVALID_INPUT */
export async function listLogs(ctx: Ctx, input: LogQueryInput): Promise<LogPage> {
  authorise(ctx.actor, 'system.read');
  const selection = parseInput(logQuerySchema, input);
  const found = await repos(ctx).serverLogs.list(selection, LOG_PAGE + 1);
  const lines = found.slice(0, LOG_PAGE);
  return { lines, next: found.length > LOG_PAGE ? (lines.at(-1)?.id ?? null) : null };
}

/**
 * Empties this process's caches of switches and announcements. Other processes reload them within seconds.
 * @returns the names of the caches that were not empty
 * @throws AppError FORBIDDEN, RECENT_SIGN_IN_REQUIRED, INVALID_INPUT
 */
export async function clearCaches(ctx: Ctx, input: SystemActionInput): Promise<string[]> {
  authoriseRecentOver(ctx, 'system.act', {});
  const { reason } = parseInput(systemActionSchema, input);
  const cleared = emptyAllCaches(ctx);
  await recordAudit(ctx, {
    action: 'system.clear-cache',
    subjectId: 'server',
    before: { caches: cleared },
    after: { caches: [] },
    reason,
  });
  return cleared;
}

/**
 * Asks every process with a worker to restart it, which happens within seconds.
 * @throws AppError FORBIDDEN, RECENT_SIGN_IN_REQUIRED, INVALID_INPUT
 */
export async function restartWorkers(ctx: Ctx, input: SystemActionInput): Promise<void> {
  authoriseRecentOver(ctx, 'system.act', {});
  const { reason } = parseInput(systemActionSchema, input);
  await recordAudit(ctx, {
    action: 'system.restart-worker',
    subjectId: 'server',
    before: {},
    after: { asked: true },
    reason,
  });
  await repos(ctx).processSignals.ask('restart-worker', ctx.now());
}

/** Everything about the server, for support. It contains no personal data. */
export interface SystemReport extends SystemHealth, WorkerFigures {
  madeAt: Date;
  facts: Readonly<Record<string, string>>;
  accounts: { total: number; premium: number; active: number };
  problems: ServerLogRecord[];
}

const PROBLEMS = 200;

/** @throws AppError UNAUTHENTICATED, FORBIDDEN */
export async function systemReport(ctx: Ctx): Promise<SystemReport> {
  authorise(ctx.actor, 'system.read');
  const [health, worker, stats, errors, warnings] = await Promise.all([
    systemHealth(ctx),
    getWorkerFigures(ctx),
    adminStats(ctx),
    repos(ctx).serverLogs.list({ level: 'error', search: '' }, PROBLEMS),
    repos(ctx).serverLogs.list({ level: 'warning', search: '' }, PROBLEMS),
  ]);
  await recordAudit(ctx, { action: 'system.report', subjectId: 'server', before: {}, after: {} });
  return {
    madeAt: ctx.now(),
    facts: ctx.server.facts,
    ...health,
    ...worker,
    accounts: { total: stats.totalUsers, premium: stats.premiumUsers, active: stats.activeUsers },
    problems: [...errors, ...warnings].sort((a, b) => b.id.localeCompare(a.id)).slice(0, PROBLEMS),
  };
}

/** How many lines of the log are kept: in all, and with the same message. */
const MOST_LOG_LINES = 20_000;
const MOST_OF_A_KIND = 1000;

/**
 * Removes expired rows, in databases without automatic expiry. A job of the worker.
 * @returns how many were removed
 */
export async function clearExpiredRows(ctx: Ctx): Promise<number> {
  authorise(ctx.actor, 'system.clear-expired');
  return repos(ctx).expiredRows.remove(ctx.now());
}

/**
 * Removes what is older than the operator wants from the audit trail. A job of the worker.
 * @returns how many entries
 */
export async function trimAudit(ctx: Ctx, keptDays: number): Promise<number> {
  authorise(ctx.actor, 'system.trim-audit');
  return repos(ctx).auditLists.deleteBefore(new Date(ctx.now().getTime() - keptDays * DAY_MS));
}

/** Trims the log to its limits. A job of the worker. */
export async function trimLogs(ctx: Ctx): Promise<void> {
  authorise(ctx.actor, 'system.trim-logs');
  await repos(ctx).serverLogs.trim(MOST_LOG_LINES, MOST_OF_A_KIND);
}
