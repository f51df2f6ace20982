import { doseLine } from '#app/domain/doses/dose-line.ts';
import {
  confirmDoseError,
  DOSE_WARNINGS,
  REPORTED_WARNINGS,
  unconfirmed,
  type DoseWarning,
} from '#app/domain/doses/dose-warnings.ts';
import { AppError } from '#app/domain/errors.ts';
import { DOSE_MESSAGES } from '#app/domain/doses/dose-schema.ts';
import { SITE_IDS } from '#app/domain/tracking/sites.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { logDose, takeDose, type TakeOutcome, undoDose } from '#app/features/doses/index.server.ts';
import { getUserByEmail } from '#app/platform/access/owner.server.ts';
import { action, choiceOption, type Session, withCommonOptions } from '../command.ts';
import { withContext } from '../context.ts';
import { type Io, write } from '../io.ts';
import { EXIT, writeJson } from '../output.ts';

interface LogOptions {
  user: string;
  dose?: string;
  compound?: string;
  amount?: string;
  at?: string;
  site?: string;
  undo?: string;
  confirm?: boolean;
  json?: boolean;
}

const LABELS: Readonly<Record<string, string>> = {
  name: '--compound',
  actualDose: '--amount',
  takenAt: '--at',
  email: '--user',
};
const label = (field: string): string => LABELS[field] ?? `--${field}`;

const usage = (field: string, message: string) =>
  new AppError('INVALID_INPUT', message, { fields: { [field]: [message] } });

/** What every way of logging reads. A terminal cannot be asked: it is told the warnings, and repeats with `--confirm`. */
const common = ({ at, site, confirm }: LogOptions) => ({
  takenAt: at,
  site: site as never,
  confirmed: confirm === true ? [...DOSE_WARNINGS] : [...REPORTED_WARNINGS],
});

function takePlanned(ctx: Ctx, options: LogOptions & { dose: string }): Promise<TakeOutcome> {
  if (options.compound !== undefined || options.amount !== undefined)
    throw usage('dose', 'Use either --dose, or --compound with --amount, not both.');
  return takeDose(ctx, options.dose, common(options), options.user);
}

function logFreely(ctx: Ctx, options: LogOptions): Promise<TakeOutcome> {
  const { compound, amount, user } = options;
  if (compound === undefined || amount === undefined)
    throw usage('dose', 'Use --dose, or --compound with --amount, or --undo.');
  return logDose(ctx, { name: compound, actualDose: amount, ...common(options) }, { email: user });
}

async function tell(io: Io, options: LogOptions, outcome: TakeOutcome, timeZone: string): Promise<void> {
  if (!outcome.done) return;
  const { dose, warnings } = outcome;
  const { id, name, status, takenAt, actualDose, doseUnit, site } = dose;
  if (options.json) {
    const codes = warnings.map(({ code }: DoseWarning) => code);
    await writeJson(io, {
      id,
      name,
      status,
      dueDate: dose.dueDate,
      takenAt,
      actualDose: actualDose === null ? null : Number(actualDose),
      doseUnit,
      site,
      warnings: codes,
    });
    return;
  }
  const { day, takenText, amountText } = doseLine(dose, timeZone, dose.takenAt ?? dose.dueDate);
  await write(
    io.stdout,
    `${DOSE_MESSAGES.taken}: ${name} ${amountText}, ${day}, ${takenText ?? ''} (${id})\n`,
  );
  for (const { message } of warnings) await write(io.stderr, `${message}\n`);
}

/** A wrong site is told together with those there are: nobody knows them by heart. */
function requireKnownSite(site: string | undefined): void {
  if (site !== undefined && !SITE_IDS.some((known) => known === site))
    throw usage('site', `${DOSE_MESSAGES.site}: ${SITE_IDS.join(', ')}`);
}

const OF_LOGGING = ['dose', 'compound', 'amount', 'at', 'site'] as const;

/** Takes the last change of a dose back, and tells what has become of it. */
async function undo(io: Io, options: LogOptions & { undo: string }): Promise<void> {
  const { user, undo: id, json } = options;
  const foreign = OF_LOGGING.find((name) => options[name] !== undefined);
  if (foreign !== undefined) throw usage('undo', `Use --undo alone, without --${foreign}.`);
  const dose = await withContext(io, (ctx) => undoDose(ctx, id, user));
  if (json) return writeJson(io, { id, status: dose?.status ?? 'removed' });
  const now = dose === null ? 'removed, it had no plan' : `${dose.status} again`;
  await write(io.stdout, `Undone: ${dose?.name ?? id} is ${now}. What it drew is back in stock.\n`);
}

async function run(io: Io, options: LogOptions): Promise<number> {
  if (options.undo !== undefined) {
    await undo(io, { ...options, undo: options.undo });
    return EXIT.done;
  }
  requireKnownSite(options.site);
  await withContext(io, async (ctx) => {
    const { dose } = options;
    const outcome = await (dose === undefined
      ? logFreely(ctx, options)
      : takePlanned(ctx, { ...options, dose }));
    if (!outcome.done) throw confirmDoseError(unconfirmed(outcome.warnings, REPORTED_WARNINGS));
    const { timeZone } = await getUserByEmail(ctx, options.user);
    await tell(io, options, outcome, timeZone);
  });
  return EXIT.done;
}

const HELP = `
An unusual amount (twice or half of the plan or of the last doses, above a ceiling, ten times what is left in the vial) is
not logged: the command says why and exits with 2. Repeat it with --confirm if the amount is meant.

Examples:
  vialbook log --user ada@example.org --dose dose_0123456789abcdef01234567
  vialbook log --user ada@example.org --compound BPC-157 --amount 250mcg --at 08:00 --site abdomen-upper-left
  vialbook log --user ada@example.org --undo dose_0123456789abcdef01234567`;

/** Adds `vialbook log`. */
export function register(session: Session): void {
  const command = session.program
    .command('log')
    .description('Log a dose as taken and draw it from stock, or undo that.')
    .requiredOption('--user <email>', 'the account')
    .option('--dose <id>', 'a planned dose')
    .option('--compound <name>', 'for an unplanned dose: what was taken')
    .option('--amount <amount>', 'for an unplanned dose: how much, such as "250mcg" or "0.25 mg"')
    .option(
      '--at <time>',
      'when: "08:00" or "2026-03-09 08:00" in the account\'s time zone, or with an offset (default: now)',
    )
    .addOption(choiceOption('--site <site>', 'injection site', SITE_IDS))
    .option('--undo <id>', 'take the last change of a dose back; what it drew returns to stock')
    .option('--confirm', 'log an unusual amount all the same');
  command.addHelpText('after', HELP);
  withCommonOptions(command).action(
    action<LogOptions>(session, (options) => run(session.io, options), label),
  );
}
