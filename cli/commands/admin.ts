import type { Command } from 'commander';
import { createAdmin, adminStats, type AdminStats } from '#app/features/admin/index.server.ts';
import type { CreateAdminInput } from '#app/domain/admin/admin-schema.ts';
import { action, type Session, withCommonOptions } from '../command.ts';
import { addAdminExamples } from './admin-examples.ts';
import { registerServer } from './admin-server.ts';
import { registerUsers } from './admin-users.ts';
import { withContext } from '../context.ts';
import { type Io, write } from '../io.ts';
import { EXIT, writeJson } from '../output.ts';
import { readNewPassword } from '../prompt.ts';

interface CommonOptions {
  json?: boolean;
  yes?: boolean;
}

interface CreateOptions extends CommonOptions {
  role?: string;
}

const label = (field: string): string => (field === 'email' ? 'EMAIL' : `--${field}`);

async function create(io: Io, options: CreateOptions, email: string): Promise<number> {
  const password = await readNewPassword(io);
  // What the role may be is the schema's business.
  const role = options.role as CreateAdminInput['role'];
  const user = await withContext(io, (ctx) => createAdmin(ctx, { email, password, ...(role && { role }) }));
  if (options.json) await writeJson(io, { user });
  else await write(io.stdout, `Created ${user.role} ${user.email}.\n`);
  return EXIT.done;
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

/** Adds `vialbook admin` and its commands. */
export function register(session: Session): void {
  const { io } = session;
  const admin = session.program
    .command('admin')
    .description('Manage accounts and the server. Every change is recorded in the audit trail.');
  const add = (line: string, description: string): Command =>
    withCommonOptions(admin.command(line).description(description));

  registerUsers(session, admin);
  registerServer(session, admin);
  add('create <email>', 'Create an admin account. The first one becomes super admin.')
    .option('--role <role>', 'admin or super_admin')
    .addHelpText('after', '\nAsks for the password, or reads it from VIALBOOK_PASSWORD.')
    .action(action<CreateOptions>(session, (options, email = '') => create(io, options, email), label));
  add('stats', 'Show the number of accounts and the revenue.').action(
    action<CommonOptions>(session, (options) => stats(io, options), label),
  );
  addAdminExamples(admin);
}
