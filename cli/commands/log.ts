import { doseLine } from '#app/domain/doses/dose-line.ts';
import { fieldError } from '#app/domain/errors.ts';
import { DOSE_MESSAGES } from '#app/domain/doses/dose-schema.ts';
import { SITE_IDS } from '#app/domain/tracking/sites.ts';
import { action, choiceOption, type Session, userOption, withCommonOptions } from '../command.ts';
import { throughDoor } from '../doors/door.ts';
import { type Intake, type LogDoor, logDoors, type Logged, type Taken } from '../doors/log.ts';
import type { Io } from '../io.ts';
import { EXIT, writeJson, writeNote, writeOutcome } from '../output.ts';

interface LogOptions {
  user: string;
  dose?: string;
  asNeeded?: string;
  compound?: string;
  amount?: string;
  doseOf?: string;
  at?: string;
  site?: string;
  undo?: string;
  due?: boolean;
  confirm?: boolean;
  json?: boolean;
}

const LABELS: Readonly<Record<string, string>> = {
  name: '--compound',
  actualDose: '--amount',
  doseOf: '--dose-of',
  asNeeded: '--as-needed',
  takenAt: '--at',
  email: '--user',
};
const label = (field: string): string => LABELS[field] ?? `--${field}`;

/** Shared by every way of logging. */
const intakeOf = ({ at, site, confirm }: LogOptions): Intake => ({
  takenAt: at,
  site,
  confirm: confirm === true,
});

/** A plan already defines the component that its dose refers to. */
function refuseDoseOf({ doseOf }: LogOptions): void {
  if (doseOf !== undefined) throw fieldError('doseOf', 'Use --dose-of only with --compound and --amount.');
}

function takePlanned(door: LogDoor, options: LogOptions & { dose: string }): Promise<Taken> {
  refuseDoseOf(options);
  if (options.compound !== undefined || options.amount !== undefined)
    throw fieldError('dose', 'Use either --dose or --compound with --amount, not both.');
  return door.takeDose(options.dose, intakeOf(options));
}

/** Takes a dose of a schedule taken as needed: the schedule's amount unless another is given. */
function takeNeeded(door: LogDoor, options: LogOptions & { asNeeded: string }): Promise<Taken> {
  refuseDoseOf(options);
  if (options.compound !== undefined || options.dose !== undefined)
    throw fieldError('asNeeded', 'Use --as-needed without --dose or --compound.');
  return door.takeAsNeeded(options.asNeeded, intakeOf(options), options.amount);
}

function logFreely(door: LogDoor, options: LogOptions): Promise<Taken> {
  const { compound, amount, doseOf } = options;
  if (compound === undefined || amount === undefined)
    throw fieldError('dose', 'Use --due, --dose, --as-needed, --compound with --amount, or --undo.');
  const dose = { name: compound, actualDose: amount, ...(doseOf !== undefined && { doseOf }) };
  return door.logDose(dose, intakeOf(options));
}

/** A logged dose for programs. */
const takenJson = ({ dose, warnings }: Taken) => ({
  id: dose.id,
  name: dose.name,
  status: dose.status,
  dueDate: dose.dueDate,
  takenAt: dose.takenAt,
  actualDose: dose.actualDose === null ? null : Number(dose.actualDose),
  doseUnit: dose.doseUnit,
  site: dose.site,
  warnings: warnings.map(({ code }) => code),
});

async function tell(io: Io, { dose, warnings }: Taken, timeZone: string): Promise<void> {
  const { day, takenText, amountText } = doseLine(dose, timeZone, dose.takenAt ?? dose.dueDate);
  await writeOutcome(
    io,
    `${DOSE_MESSAGES.taken}: ${dose.name} ${amountText}, ${day}. ${takenText ?? ''} (${dose.id})\n`,
  );
  for (const { message } of warnings) await writeNote(io, `${message}\n`);
}

/** The error for an unknown site lists the known ones. */
function requireKnownSite(site: string | undefined): void {
  if (site !== undefined && !SITE_IDS.some((known) => known === site))
    throw fieldError('site', `${DOSE_MESSAGES.site}: ${SITE_IDS.join(', ')}`);
}

const OF_LOGGING = ['dose', 'asNeeded', 'compound', 'amount', 'doseOf', 'at', 'site'] as const;

/** What undoing changed. For a dose that is not logged yet it undoes a move, which draws nothing. */
function undoneText(before: Logged, dose: Logged | null, timeZone: string): string {
  const stock = before.draws.length > 0 ? ' What it drew was returned to stock.' : '';
  if (dose === null) return `${before.name} was removed because it was not planned.${stock}`;
  if (before.status !== 'pending') return `${dose.name} is ${dose.status} again.${stock}`;
  const { day, time } = doseLine(dose, timeZone, dose.dueDate);
  return `${dose.name} is due on ${day} at ${time} again. No stock was drawn or returned.`;
}

/** Undoes the last change of a dose, and reports its new state. */
async function undo(io: Io, options: LogOptions & { undo: string }): Promise<void> {
  const { user, undo: id, json } = options;
  const foreign = OF_LOGGING.find((name) => options[name] !== undefined);
  if (foreign !== undefined) throw fieldError('undo', `Use --undo alone, without ${label(foreign)}.`);
  const { before, dose, timeZone } = await throughDoor(io, logDoors(user), async (door) => ({
    ...(await door.undo(id)),
    timeZone: await door.timeZone(),
  }));
  if (json) return writeJson(io, { id, status: dose?.status ?? 'removed' });
  await writeOutcome(io, `Undone: ${undoneText(before, dose, timeZone)}\n`);
}

const ALONE = ['dose', 'asNeeded', 'compound', 'amount', 'doseOf', 'site', 'undo'] as const;

/** Takes every dose of the latest time slot in which one is due: all of them or none. */
async function takeDue(io: Io, options: LogOptions): Promise<void> {
  const foreign = ALONE.find((name) => options[name] !== undefined);
  if (foreign !== undefined) throw fieldError('due', `Use --due alone, without ${label(foreign)}.`);
  await throughDoor(io, logDoors(options.user), async (door) => {
    const taken = await door.takeDue(intakeOf(options));
    if (options.json) return writeJson(io, taken.map(takenJson));
    const timeZone = await door.timeZone();
    for (const one of taken) await tell(io, one, timeZone);
  });
}

function logAsAsked(door: LogDoor, options: LogOptions): Promise<Taken> {
  const { dose, asNeeded } = options;
  if (asNeeded !== undefined) return takeNeeded(door, { ...options, asNeeded });
  return dose === undefined ? logFreely(door, options) : takePlanned(door, { ...options, dose });
}

async function run(io: Io, options: LogOptions): Promise<number> {
  if (options.due === true) {
    await takeDue(io, options);
    return EXIT.done;
  }
  if (options.undo !== undefined) {
    await undo(io, { ...options, undo: options.undo });
    return EXIT.done;
  }
  requireKnownSite(options.site);
  await throughDoor(io, logDoors(options.user), async (door) => {
    const taken = await logAsAsked(door, options);
    if (options.json) return writeJson(io, takenJson(taken));
    await tell(io, taken, await door.timeZone());
  });
  return EXIT.done;
}

const HELP = `
An unusual amount (at least twice or at most half the plan or the last doses, above a ceiling, or ten times what is left in
the vial) is not logged: the command says why and exits with code 2. If the amount is correct, repeat it with --confirm.

--due takes every dose of the latest quarter of an hour in which one is due: all of them or none.

Examples:
  vialbook log --user ada@example.org --due
  vialbook log --user ada@example.org --dose dose_0123456789abcdef01234567
  vialbook log --user ada@example.org --compound BPC-157 --amount 250mcg --at 08:00 --site abdomen-upper-left
  vialbook log --user ada@example.org --compound 'BPC-157 + TB-500' --amount 500mcg --dose-of TB-500
  vialbook log --user ada@example.org --as-needed BPC-157
  vialbook log --user ada@example.org --undo dose_0123456789abcdef01234567`;

/** Adds `vialbook log`. */
export function register(session: Session): void {
  const command = session.program
    .command('log')
    .description('Log a dose as taken and draw it from stock, or undo this.')
    .addOption(userOption('the account'))
    .option('--due', 'all doses that are due now, at the same time')
    .option('--dose <id>', 'a planned dose')
    .option('--as-needed <plan>', 'a dose of a schedule taken as needed, by the schedule’s name or id')
    .option('--compound <name>', 'compound of an unplanned dose')
    .option(
      '--amount <amount>',
      'amount of an unplanned dose, or one that differs from the plan, such as "250mcg" or "0.25 mg"',
    )
    .option(
      '--dose-of <name>',
      'component that the amount refers to, for an unplanned dose of a blend (default: the first)',
    )
    .option(
      '--at <time>',
      'when: "08:00" or "2026-03-09 08:00" in the account\'s time zone, or with an offset (default: now)',
    )
    .addOption(choiceOption('--site <site>', 'injection site', SITE_IDS))
    .option('--undo <id>', 'undo the last change or move of a dose; what it drew returns to stock')
    .option('--confirm', 'log an unusual amount anyway');
  command.addHelpText('after', HELP);
  withCommonOptions(command).action(
    action<LogOptions>(session, (options) => run(session.io, options), label),
  );
}
