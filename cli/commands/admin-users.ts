import type { Command } from 'commander';
import type { ChangeStatusInput } from '#app/domain/admin/admin-schema.ts';
import { actionText } from '#app/domain/audit/audit-texts.ts';
import type { AccountView } from '#app/platform/access/account-view.server.ts';
import {
  listAudit,
  type AuditEntry,
  downgradeAccount,
  upgradeAccount,
  demoteAccount,
  promoteAccount,
  listUsers,
  type ListedUser,
} from '#app/features/admin/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { parseInput } from '#app/domain/forms/parse-input.ts';
import { auditListSchema, userListSchema } from '#app/domain/admin/admin-terminal-schema.ts';
import { action, type Session, withCommonOptions } from '../command.ts';
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

/** Where the list goes on, on stderr: stdout is rows alone. */
async function tellNext(io: Io, next: string | null): Promise<void> {
  if (next !== null) await write(io.stderr, `There is more: --cursor ${next}\n`);
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
    await tellNext(io, page.next);
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
    await tellNext(io, page.next);
  }
  return EXIT.done;
}

interface Change {
  name: string;
  description: string;
  question: (email: string) => string;
  done: (user: AccountView) => string;
  run: (ctx: Ctx, input: ChangeStatusInput) => Promise<AccountView>;
}

const CHANGES: readonly Change[] = [
  {
    name: 'upgrade',
    description: 'Grant Premium until it is ended.',
    question: (email) => `Grant ${email} Premium?`,
    done: ({ email }) => `${email} has Premium.`,
    run: upgradeAccount,
  },
  {
    name: 'downgrade',
    description: 'End everything that makes an account premium, its subscription too.',
    question: (email) => `End Premium of ${email}, and its subscription?`,
    done: ({ email }) => `${email} is on the free plan.`,
    run: downgradeAccount,
  },
  {
    name: 'promote',
    description: 'One step up: user, admin, super_admin.',
    question: (email) => `Give ${email} more rights?`,
    done: ({ email, role }) => `${email} is ${role}.`,
    run: promoteAccount,
  },
  {
    name: 'demote',
    description: 'One step down; the last super_admin stays.',
    question: (email) => `Take rights from ${email}?`,
    done: ({ email, role }) => `${email} is ${role}.`,
    run: demoteAccount,
  },
];

async function change(io: Io, options: ChangeOptions, email: string, of: Change): Promise<number> {
  if (!(await confirm(io, of.question(email), options.yes === true))) return EXIT.failed;
  const user = await withContext(io, (ctx) => of.run(ctx, { email, reason: options.reason }));
  if (options.json) await writeJson(io, { user });
  else await write(io.stdout, `${of.done(user)}\n`);
  return EXIT.done;
}

/** Adds `vialbook admin users|audit|upgrade|downgrade|promote|demote`. */
export function registerUsers(session: Session, admin: Command): void {
  const { io } = session;
  const add = (line: string, description: string): Command =>
    withCommonOptions(admin.command(line).description(description));

  add('users', 'List accounts, the newest first.')
    .option('--search <text>', 'a part of the address, an id or a customer id')
    .option('--subscription <which>', 'all, free or premium')
    .option('--status <which>', 'all, active, trial, past_due or canceled')
    .option('--limit <n>', 'accounts on a page, at most 100')
    .option('--cursor <text>', 'where the page before ended')
    .action(action<UsersOptions>(session, (options) => users(io, options), label));
  add('audit', 'Show the audit trail, the newest first.')
    .option('--actor <who>', 'an address, an id or cli:NAME')
    .option('--subject <whom>', 'an address or an id')
    .option('--action <name>', 'for example user.suspend')
    .option('--limit <n>', 'rows on a page, at most 100')
    .option('--cursor <text>', 'where the page before ended')
    .action(action<AuditOptions>(session, (options) => audit(io, options), label));
  for (const of of CHANGES)
    add(`${of.name} <email>`, of.description)
      .option('--reason <text>', 'kept in the audit trail')
      .action(action<ChangeOptions>(session, (options, email = '') => change(io, options, email, of), label));
}
