import type { Command } from 'commander';
import type { AccountView } from '#app/platform/access/account-view.server.ts';
import {
  createAdmin,
  adminStats,
  type AdminStats,
  reinstateAccount,
  suspendAccount,
} from '#app/features/admin/index.server.ts';
import type { CreateAdminInput } from '#app/domain/admin/admin-schema.ts';
import { action, type Session, withCommonOptions } from '../command.ts';
import { addAdminExamples } from './admin-examples.ts';
import { registerServer } from './admin-server.ts';
import { registerUsers } from './admin-users.ts';
import { withContext } from '../context.ts';
import { type Io, write } from '../io.ts';
import { EXIT, writeJson } from '../output.ts';
import { confirm, readNewPassword } from '../prompt.ts';

interface CommonOptions {
  json?: boolean;
  yes?: boolean;
}

interface CreateOptions extends CommonOptions {
  role?: string;
}

interface StatusOptions extends CommonOptions {
  reason?: string;
}

const label = (field: string): string => (field === 'email' ? 'EMAIL' : `--${field}`);

async function tell(io: Io, options: CommonOptions, user: AccountView, sentence: string): Promise<number> {
  if (options.json) await writeJson(io, { user });
  else await write(io.stdout, `${sentence}\n`);
  return EXIT.done;
}

async function create(io: Io, options: CreateOptions, email: string): Promise<number> {
  const password = await readNewPassword(io);
  // What the role may be is the schema's business.
  const role = options.role as CreateAdminInput['role'];
  const user = await withContext(io, (ctx) => createAdmin(ctx, { email, password, ...(role && { role }) }));
  return tell(io, options, user, `Made ${user.email}, ${user.role}.`);
}

function statsText(stats: AdminStats): string {
  const lines: [string, string][] = [
    ['Total users', String(stats.totalUsers)],
    ['Premium users', String(stats.premiumUsers)],
    ['Free users', String(stats.freeUsers)],
    ['Monthly revenue', `$${stats.monthlyRevenue.toFixed(2)}`],
    ['Active users (30 d)', String(stats.activeUsers)],
  ];
  return lines.map(([name, value]) => `${name.padEnd(20)} ${value.padStart(10)}\n`).join('');
}

async function stats(io: Io, options: CommonOptions): Promise<number> {
  const figures = await withContext(io, (ctx) => adminStats(ctx));
  if (options.json) await writeJson(io, figures);
  else await write(io.stdout, statsText(figures));
  return EXIT.done;
}

async function suspend(io: Io, options: StatusOptions, email: string): Promise<number> {
  const question = `Suspend ${email}? It ends the subscription and signs the account out everywhere.`;
  if (!(await confirm(io, question, options.yes === true))) return EXIT.failed;
  const user = await withContext(io, (ctx) => suspendAccount(ctx, { email, reason: options.reason }));
  return tell(io, options, user, `Suspended ${user.email}.`);
}

async function reinstate(io: Io, options: StatusOptions, email: string): Promise<number> {
  if (!(await confirm(io, `Reinstate ${email}?`, options.yes === true))) return EXIT.failed;
  const user = await withContext(io, (ctx) => reinstateAccount(ctx, { email, reason: options.reason }));
  return tell(io, options, user, `Reinstated ${user.email}. Its subscription stays canceled.`);
}

/** Adds `vialbook admin` and what stands under it. */
export function register(session: Session): void {
  const { io } = session;
  const admin = session.program.command('admin').description('Look after accounts. Every change is audited.');
  const add = (line: string, description: string): Command =>
    withCommonOptions(admin.command(line).description(description));

  registerUsers(session, admin);
  registerServer(session, admin);
  add('create <email>', 'Make an admin account; the first one is super admin.')
    .option('--role <role>', 'admin or super_admin')
    .addHelpText('after', '\nThe password is asked for, or taken from VIALBOOK_PASSWORD.')
    .action(action<CreateOptions>(session, (options, email = '') => create(io, options, email), label));
  add('stats', 'Show how many accounts there are and what they bring.').action(
    action<CommonOptions>(session, (options) => stats(io, options), label),
  );
  add('suspend <email>', 'Put an account out and end its subscription.')
    .option('--reason <text>', 'kept in the audit trail')
    .action(action<StatusOptions>(session, (options, email = '') => suspend(io, options, email), label));
  add('reinstate <email>', 'Let a suspended account in again.')
    .option('--reason <text>', 'kept in the audit trail')
    .action(action<StatusOptions>(session, (options, email = '') => reinstate(io, options, email), label));
  addAdminExamples(admin);
}
