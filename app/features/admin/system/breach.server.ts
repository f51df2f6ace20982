import { breachSchema, type BreachInput } from '#app/domain/admin/admin-schema.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { STORED_DATA, STORED_KINDS, type StoredKind } from '#app/domain/site/stored-data.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import type { AuditRecord } from '#models/index.server.ts';
import { walkUsers, type ListedUser } from '../users/users.server.ts';
import { repos } from '../repositories.server.ts';

/** A kind of data, named as on the privacy page, and how many of its records were created, used or changed. */
interface TouchedKind {
  kind: StoredKind;
  title: string;
  isHealth: boolean;
  records: number;
}

/** An action on an account, by its owner or by others. */
interface TouchedAction {
  action: string;
  by: 'owner' | 'others';
  times: number;
}

export interface TouchedAccount {
  id: string;
  /** Null if the account has been deleted since. */
  email: string | null;
  kinds: TouchedKind[];
  actions: TouchedAction[];
}

/** What was affected in a period, for an operator who has to inform people. */
export interface BreachReport {
  since: Date;
  until: Date;
  accounts: TouchedAccount[];
  /** Actions on the whole server. One that hands out all data concerns every account. */
  server: { action: string; times: number; concernsEverybody: boolean }[];
}

/** Actions that hand out data of all accounts at once. */
const HANDS_OUT_ALL_DATA = ['system.download-backup', 'system.restore', 'users.export'];

const PAGE = 500;

type Range = Pick<BreachReport, 'since' | 'until'>;

/** Every entry of the audit trail in a period. */
async function* entriesOf(ctx: Ctx, { since, until }: Range): AsyncGenerator<AuditRecord> {
  const filter = { from: since, before: until };
  for (let place: AuditRecord | null = null; ;) {
    const page: AuditRecord[] = await repos(ctx).auditLists.list(filter, place, {
      backwards: false,
      limit: PAGE,
    });
    yield* page;
    place = page.at(-1) ?? null;
    if (page.length < PAGE) return;
  }
}

const countUp = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);

/** Counts the audit trail's actions, by account and for the server. Account ids have 24 hexadecimal digits. */
async function readTrail(ctx: Ctx, range: Range) {
  const accounts = new Map<string, Map<string, number>>();
  const server = new Map<string, number>();
  for await (const { action, actor, subjectId } of entriesOf(ctx, range)) {
    if (HANDS_OUT_ALL_DATA.includes(action) || !/^[0-9a-f]{24}$/.test(subjectId)) {
      countUp(server, action);
      continue;
    }
    const actions = accounts.get(subjectId) ?? new Map<string, number>();
    countUp(actions, `${actor === subjectId ? 'owner' : 'others'} ${action}`);
    accounts.set(subjectId, actions);
  }
  return { accounts, server };
}

function actionsOf(counts: ReadonlyMap<string, number>): TouchedAction[] {
  return [...counts].map(([key, times]) => {
    const [by = '', action = ''] = key.split(' ');
    return { action, by: by === 'owner' ? 'owner' : 'others', times };
  });
}

/** Records by kind, in the order of the privacy page. */
function kindsOf(touched: ReadonlyMap<string, number>): TouchedKind[] {
  const records = new Map<StoredKind, number>();
  for (const [collection, count] of touched) {
    const kind = STORED_DATA[collection]?.kind;
    if (kind !== undefined) records.set(kind, (records.get(kind) ?? 0) + count);
  }
  return (Object.keys(STORED_KINDS) as StoredKind[]).flatMap((kind) => {
    const count = records.get(kind);
    const { title, isHealth = false }: { title: string; isHealth?: boolean } = STORED_KINDS[kind];
    return count === undefined ? [] : [{ kind, title, isHealth, records: count }];
  });
}

/** The account record itself counts if it was created or used in the period. */
function ownRow(
  { createdAt, lastLogin, lastSeenAt }: ListedUser,
  { since, until }: Range,
): [string, number][] {
  const times = [createdAt, lastLogin, lastSeenAt].map((time) => (time === null ? null : new Date(time)));
  return times.some((time) => time !== null && time >= since && time < until) ? [['users', 1]] : [];
}

/**
 * The accounts and kinds of data that were affected in a period, judging by sessions and tokens used, records created or
 * changed, and the audit trail. Reads every account. The report is itself recorded in the audit trail.
 * @throws AppError FORBIDDEN except at the terminal, INVALID_INPUT
 */
export async function breachReport(ctx: Ctx, input: BreachInput): Promise<BreachReport> {
  authorise(ctx.actor, 'system.breach-report');
  const { since, until = ctx.now() } = parseInput(breachSchema, input);
  const range = { since, until };
  const trail = await readTrail(ctx, range);
  const accounts: TouchedAccount[] = [];
  for await (const user of walkUsers(ctx, {})) {
    const touched = await repos(ctx).personalData.countTouched(user.id, { from: since, before: until });
    const kinds = kindsOf(new Map([...ownRow(user, range), ...touched]));
    const actions = actionsOf(trail.accounts.get(user.id) ?? new Map());
    trail.accounts.delete(user.id);
    if (kinds.length + actions.length > 0) accounts.push({ id: user.id, email: user.email, kinds, actions });
  }
  for (const [id, counts] of trail.accounts)
    accounts.push({ id, email: null, kinds: [], actions: actionsOf(counts) });
  await recordAudit(ctx, { action: 'system.breach-report', subjectId: 'server', before: {}, after: {} });
  const server = [...trail.server].map(([action, times]) => ({
    action,
    times,
    concernsEverybody: HANDS_OUT_ALL_DATA.includes(action),
  }));
  return { ...range, accounts, server };
}
