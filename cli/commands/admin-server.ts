import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { actionText } from '#app/domain/audit/audit-texts.ts';
import { plural } from '#app/domain/text/plural.ts';
import { parseSettings } from '#app/domain/settings/settings.ts';
import { purgeDueAccounts } from '#app/features/accounts/index.server.ts';
import { breachReport, type BreachReport, systemHealth } from '#app/features/admin/index.server.ts';
import { getWorkerFigures, recordRestore, streamBackup } from '#app/features/system/index.server.ts';
import { action, type Session, withCommonOptions } from '../command.ts';
import { withContext } from '../context.ts';
import { refuseTerminal, requireTarget, writeExport } from '#cli/files.ts';
import { type Io, write } from '../io.ts';
import { columnsText, EXIT, writeJson, writeNote, writeOutcome } from '../output.ts';
import { confirm } from '../prompt.ts';
import { restoreFrom } from './db-archive.ts';

interface CommonOptions {
  json?: boolean;
  yes?: boolean;
}

interface BackupOptions extends CommonOptions {
  out: string;
  force?: boolean;
}

interface BreachOptions extends CommonOptions {
  since: string;
  until?: string;
}

const label = (field: string): string => `--${field}`;

/** The exit code is 1 when something is critical, so a monitor only needs to check that. */
async function health(io: Io, options: CommonOptions): Promise<number> {
  const found = await withContext(io, async (ctx) => ({
    ...(await systemHealth(ctx)),
    ...(await getWorkerFigures(ctx)),
  }));
  const { status, metrics, jobs, processes } = found;
  if (options.json) await writeJson(io, found);
  else {
    const rows = metrics.map(({ name, value, status: of }) => [name, value, of] as const);
    const failing = jobs.filter(({ failures }) => failures > 0);
    const failingRows = failing.map(({ name, failures, error }) => [
      name,
      `failed ${plural(failures, 'time')}`,
      error ?? '',
    ]);
    await write(io.stdout, columnsText([...rows, ...failingRows], [1]));
    for (const { kind, host, pid, startedAt, status: of } of processes)
      await write(io.stdout, `${kind} ${pid} on ${host}, since ${startedAt.toISOString()}: ${of}\n`);
    const isServed = processes.some(({ kind }) => kind === 'server');
    await write(
      io.stdout,
      isServed ? `${status}\n` : `${status}; no server is running, so these figures describe this command\n`,
    );
  }
  return status === 'critical' ? EXIT.failed : EXIT.done;
}

async function backup(io: Io, options: BackupOptions): Promise<number> {
  refuseTerminal(io, options.out, 'A backup');
  await requireTarget(options.out, options);
  await withContext(io, async (ctx) => {
    const body = await streamBackup(ctx);
    await writeExport(io, options.out, () => body);
  });
  if (options.out === '-') return EXIT.done;
  const { size } = await stat(options.out);
  if (options.json) await writeJson(io, { file: options.out, bytes: size });
  else await writeNote(io, `Wrote ${size} bytes to ${options.out}\n`);
  return EXIT.done;
}

async function restore(io: Io, options: CommonOptions, file: string): Promise<number> {
  const question =
    'Restore the backup into the empty database of these settings? Nothing else may be using it.';
  if (!(await confirm(io, question, options.yes === true))) return EXIT.failed;
  const directory = () => Promise.resolve(path.resolve(parseSettings(io.env).DATA_DIR));
  const restored = await restoreFrom(io, file, directory);
  await withContext(io, (ctx) => recordRestore(ctx, restored));
  const { collections, documents } = restored;
  if (options.json) await writeJson(io, restored);
  else await writeOutcome(io, `Restored ${documents} documents in ${collections} collections.\n`);
  return EXIT.done;
}

async function purge(io: Io, options: CommonOptions): Promise<number> {
  const question = 'Permanently delete every account whose 48 hours are over?';
  if (!(await confirm(io, question, options.yes === true))) return EXIT.failed;
  const purged = await withContext(io, (ctx) => purgeDueAccounts(ctx));
  if (options.json) await writeJson(io, { purged });
  else await writeOutcome(io, `Deleted ${plural(purged, 'account')}.\n`);
  return EXIT.done;
}

/** The report as text: first what concerns the whole server, then the accounts. */
function breachLines({ since, until, accounts, server }: BreachReport): string[] {
  const times = (count: number) => (count === 1 ? 'once' : `${count} times`);
  return [
    `From ${since.toISOString()} to ${until.toISOString()}: ${plural(accounts.length, 'account')} touched.`,
    ...server.map(({ action, times: count, concernsEverybody }) => {
      const whom = concernsEverybody
        ? ' – this exposes data of every account, including those not listed here'
        : '';
      return `${actionText(action)}: ${times(count)}${whom}`;
    }),
    ...accounts.flatMap(({ id, email, kinds, actions }) => [
      `${email ?? 'deleted'}  ${id}`,
      ...kinds.map(
        ({ title, isHealth, records }) =>
          `    ${title}${isHealth ? ' (health data)' : ''}: ${plural(records, 'record')}`,
      ),
      ...actions.map(
        ({ action, by, times: count }) =>
          `    ${actionText(action)}, by ${by === 'owner' ? 'its owner' : 'others'}: ${times(count)}`,
      ),
    ]),
  ];
}

async function breach(io: Io, { json, since, until }: BreachOptions): Promise<number> {
  const report = await withContext(io, (ctx) => breachReport(ctx, { since, until }));
  if (json) await writeJson(io, report);
  else for (const line of breachLines(report)) await write(io.stdout, `${line}\n`);
  return EXIT.done;
}

/** Adds `vialbook admin health|backup|restore|purge|breach`. */
export function registerServer(session: Session, admin: Command): void {
  const { io } = session;
  const add = (line: string, description: string, asks = false): Command =>
    withCommonOptions(admin.command(line).description(description), { yes: asks });

  add(
    'health',
    'Show the server’s health and its running processes. Exits with code 1 if something is critical.',
  ).action(action<CommonOptions>(session, (options) => health(io, options), label));
  add('backup', 'Write everything to one compressed file with checksums, without stopping the server.')
    .requiredOption('--out <file>', 'the file, or - for stdout')
    .option('--force', 'replace the file if it exists')
    .action(action<BackupOptions>(session, (options) => backup(io, options), label));
  add(
    'restore <file>',
    'Restore a backup ("-" for stdin) into an empty database. A damaged file is rejected as a whole.',
    true,
  ).action(action<CommonOptions>(session, (options, file = '') => restore(io, options, file), label));
  add('purge', 'Delete the accounts whose deletion is due. The worker does this itself.', true).action(
    action<CommonOptions>(session, (options) => purge(io, options), label),
  );
  add(
    'breach',
    'List the accounts and kinds of data touched in a period, to notify people after an incident.',
  )
    .requiredOption('--since <time>', 'a day, 2026-11-20 (from midnight UTC), or a time, 2026-11-20T08:00Z')
    .option('--until <time>', 'the same; by default now')
    .action(action<BreachOptions>(session, (options) => breach(io, options), label));
}
