import type { Command } from 'commander';
import { examples, action, choiceOption, type Session, withCommonOptions } from '#cli/command.ts';
import { invite } from '#app/features/accounts/index.server.ts';
import { createAdmin, adminStats } from '#app/features/admin/index.server.ts';
import { fillDemo } from '#app/features/demo/index.server.ts';
import type { CreateAdminInput } from '#app/domain/admin/admin-schema.ts';
import { registerServer } from './admin-server.ts';
import { registerUsers } from './admin-users.ts';
import { withContext } from '#cli/context.ts';
import { type Io, write } from '#cli/io.ts';
import { columnsText, EXIT, writeJson, writeOutcome } from '#cli/output.ts';
import { readNewPassword } from '#cli/prompt.ts';

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
    .addOption(
      choiceOption('--role <role>', 'role; by default super_admin while there is none, then admin', [
        'admin',
        'super_admin',
      ]),
    )
    .addHelpText('after', '\nAsks for the password, or reads it from VIALBOOK_PASSWORD.')
    .action(action<CreateOptions>(session, (options, email = '') => create(io, options, email), label));
  add(
    'invite <email>',
    'Invite somebody to create an account, on a server with SIGN_UP=invite. Prints the link and mails it.',
  ).action(action<CommonOptions>(session, (options, email = '') => inviteOne(io, options, email), label));
  add(
    'demo <email>',
    'Fill an empty account with the demo’s year of data, for screenshots and tests.',
  ).action(action<CommonOptions>(session, (options, email = '') => demo(io, options, email), label));
  add('stats', 'Show the number of accounts and the revenue.').action(
    action<CommonOptions>(session, (options) => stats(io, options), label),
  );
  for (const command of admin.commands) {
    const lines = EXAMPLES[command.name()];
    if (lines) command.addHelpText('after', examples(...lines));
  }
}

const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  create: [
    'vialbook admin create root@example.org',
    'VIALBOOK_PASSWORD="$(cat secret)" vialbook admin create ada@example.org --role admin --json',
  ],
  invite: [
    'vialbook admin invite ada@example.org',
    'vialbook admin invite ada@example.org --json | jq -r .link',
  ],
  demo: ['vialbook admin demo ada@example.org'],
  stats: ['vialbook admin stats', 'vialbook admin stats --json | jq .monthlyRevenue'],
  users: [
    'vialbook admin users --search example.org --subscription premium',
    'vialbook admin users --status past_due --limit 100 --json',
  ],
  audit: [
    'vialbook admin audit --subject ada@example.org',
    'vialbook admin audit --action user.suspend --actor cli:root --json',
  ],
  upgrade: ['vialbook admin upgrade ada@example.org --reason "beta tester" --yes'],
  downgrade: ['vialbook admin downgrade ada@example.org --reason "asked for it" --yes'],
  promote: ['vialbook admin promote ada@example.org --reason "new colleague" --yes'],
  demote: ['vialbook admin demote ada@example.org --reason "left the team" --yes'],
  suspend: ['vialbook admin suspend ada@example.org --reason chargeback --yes'],
  reinstate: ['vialbook admin reinstate ada@example.org --reason "settled" --yes'],
  health: ['vialbook admin health', 'vialbook admin health --json || echo "look after the server"'],
  backup: ['vialbook admin backup --out vialbook.backup', 'vialbook admin backup --out - > vialbook.backup'],
  restore: ['DATA_DIR=/srv/empty vialbook admin restore vialbook.backup --yes'],
  purge: ['vialbook admin purge --yes'],
  breach: [
    'vialbook admin breach --since 2026-11-20',
    'vialbook admin breach --since 2026-11-20T08:00Z --until 2026-11-20T12:00Z --json | jq .accounts[].email',
  ],
};

async function demo(io: Io, { json }: CommonOptions, email: string): Promise<number> {
  await withContext(io, (ctx) => fillDemo(ctx, email));
  if (json) await writeJson(io, { email, filled: true });
  else await writeOutcome(io, `${email} now has the demo’s year of data.\n`);
  return EXIT.done;
}

async function inviteOne(io: Io, { json }: CommonOptions, email: string): Promise<number> {
  const invitation = await withContext(io, (ctx) => invite(ctx, { email }));
  if (json) await writeJson(io, invitation);
  else await write(io.stdout, `${invitation.link}\n`);
  return EXIT.done;
}

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
  // The schema checks the role.
  const role = options.role as CreateAdminInput['role'];
  const user = await withContext(io, (ctx) => createAdmin(ctx, { email, password, ...(role && { role }) }), {
    creates: true,
  });
  if (options.json) await writeJson(io, { user });
  else await writeOutcome(io, `Created ${user.role} ${user.email}.\n`);
  return EXIT.done;
}

async function stats(io: Io, options: CommonOptions): Promise<number> {
  const { figures, isSelling } = await withContext(io, async (ctx) => ({
    figures: await adminStats(ctx),
    isSelling: ctx.isSelling,
  }));
  if (options.json) await writeJson(io, figures);
  else {
    const sold: [string, string][] = [
      ['Premium users', String(figures.premiumUsers)],
      ['Free users', String(figures.freeUsers)],
      ['Monthly revenue', `$${figures.monthlyRevenue.toFixed(2)}`],
    ];
    const lines: [string, string][] = [
      ['Total users', String(figures.totalUsers)],
      ...(isSelling ? sold : []),
      ['Active users (30 d)', String(figures.activeUsers)],
    ];
    await write(io.stdout, columnsText(lines, [1]));
  }
  return EXIT.done;
}
