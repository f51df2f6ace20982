import type { Command } from 'commander';
import { terminalChanges, userChange, type UserChange } from '#app/domain/admin/user-changes.ts';
import { actionText } from '#app/domain/audit/audit-texts.ts';
import {
  listAudit,
  type AuditEntry,
  changeUser,
  listUsers,
  type ListedUser,
} from '#app/features/admin/index.server.ts';
import { STATUS_FILTERS, SUBSCRIPTION_FILTERS } from '#app/domain/admin/user-filter.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { auditListSchema, userListSchema } from '#app/domain/admin/admin-terminal-schema.ts';
import { action, choiceOption, type Session, withCommonOptions } from '../command.ts';
import { withContext } from '../context.ts';
import { type Io, write } from '../io.ts';
import { EXIT, writeJson } from '../output.ts';
import { confirm } from '../prompt.ts';

interface CommonOptions {
  json?: boolean;
  yes?: boolean;
}

interface UsersOptions extends CommonOptions {
  search?: string;
  subscription?: string;
  status?: string;
  limit?: string;
  cursor?: string;
}

interface AuditOptions extends CommonOptions {
  actor?: string;
  subject?: string;
  action?: string;
  limit?: string;
  cursor?: string;
}

interface ChangeOptions extends CommonOptions {
  reason?: string;
}

const label = (field: string): string => (field === 'email' ? 'EMAIL' : `--${field}`);

/** The cursor of the next page goes to stderr, so that stdout holds rows alone. */
async function writeNext(io: Io, next: string | null): Promise<void> {
  if (next !== null) await write(io.stderr, `More: --cursor ${next}\n`);
}

function userLine({
  email,
  role,
  subscription,
  subscriptionStatus,
  suspended,
  lastLogin,
}: ListedUser): string {
  const status = suspended ? `${subscriptionStatus}, suspended` : subscriptionStatus;
  const seen = lastLogin?.toISOString() ?? 'Never';
  return `${email.padEnd(40)} ${role.padEnd(12)} ${subscription.padEnd(8)} ${status.padEnd(20)} ${seen}\n`;
}

async function users(io: Io, { json, yes: _yes, ...given }: UsersOptions): Promise<number> {
  const query = parseInput(userListSchema, given);
  const page = await withContext(io, (ctx) => listUsers(ctx, query));
  if (json) await writeJson(io, { users: page.users, next: page.next });
  else {
    for (const user of page.users) await write(io.stdout, userLine(user));
    await writeNext(io, page.next);
  }
  return EXIT.done;
}

function auditLine({
  at,
  actor,
  actorEmail,
  action: what,
  subjectId,
  subjectEmail,
  reason,
}: AuditEntry): string {
  const why = reason === null ? '' : `  "${reason}"`;
  return `${at.toISOString()}  ${actorEmail ?? actor}  ${actionText(what)}  ${subjectEmail ?? subjectId}${why}\n`;
}

async function audit(io: Io, { json, yes: _yes, ...given }: AuditOptions): Promise<number> {
  const query = parseInput(auditListSchema, given);
  const page = await withContext(io, (ctx) => listAudit(ctx, query));
  if (json) await writeJson(io, { entries: page.entries, next: page.next });
  else {
    for (const entry of page.entries) await write(io.stdout, auditLine(entry));
    await writeNext(io, page.next);
  }
  return EXIT.done;
}

async function runChange(io: Io, change: UserChange, options: ChangeOptions, email: string): Promise<number> {
  const { question, consequences, done } = userChange(change);
  if (!(await confirm(io, `${question(email)} ${consequences}`, options.yes === true))) return EXIT.failed;
  const user = await withContext(io, (ctx) => changeUser(ctx, change, { email, reason: options.reason }));
  if (options.json) await writeJson(io, { user });
  else await write(io.stdout, `${done(user)}.\n`);
  return EXIT.done;
}

/** Adds `vialbook admin users`, `audit` and the changes of an account. */
export function registerUsers(session: Session, admin: Command): void {
  const { io } = session;
  const add = (line: string, description: string): Command =>
    withCommonOptions(admin.command(line).description(description));

  add('users', 'List accounts, newest first.')
    .option('--search <text>', 'the beginning of an address, @domain, an id or a customer id')
    .addOption(choiceOption('--subscription <which>', 'by default all', SUBSCRIPTION_FILTERS))
    .addOption(choiceOption('--status <which>', 'by default all', STATUS_FILTERS))
    .option('--limit <n>', 'accounts per page, at most 100')
    .option('--cursor <text>', 'the cursor printed with the previous page')
    .action(action<UsersOptions>(session, (options) => users(io, options), label));
  add('audit', 'Show the audit trail, newest first.')
    .option('--actor <who>', 'an address, an id or cli:NAME')
    .option('--subject <whom>', 'an address or an id')
    .option('--action <name>', 'for example user.suspend')
    .option('--limit <n>', 'rows per page, at most 100')
    .option('--cursor <text>', 'the cursor printed with the previous page')
    .action(action<AuditOptions>(session, (options) => audit(io, options), label));
  for (const change of terminalChanges())
    add(`${change} <email>`, userChange(change).command ?? '')
      .option('--reason <text>', 'kept in the audit trail')
      .action(
        action<ChangeOptions>(session, (options, email = '') => runChange(io, change, options, email), label),
      );
}
