import { REST_DAYS } from './suggest-site.ts';

/** How warm a site is drawn: `hot` up to 2 days after an injection, `warm` until it has rested, then `cool`. */
export type Recency = 'unused' | 'cool' | 'warm' | 'hot';

const HOT_DAYS = 2;

/** @param days since the last use; null when there was none */
export function recencyOf(days: number | null): Recency {
  if (days === null) return 'unused';
  if (days <= HOT_DAYS) return 'hot';
  return days < REST_DAYS ? 'warm' : 'cool';
}

/** "today", "yesterday", "12 days ago", "never used". */
export function sinceText(days: number | null): string {
  if (days === null) return 'never used';
  if (days <= 0) return 'today';
  return days === 1 ? 'yesterday' : `${days} days ago`;
}

/** The same where there is little room: "today", "12 d", "new". */
export function sinceMark(days: number | null): string {
  if (days === null) return 'new';
  if (days <= 0) return 'today';
  return days > 99 ? '99+ d' : `${days} d`;
}
