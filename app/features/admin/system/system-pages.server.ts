import { messageText } from '#app/domain/system/log-line.ts';
import { announcementState, type Announcement } from '#app/domain/system/announcement.ts';
import { FLAG_WORDS } from '#app/domain/flags/flags.ts';
import { plural } from '#app/domain/text/plural.ts';
import { uptimeText } from '#app/domain/system/system-metrics.ts';
import { momentField, shownInstantInZone } from '#app/domain/time/zoned-time.ts';
import type { FlagView } from '#app/platform/flags/flags.server.ts';
import type { LogPage, SystemHealth } from './system.server.ts';
import type { BackupView, Failure, WorkerFigures } from '#app/features/system/index.server.ts';

/** A size such as "3.4 MB". */
function sizeText(bytes: number): string {
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return bytes < 1_000_000_000 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}

/** The health page's texts. */
export function healthView(
  health: SystemHealth,
  { jobs }: WorkerFigures,
  failures: readonly Failure[],
  timeZone: string,
) {
  const { counts, uptimeSeconds, status, metrics, host, dataFile } = health;
  const figure = (label: string, value: string, note: string) => ({ label, value, note });
  const counted = (label: string, value: number, note: string) => ({
    ...figure(label, String(value), note),
    href: '#metrics',
  });
  return {
    host,
    failures: failures.map(({ what, at, times, reason }) => ({
      what,
      when: `${shownInstantInZone(at, timeZone)}, ${plural(times, 'time')}`,
      reason,
    })),
    figures: [
      figure('Status', status, 'worst of all metrics'),
      counted('Healthy', counts.healthy, `of ${metrics.length} metrics`),
      counted('Warning', counts.warning, 'to watch'),
      counted('Critical', counts.critical, 'to fix now'),
      figure('Uptime', uptimeText(uptimeSeconds), 'of this process'),
      ...(dataFile === null
        ? []
        : [figure('Database file', sizeText(dataFile.fileBytes), `${sizeText(dataFile.freeBytes)} free`)]),
    ],
    metrics: metrics.map(({ lastUpdated, ...rest }) => ({
      ...rest,
      updated: shownInstantInZone(lastUpdated, timeZone),
    })),
    jobs: jobs.map(({ name, at, ms, failures, error }) => ({
      name,
      last: shownInstantInZone(at, timeZone),
      took: `${ms} ms`,
      failures,
      error,
    })),
  };
}

/** The lines of the log as texts. */
export function logViews({ lines }: LogPage, timeZone: string) {
  const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone });
  return lines.map(({ id, at, level, source, ...line }) => ({
    id,
    at: exact.format(at),
    level,
    source,
    message: messageText(line),
    facts: Object.entries(line.facts),
  }));
}

/** A backup as texts. @param last size of the last finished backup, in bytes */
export function backupView(backup: BackupView, timeZone: string, last: number | null = null) {
  const { id, state, startedAt, bytes, host, error, isInterrupted } = backup;
  return {
    id,
    state: isInterrupted ? ('interrupted' as const) : state,
    started: shownInstantInZone(startedAt, timeZone),
    size: sizeText(bytes),
    host,
    error,
    share: last === null || last === 0 ? null : Math.min(0.99, bytes / last),
  };
}

/** The switches as texts. */
export function switchViews(flags: readonly FlagView[], timeZone: string) {
  return flags.map(({ name, isOn, changedAt }) => {
    const { label, whenOff } = FLAG_WORDS[name];
    return { name, isOn, label, whenOff, changed: changedAt && shownInstantInZone(changedAt, timeZone) };
  });
}

const AUDIENCE_TEXT = { all: 'Everyone', free: 'Free accounts', premium: 'Premium accounts' } as const;

/** An announcement as form values, in the administrator's time zone. */
export function announcementValues(announcement: Announcement, timeZone: string) {
  const { title, text, audience, startsAt, endsAt, isDismissible, revision } = announcement;
  return {
    title,
    text,
    audience,
    startsAt: momentField(startsAt, timeZone),
    endsAt: endsAt === null ? '' : momentField(endsAt, timeZone),
    isDismissible: isDismissible ? 'on' : '',
    revision: String(revision),
  };
}

/** An announcement as texts. */
export function announcementRow(announcement: Announcement, now: Date, timeZone: string) {
  const { id, title, text, audience, startsAt, endsAt, isDismissible } = announcement;
  const until = endsAt === null ? 'until you end it' : `until ${shownInstantInZone(endsAt, timeZone)}`;
  const about = `${AUDIENCE_TEXT[audience]}, from ${shownInstantInZone(startsAt, timeZone)} ${until}, ${isDismissible ? 'can' : 'cannot'} be dismissed`;
  return { id, title, text, state: announcementState(announcement, now), about };
}
