import { userInfo } from 'node:os';
import type { Readable } from 'node:stream';
import { calculationQuery } from '#app/domain/calculator/calculation-query.ts';
import { CARD_COLUMNS, resultCard, type DoseCard } from '#app/domain/calculator/dose-card.ts';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { AppError } from '#app/domain/errors.ts';
import { parseSettings } from '#app/domain/settings/settings.ts';
import { cardFile } from '#app/features/calculator/index.server.ts';
import { action, choiceOption, type Session, userOption, withCommonOptions } from '../command.ts';
import { cardDoors } from '../doors/card.ts';
import { throughDoor } from '../doors/door.ts';
import { refuseTerminal, requireTarget, writeExport } from '../files.ts';
import { type Io, write } from '../io.ts';
import { columnsText, EXIT, paint, writeJson } from '../output.ts';
import {
  type CalcOptions,
  describesCalculation,
  optionOf,
  readCalcOptions,
  withCalculationOptions,
} from './calc-options.ts';

interface CardOptions extends CalcOptions {
  readonly vial?: string;
  readonly user?: string;
  readonly format: string;
  readonly out: string;
  readonly force?: boolean;
}

const label = (field: string): string => (field === 'email' ? '--user' : optionOf(field));

/** Without control characters: text typed by users must not move the terminal's cursor. */
const plain = (text: string): string => text.replace(/\p{Cc}/gu, ' ');

function cardText({ facts, name, notes, rows }: DoseCard, io: Io): string {
  const headings = CARD_COLUMNS.map(({ heading }) => heading);
  const cells = rows.map((row) =>
    CARD_COLUMNS.map(({ key }) => plain(key === 'dose' ? [row.dose, ...row.others].join(' + ') : row[key])),
  );
  const parts = [
    `${paint(io).bold(plain(name ?? 'Dose card'))}\n`,
    columnsText(facts.map(([fact, text]) => [fact, plain(text)])),
    ...(rows.length === 0 ? [] : [columnsText([headings, ...cells])]),
    ...(notes.length === 0 ? [] : [notes.map((note) => `${plain(note)}\n`).join('')]),
    `${RESEARCH_NOTICE}\n`,
  ];
  return parts.join('\n');
}

/** Writes a card as the options say. @param file the same as a PDF file */
async function writeCard(
  io: Io,
  { format, json, out }: CardOptions,
  card: DoseCard,
  file: () => Promise<Readable>,
): Promise<void> {
  if (format === 'pdf') {
    await writeExport(io, out, file);
    if (out !== '-' && json) await writeJson(io, { file: out, format });
    return;
  }
  if (json) await writeJson(io, card);
  else await write(io.stdout, cardText(card, io));
}

/** Whoever uses the terminal: a file is made here, wherever the vial is. */
const caller = (): Parameters<typeof cardFile>[0] => ({
  actor: { kind: 'cli' as const, osUser: userInfo().username },
  client: { address: 'terminal', userAgent: null },
  now: () => new Date(),
});

/** A card of a calculation needs neither a database nor a data directory. */
async function cardOfCalculation(io: Io, options: CardOptions): Promise<void> {
  const input = readCalcOptions(options);
  const card = resultCard(input);
  await writeCard(io, options, card, () => {
    const link = new URL(`/calculator?${calculationQuery(input).toString()}`, parseSettings(io.env).APP_URL);
    return cardFile(caller(), card, link.href);
  });
}

async function cardOfVial(io: Io, options: CardOptions, id: string): Promise<void> {
  const { user } = options;
  if (user === undefined && !io.login)
    throw new AppError('INVALID_INPUT', 'With --vial, name the owner with --user.');
  const { card, link } = await throughDoor(io, cardDoors(user), (find) => find(id));
  await writeCard(io, options, card, () => cardFile(caller(), card, link));
}

/** @throws AppError INVALID_INPUT for options that contradict each other */
function checkOptions(io: Io, options: CardOptions): void {
  const { format, out, vial } = options;
  if (format !== 'text' && format !== 'pdf')
    throw new AppError('INVALID_INPUT', 'Choose the format text or pdf.');
  if (format === 'pdf') refuseTerminal(io, out, 'A PDF file');
  if (format === 'text' && out !== '-')
    throw new AppError('INVALID_INPUT', '--out is for --format pdf. Redirect the text with >.');
  if (vial !== undefined && describesCalculation(options))
    throw new AppError('INVALID_INPUT', 'Give either --vial or the options of a calculation.');
}

const HELP = `
Without --vial, give the options of "vialbook calc"; half, one and a half and double the dose are added as far as the
container holds them. The card of a vial has the doses of its schedules.

Examples:
  vialbook card --amount 5mg --water 2ml --dose 250mcg --name BPC-157
  vialbook card --amount 5000IU --water 2ml --dose 250IU --format pdf --out hcg.pdf
  vialbook card --vial vial_1 --user ada@example.org --format pdf --out card.pdf`;

/** Adds `vialbook card`. */
export function register(session: Session): void {
  const command = withCalculationOptions(
    session.program
      .command('card')
      .description('Print a dose card: a few doses, and what to draw for each.')
      .option('--vial <id>', 'card of this vial')
      .addOption(userOption('whose vial').makeOptionMandatory(false)),
  )
    .addOption(choiceOption('--format <format>', 'text or a PDF file', ['text', 'pdf']).default('text'))
    .option('--out <file>', 'PDF file to write, "-" for stdout', '-')
    .option('--force', 'replace the file if it exists');
  command.addHelpText('after', HELP);
  withCommonOptions(command, { quiet: false }).action(
    action<CardOptions>(
      session,
      async (options) => {
        checkOptions(session.io, options);
        await requireTarget(options.out, options);
        if (options.vial === undefined) await cardOfCalculation(session.io, options);
        else await cardOfVial(session.io, options, options.vial);
        return EXIT.done;
      },
      label,
    ),
  );
}
