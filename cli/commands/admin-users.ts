import * as z from 'zod';
import {
  STATUS_FILTERS,
  SUBSCRIPTION_FILTERS,
  USER_SORTS,
  USER_SEARCH_HINT,
} from '#app/domain/admin/user-search.ts';
import { searchField } from '#app/domain/forms/paging.ts';
import type { Command } from 'commander';
import { terminalChanges, userChange, type UserChange } from '#app/domain/admin/user-changes.ts';
import { actionText, changesText } from '#app/domain/audit/audit-texts.ts';
import {
  countAudit,
  countUsers,
  listAudit,
  type AuditEntry,
  changeUser,
  listUsers,
  type ListedUser,
} from '#app/features/admin/index.server.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { parseSettings } from '#app/domain/settings/settings.ts';
import { action, choiceOption, type Session, withCommonOptions } from '#cli/command.ts';
import { withContext } from '#cli/context.ts';
import { type Io, write } from '#cli/io.ts';
import { columnsText, EXIT, writeJson, writeNote, writeOutcome } from '#cli/output.ts';
import { confirmWithReason } from '#cli/prompt.ts';

const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `Must be one of ${values.join(', ')}` });

const limitError = 'Must be a whole number from 1 to 100';
const limit = z.coerce
  .number({ error: limitError })
  .int({ error: limitError })
  .min(1, { error: limitError })
  .max(100, { error: limitError });
const pageError = 'Must be a whole number from 1 to 5000';
const page = z.coerce
  .number({ error: pageError })
  .int({ error: pageError })
  .min(1, { error: pageError })
  .max(5000, { error: pageError });
const cursor = z.string().max(2000).optional();
const day = z.iso.date({ error: 'Write a day as YYYY-MM-DD' }).optional();

/** Unlike the page, which falls back to defaults, the terminal rejects invalid values. */
const userListSchema = z.object({
  search: searchField,
  subscription: oneOf(SUBSCRIPTION_FILTERS).default('all'),
  status: oneOf(STATUS_FILTERS).default('all'),
  sort: oneOf(USER_SORTS).default('newest'),
  page: page.default(1),
  limit: limit.default(20),
  cursor,
});

const auditListSchema = z
  .object({
    actor: searchField,
    subject: searchField,
    action: searchField,
    from: day,
    to: day,
    page: page.default(1),
    limit: limit.default(50),
    cursor,
  })
  .refine(({ from = '', to = '9' }) => from <= to, {
    path: ['to'],
    error: 'The last day must not be before the first',
  });

interface CommonOptions {
  json?: boolean;
  yes?: boolean;
}

interface UsersOptions extends CommonOptions {
  search?: string;
  subscription?: string;
  status?: string;
  page?: string;
  limit?: string;
  cursor?: string;
}

interface AuditOptions extends CommonOptions {
  actor?: string;
  subject?: string;
  action?: string;
  from?: string;
  to?: string;
  page?: string;
  limit?: string;
  cursor?: string;
}

interface ChangeOptions extends CommonOptions {
  reason?: string;
}

const label = (field: string): string => (field === 'email' ? 'EMAIL' : `--${field}`);

/** The next page's cursor goes to stderr, so that stdout holds only rows. */
async function writeNext(io: Io, next: string | null): Promise<void> {
  if (next !== null) await writeNote(io, `More: --cursor ${next}\n`);
}

/** The page as the API returns it; with a cursor there is no page number. */
const pagingOf = ({ page, limit, cursor }: { page: number; limit: number; cursor?: string | undefined }) => ({
  page: cursor === undefined ? page : null,
  limit,
});

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Without control characters: text typed by users must not move the terminal's cursor. */
const plain = (text: string): string => text.replace(/\p{Cc}/gu, ' ');

const userHead = (isSelling: boolean) => [
  'EMAIL',
  'ROLE',
  ...(isSelling ? ['PLAN', 'STATUS'] : []),
  'SUSPENDED',
  'LAST LOGIN',
  'ID',
];

const userCells = (user: ListedUser, isSelling: boolean): string[] => [
  user.email,
  user.role,
  ...(isSelling ? [user.subscription, user.subscriptionStatus] : []),
  user.suspended ? 'yes' : 'no',
  user.lastLogin?.toISOString() ?? 'never',
  user.id,
];

async function users(io: Io, { json, yes: _yes, ...filters }: UsersOptions): Promise<number> {
  const query = parseInput(userListSchema, filters);
  const { page, total, isSelling } = await withContext(io, async (ctx) => ({
    isSelling: ctx.isSelling,
    page: await listUsers(ctx, query),
    total: json ? await countUsers(ctx, query) : 0,
  }));
  if (json) await writeJson(io, { users: page.users, ...pagingOf(query), total, next: page.next });
  else {
    await write(
      io.stdout,
      columnsText([userHead(isSelling), ...page.users.map((user) => userCells(user, isSelling))]),
    );
    await writeNext(io, page.next);
  }
  return EXIT.done;
}

const AUDIT_HEAD = ['WHEN', 'DONE BY', 'ACTION', 'ACCOUNT', 'BEFORE → AFTER', 'REASON'];

const auditCells = (entry: AuditEntry): string[] => [
  entry.at.toISOString(),
  entry.actorEmail ?? entry.actor,
  actionText(entry.action),
  entry.subjectEmail ?? entry.subjectId,
  plain(changesText(entry)) || '-',
  plain(entry.reason ?? '-'),
];

async function audit(io: Io, { json, yes: _yes, ...filters }: AuditOptions): Promise<number> {
  const { from: startDate, to: endDate, ...rest } = parseInput(auditListSchema, filters);
  const query = { ...rest, startDate, endDate };
  const { page, total } = await withContext(io, async (ctx) => ({
    page: await listAudit(ctx, query),
    total: json ? await countAudit(ctx, query) : 0,
  }));
  if (json) await writeJson(io, { entries: page.entries, ...pagingOf(query), total, next: page.next });
  else {
    await write(io.stdout, columnsText([AUDIT_HEAD, ...page.entries.map(auditCells)]));
    await writeNext(io, page.next);
  }
  return EXIT.done;
}

async function runChange(io: Io, change: UserChange, options: ChangeOptions, email: string): Promise<number> {
  const { question, consequences, plainConsequences = consequences, done } = userChange(change);
  const isSelling = parseSettings(io.env).BILLING !== 'off';
  const confirmation = { yes: options.yes === true, reason: options.reason };
  const reason = await confirmWithReason(
    io,
    `${question(email)} ${isSelling ? consequences : plainConsequences}`,
    confirmation,
  );
  if (reason === null) return EXIT.failed;
  const user = await withContext(io, (ctx) => changeUser(ctx, change, { email, reason }));
  if (options.json) await writeJson(io, { user });
  else await writeOutcome(io, `${done(user)}.\n`);
  return EXIT.done;
}

/** Adds `vialbook admin users`, `audit` and the commands that change an account. */
export function registerUsers(session: Session, admin: Command): void {
  const { io } = session;
  const add = (line: string, description: string, asks = false): Command =>
    withCommonOptions(admin.command(line).description(description), { yes: asks });

  add('users', 'List accounts, newest first.')
    .option('--search <text>', lowerFirst(USER_SEARCH_HINT))
    .addOption(choiceOption('--subscription <which>', 'by default all', SUBSCRIPTION_FILTERS))
    .addOption(choiceOption('--status <which>', 'by default all', STATUS_FILTERS))
    .option('--page <n>', 'which page, from 1')
    .option('--limit <n>', 'accounts per page, at most 100')
    .option('--cursor <text>', 'the cursor printed with the previous page')
    .action(action<UsersOptions>(session, (options) => users(io, options), label));
  add('audit', 'Show the audit trail, newest first.')
    .option('--actor <who>', 'an address, an id or cli:NAME')
    .option('--subject <whom>', 'an address or an id')
    .option('--action <name>', 'for example user.suspend')
    .option('--from <day>', 'first day, YYYY-MM-DD')
    .option('--to <day>', 'last day, inclusive')
    .option('--page <n>', 'which page, from 1')
    .option('--limit <n>', 'rows per page, at most 100')
    .option('--cursor <text>', 'the cursor printed with the previous page')
    .action(action<AuditOptions>(session, (options) => audit(io, options), label));
  for (const change of terminalChanges())
    add(`${change} <email>`, userChange(change).command ?? '', true)
      .option('--reason <text>', 'reason for the audit trail; you are asked if you leave it out')
      .action(
        action<ChangeOptions>(session, (options, email = '') => runChange(io, change, options, email), label),
      );
}
