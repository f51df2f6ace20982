import {
  DEFAULT_EXPORT_TYPES,
  EXPORT_FORMATS,
  EXPORT_MESSAGES,
  type ExportInput,
} from '#app/domain/export/export-schema.ts';
import { EXPORT_TYPES } from '#app/domain/records/type-names.ts';
import { plural } from '#app/domain/text/plural.ts';
import { action, choiceOption, type Session, userOption, withCommonOptions } from '../command.ts';
import { throughDoor } from '../doors/door.ts';
import { exportDoors, type ReadyExport } from '../doors/export.ts';
import { requireTarget, writeExport } from '#cli/files.ts';
import type { Io } from '../io.ts';
import { EXIT, writeJson, writeNote } from '../output.ts';
import { startProgress } from '../progress.ts';

interface ExportOptions {
  user: string;
  format: string;
  types?: string;
  from?: string;
  to?: string;
  metadata: boolean;
  out: string;
  force?: boolean;
  json?: boolean;
}

const LABELS: Readonly<Record<string, string>> = {
  startDate: '--from',
  start: '--from',
  endDate: '--to',
  end: '--to',
  email: '--user',
};
const label = (field: string): string => LABELS[field] ?? `--${field.replace(/\..*/, '')}`;

/** The options as the operation's input; the schema validates them. */
function toInput(options: ExportOptions): ExportInput {
  const types = options.types?.split(',').map((type) => type.trim()) ?? [...DEFAULT_EXPORT_TYPES];
  return {
    format: options.format as ExportInput['format'],
    types: types.filter((type) => type !== '') as ExportInput['types'],
    startDate: options.from,
    endDate: options.to,
    includeMetadata: options.metadata,
  };
}

async function tellAbout(io: Io, prepared: ReadyExport): Promise<void> {
  if (prepared.totalRecords === 0) await writeNote(io, `${EXPORT_MESSAGES.noData}\n`);
  if (prepared.isPremium || !prepared.types.includes('calculations')) return;
  const note =
    'This account is on the free plan: calculations stored only in its sign-in session are not exported.';
  await writeNote(io, `${note}\n`);
}

async function tellResult(io: Io, options: ExportOptions, prepared: ReadyExport): Promise<void> {
  if (options.out === '-') return;
  const { totalRecords: records } = prepared;
  if (options.json) await writeJson(io, { file: options.out, format: options.format, records });
  else await writeNote(io, `Wrote ${plural(records, 'record')} to ${options.out}\n`);
}

async function run(io: Io, options: ExportOptions): Promise<number> {
  await requireTarget(options.out, options);
  await throughDoor(io, exportDoors(options.user), async (prepare) => {
    const prepared = await prepare(toInput(options));
    await tellAbout(io, prepared);
    const progress = await startProgress(io, 'records', prepared.totalRecords);
    try {
      await writeExport(io, options.out, () => prepared.open((records) => progress.update(records, records)));
    } finally {
      progress.stop();
    }
    await tellResult(io, options, prepared);
  });
  return EXIT.done;
}

const HELP = `
Examples:
  vialbook export --user ada@example.org --format csv --out ada.csv
  vialbook export --user ada@example.org --format json --types calculations,compounds | jq .compounds
  vialbook export --user ada@example.org --format pdf --from 2026-01-01 --to 2026-03-31 --out quarter.pdf`;

/** Adds `vialbook export`. */
export function register(session: Session): void {
  const command = session.program
    .command('export')
    .description("Write an account's data to a file or to stdout.")
    .addOption(userOption('whose data'))
    .addOption(choiceOption('--format <format>', 'file format', EXPORT_FORMATS).makeOptionMandatory())
    .addOption(choiceOption('--types <list>', 'types to export, separated by commas', EXPORT_TYPES))
    .option('--from <date>', 'first day, YYYY-MM-DD, in the account’s time zone')
    .option('--to <date>', 'last day, inclusive')
    .option('--no-metadata', 'leave out the date, address, version and number of records')
    .option('--out <file>', 'file to write, "-" for stdout', '-')
    .option('--force', 'replace the file if it exists');
  command.addHelpText('after', HELP);
  withCommonOptions(command).action(
    action<ExportOptions>(session, (options) => run(session.io, options), label),
  );
}
