import { breachSchema, type BreachInput } from '#app/domain/admin/admin-schema.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { STORED_DATA, STORED_KINDS, type StoredKind } from '#app/domain/site/stored-data.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import type { AuditRecord } from '#models/index.server.ts';
import { walkUsers, type ListedUser } from '../users/users.server.ts';

/** A kind of data, as the privacy page names it, and how many records of it were made, used or changed. */
interface TouchedKind {
  kind: StoredKind;
  title: string;
  isHealth: boolean;
  records: number;
}

/** What was done to an account, by its owner or by somebody else. */
interface TouchedAction {
  action: string;
  by: 'owner' | 'others';
  times: number;
}

export interface TouchedAccount {
  id: string;
  /** Null for an account that has been deleted since. */
  email: string | null;
  kinds: TouchedKind[];
  actions: TouchedAction[];
}

/** What a period touched, for an operator who has to tell people. */
export interface BreachReport {
  since: Date;
  until: Date;
  accounts: TouchedAccount[];
  /** What was done with the whole server; an action that hands out everybody's data concerns every account. */
  server: { action: string; times: number; concernsEverybody: boolean }[];
}

/** What hands out data of all accounts at once. */
const OF_EVERYBODY = ['system.download-backup', 'system.restore', 'users.export'];

const PAGE = 500;

type Range = Pick<BreachReport, 'since' | 'until'>;

/** Every entry of the audit trail in a period. */
async function* entriesOf(ctx: Ctx, { since, until }: Range): AsyncGenerator<AuditRecord> {
  const filter = { from: since, before: until };
  for (let place: AuditRecord | null = null; ;) {
    const page: AuditRecord[] = await ctx.repos.auditLists.list(filter, place, {
      backwards: false,
      limit: PAGE,
    });
    yield* page;
    place = page.at(-1) ?? null;
    if (page.length < PAGE) return;
  }
}

const countUp = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);

/** What the audit trail says: by account, and about the server. An account's id has 24 hexadecimal digits. */
async function readTrail(ctx: Ctx, range: Range) {
  const accounts = new Map<string, Map<string, number>>();
  const server = new Map<string, number>();
  for await (const { action, actor, subjectId } of entriesOf(ctx, range)) {
    if (OF_EVERYBODY.includes(action) || !/^[0-9a-f]{24}$/.test(subjectId)) {
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

/** The account itself counts when it was made or used in the period. */
function ownRow(
  { createdAt, lastLogin, lastSeenAt }: ListedUser,
  { since, until }: Range,
): [string, number][] {
  const times = [createdAt, lastLogin, lastSeenAt].map((time) => (time === null ? null : new Date(time)));
  return times.some((time) => time !== null && time >= since && time < until) ? [['users', 1]] : [];
}

/**
 * Which accounts and which kinds of data a period touched: from sessions and tokens that were used, records that were
 * made or changed, and the audit trail. It reads every account, and is itself recorded in the trail.
 * @throws AppError FORBIDDEN anywhere but at the terminal, INVALID_INPUT
 */
export async function breachReport(ctx: Ctx, input: BreachInput): Promise<BreachReport> {
  authorise(ctx.actor, 'system.breach-report');
  const { since, until = ctx.now() } = parseInput(breachSchema, input);
  const range = { since, until };
  const trail = await readTrail(ctx, range);
  const accounts: TouchedAccount[] = [];
  for await (const user of walkUsers(ctx, {})) {
    const touched = await ctx.repos.personalData.countTouched(user.id, { from: since, before: until });
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
    concernsEverybody: OF_EVERYBODY.includes(action),
  }));
  return { ...range, accounts, server };
}
