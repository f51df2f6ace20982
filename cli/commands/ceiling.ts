import type { DoseUnit } from '#app/domain/calculator/calculation.ts';
import { fieldError } from '#app/domain/errors.ts';
import { CEILING_MESSAGES, ceilingText } from '#app/domain/doses/ceiling-schema.ts';
import { readQuantity } from '#app/domain/units/quantity.ts';
import { action, type Session, userOption, withCommonOptions } from '../command.ts';
import { type Ceiling, type CeilingDoor, ceilingDoors } from '../doors/ceiling.ts';
import { throughDoor } from '../doors/door.ts';
import { type Io, write } from '../io.ts';
import { EXIT, writeJson, writeNote, writeOutcome } from '../output.ts';

interface CeilingOptions {
  user: string;
  perDose?: string;
  perDay?: string;
  per7Days?: string;
  json?: boolean;
}

const LIMITS = ['perDose', 'perDay', 'per7Days'] as const;

const LABELS: Readonly<Record<string, string>> = {
  name: 'compound',
  email: '--user',
  perDose: '--per-dose',
  perDay: '--per-day',
  per7Days: '--per-7-days',
};
const label = (field: string): string => LABELS[field] ?? `--${field}`;

/** The limits from the options, each an amount with its unit or "none". */
function readLimits(options: CeilingOptions) {
  const limits: { perDose?: string | null; perDay?: string | null; per7Days?: string | null } = {};
  let unit: DoseUnit | undefined;
  for (const name of LIMITS) {
    const text = options[name];
    if (text === undefined) continue;
    const quantity = text === 'none' ? null : readQuantity(text, ['mg', 'mcg']);
    if (text !== 'none' && quantity === null) throw fieldError(name, CEILING_MESSAGES.amount);
    if (quantity !== null && unit !== undefined && quantity.unit !== unit)
      throw fieldError(name, 'Use the same unit for all amounts');
    unit = quantity?.unit ?? unit;
    limits[name] = quantity?.text ?? null;
  }
  return unit === undefined ? limits : { ...limits, unit };
}

const plain = (text: string): string => text.replace(/\p{Cc}/gu, ' ');

const line = (ceiling: Ceiling): string => `${plain(ceiling.name)}: ${ceilingText(ceiling)}\n`;

async function change(io: Io, door: CeilingDoor, name: string, options: CeilingOptions): Promise<void> {
  const ceiling = await door.set(name, readLimits(options));
  if (options.json) return writeJson(io, { ceiling });
  await writeOutcome(io, ceiling === null ? `${plain(name)}: no ceilings\n` : line(ceiling));
}

async function list(io: Io, door: CeilingDoor, { json }: CeilingOptions): Promise<void> {
  const ceilings = await door.list();
  if (json) return writeJson(io, { ceilings });
  for (const ceiling of ceilings) await write(io.stdout, line(ceiling));
  if (ceilings.length === 0) await writeNote(io, 'No ceilings are set.\n');
}

async function run(io: Io, options: CeilingOptions, compound: string | undefined): Promise<number> {
  const isChange = LIMITS.some((name) => options[name] !== undefined);
  if (isChange !== (compound !== undefined))
    throw fieldError('name', 'Give a compound together with at least one ceiling.');
  await throughDoor(io, ceilingDoors(options.user), (door) =>
    compound === undefined ? list(io, door, options) : change(io, door, compound, options),
  );
  return EXIT.done;
}

const HELP = `
Vialbook asks before it logs or plans an amount above a ceiling. "none" removes a ceiling. Without a compound, the
account's ceilings are listed.

Examples:
  vialbook ceiling --user ada@example.org
  vialbook ceiling --user ada@example.org BPC-157 --per-dose 500mcg --per-day 1000mcg
  vialbook ceiling --user ada@example.org BPC-157 --per-day none`;

/** Adds `vialbook ceiling`. */
export function register(session: Session): void {
  const command = session.program
    .command('ceiling')
    .description('List or set the most of a compound that an account’s owner wants to take.')
    .argument('[compound]', 'name of the compound')
    .addOption(userOption('the account'))
    .option('--per-dose <amount>', 'most per dose, such as "500mcg" or "2.5 mg"; "none" removes the ceiling')
    .option('--per-day <amount>', 'most per day')
    .option('--per-7-days <amount>', 'most per 7 days');
  command.addHelpText('after', HELP);
  withCommonOptions(command).action(
    action<CeilingOptions>(session, (options, compound) => run(session.io, options, compound), label),
  );
}
