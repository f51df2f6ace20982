import type { Command } from 'commander';
import { migrationStatus } from '#app/features/system/index.server.ts';
import { action, type Session, withCommonOptions } from '../command.ts';
import { withContext } from '../context.ts';
import { examples } from '#cli/command.ts';
import { type Io, write } from '../io.ts';
import { EXIT, writeJson } from '../output.ts';

interface MigrateOptions {
  status?: boolean;
  json?: boolean;
}

async function migrate(io: Io, { status = false, json = false }: MigrateOptions): Promise<number> {
  // Opening runs what is left to do; for a mere look it is left.
  const migrations = await withContext(io, migrationStatus, { migrates: !status });
  const waiting = migrations.filter(({ state }) => state !== 'done').length;
  if (json) await writeJson(io, { migrations, waiting });
  else if (migrations.length === 0) await write(io.stdout, 'This version has no migrations.\n');
  else
    for (const { id, state, changed, description } of migrations)
      await write(io.stdout, `${state.padEnd(8)} ${id}  ${changed} documents  ${description}\n`);
  return EXIT.done;
}

/** Adds `vialbook db migrate`. */
export function registerMigrate(session: Session, db: Command): void {
  const { io } = session;
  withCommonOptions(
    db
      .command('migrate')
      .description(
        'Bring stored data into this version’s form. The program does so by itself when it starts; what was cut off goes on.',
      )
      .option('--status', 'only show how far they are')
      .addHelpText('after', examples('vialbook db migrate --status', 'vialbook db migrate --json')),
  ).action(action(session, (options: MigrateOptions) => migrate(io, options)));
}
