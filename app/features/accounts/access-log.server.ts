import * as z from 'zod';
import { actionText, actorText } from '#app/domain/audit/audit-texts.ts';
import { authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { decodeCursor, encodeCursor } from '#app/platform/pagination.server.ts';
import { repos } from './repositories.server.ts';

export interface AccessLogEntry {
  id: string;
  at: Date;
  what: string;
  who: string;
  /** The network address it came from; null when somebody else did it. */
  from: string | null;
  reason: string | null;
}

export interface AccessLogPage {
  entries: AccessLogEntry[];
  /** Cursor of the next page; null at the end. */
  next: string | null;
}

const PAGE = 50;

/** The last entry of the previous page: its time in ms, and its id. */
const cursorShape = z.tuple([z.int().min(0).max(8.64e15), z.string().regex(/^[0-9a-f]{24}$/)]);

/**
 * What was done to the signed-in user's account and who viewed it, newest first.
 * @param cursor the `next` of the previous page; an unreadable one starts at the beginning
 */
export async function readAccessLog(ctx: Ctx, cursor: string | null = null): Promise<AccessLogPage> {
  const user = authoriseUser(ctx.actor, 'account.read-access-log');
  const place = decodeCursor(cursor ?? undefined, cursorShape);
  const after = place === null ? undefined : { at: new Date(place[0]), id: place[1] };
  const rows = await repos(ctx).audit.listAbout(user.id, PAGE + 1, after);
  const shown = rows.slice(0, PAGE);
  const last = shown.at(-1);
  return {
    entries: shown.map((row) => ({
      id: row.id,
      at: row.at,
      what: actionText(row.action),
      who: actorText(row.actor, user.id),
      from: row.actor === user.id || row.actor === 'visitor' ? row.from : null,
      reason: row.reason,
    })),
    next: rows.length > PAGE && last ? encodeCursor([last.at.getTime(), last.id]) : null,
  };
}
