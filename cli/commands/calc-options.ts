import type { Command } from 'commander';
import {
  type CalculationInput,
  FORMS,
  SOLVE_FOR,
  SOLVED_FIELD,
  SYRINGE_IDS,
} from '#app/domain/calculator/calculation.ts';
import { splitComponents } from '#app/domain/calculator/components.ts';
import { AppError, type FieldErrors } from '#app/domain/errors.ts';
import { parseLadder } from '#app/domain/calculator/ladder-schema.ts';
import type { LadderInput } from '#app/domain/calculator/ladder.ts';
import { parseCalculationOptions } from '#app/domain/calculator/calculation-schema.ts';
import { choiceOption } from '#cli/command.ts';

/** The options of `vialbook calc` as typed. */
export interface CalcOptions {
  readonly amount?: string;
  /** "NAME=5mg", once for each. */
  readonly component?: readonly string[];
  readonly doseOf?: string;
  readonly water?: string;
  readonly dose?: string;
  readonly draw?: string;
  readonly solveFor?: string;
  readonly syringe?: string;
  readonly mark?: string;
  readonly displacement?: string;
  readonly measured?: string;
  readonly form?: string;
  readonly concentration?: string;
  readonly volume?: string;
  readonly clickMl?: string;
  readonly sprayMl?: string;
  readonly pieces?: string;
  readonly vials?: string;
  readonly deadSpace?: string;
  readonly cost?: string;
  readonly name?: string;
  /** Doses, separated by commas. */
  readonly ladder?: string;
  readonly capacity?: string;
  readonly batch?: string;
  readonly format?: string;
  readonly json?: boolean;
}

/** Adds the options of one calculation. */
export function withCalculationOptions(command: Command): Command {
  return command
    .option('--amount <mg>', 'peptide in the vial')
    .option('--component <name=mg...>', 'each peptide of a blend, instead of --amount')
    .option('--dose-of <name>', 'component that the dose refers to; by default the first')
    .option('--water <ml>', 'water added')
    .option('--dose <mg|mcg>', 'desired dose')
    .option('--draw <ml>', 'volume drawn, to solve for water or dose')
    .addOption(
      choiceOption('--solve-for <what>', 'what to solve for; by default the value you leave out', SOLVE_FOR),
    )
    .addOption(choiceOption('--syringe <id>', 'syringe; by default u100-1ml', SYRINGE_IDS))
    .addOption(
      choiceOption('--mark <units>', 'units between two marks on the barrel', [
        '0.5',
        '1',
        '2',
        '0.01',
        '0.1',
      ]),
    )
    .option('--displacement <µl/mg>', 'volume the powder takes up')
    .option('--measured <amount>', 'content measured by a laboratory, used instead of --amount')
    .addOption(choiceOption('--form <form>', 'what holds the substance; by default powder', FORMS))
    .option('--concentration <per ml>', 'of a solution, pen or spray, such as 10mg/ml')
    .option('--volume <ml>', 'in the container of a solution, pen or spray')
    .option('--click-ml <ml>', 'volume of one click of a pen')
    .option('--spray-ml <ml>', 'volume of one spray')
    .option('--pieces <number>', 'how many capsules there are')
    .option('--vials <number>', 'how many vials are put together')
    .option('--dead-space <ml>', 'volume lost with each dose')
    .option('--cost <price>', 'price of one vial')
    .option('--name <text>', 'name of the peptide');
}

const OPTION_BY_FIELD: Readonly<Record<string, string>> = {
  solveFor: '--solve-for',
  peptideAmount: '--amount',
  components: '--component',
  doseOf: '--dose-of',
  waterVolume: '--water',
  desiredDose: '--dose',
  desiredDoseUnit: '--dose',
  drawVolume: '--draw',
  syringe: '--syringe',
  mark: '--mark',
  displacement: '--displacement',
  measuredAmount: '--measured',
  form: '--form',
  amountUnit: '--amount',
  concentration: '--concentration',
  containerVolume: '--volume',
  clickMl: '--click-ml',
  sprayMl: '--spray-ml',
  pieces: '--pieces',
  vials: '--vials',
  deadSpaceMl: '--dead-space',
  cost: '--cost',
  peptideName: '--name',
  doses: '--ladder',
  capacityMl: '--capacity',
};

/** The option that sets a field of the calculator. */
export const optionOf = (field: string): string => OPTION_BY_FIELD[field] ?? field;

/** What to solve for: with a draw, whichever of water and dose is missing. */
function soughtBy(options: CalcOptions): string {
  if (options.solveFor !== undefined) return options.solveFor;
  if (options.draw === undefined) return 'volume';
  return options.water === undefined ? 'water' : 'dose';
}

/** How to ask for each missing quantity. */
const QUANTITIES = [
  { option: 'amount', field: 'peptideAmount', missing: 'the peptide in the vial, such as 5mg' },
  { option: 'water', field: 'waterVolume', missing: 'the water added, such as 2ml' },
  { option: 'dose', field: 'desiredDose', missing: 'the desired dose, such as 250mcg' },
  { option: 'draw', field: 'drawVolume', missing: 'the volume drawn, such as 0.1ml' },
] as const;

/** The messages of an invalid calculation, with those for missing quantities worded for the terminal. */
function problemsOf(options: CalcOptions, fields: FieldErrors): FieldErrors {
  const problems: FieldErrors = { ...fields };
  if (options.component !== undefined && options.amount === undefined) delete problems['peptideAmount'];
  const solved: string = SOLVED_FIELD[SOLVE_FOR.find((way) => way === soughtBy(options)) ?? 'volume'];
  for (const { option, field, missing } of QUANTITIES) {
    const isMissing = (options[option] ?? '').trim() === '';
    if (isMissing && problems[field] && field !== solved) problems[field] = [`missing; give ${missing}`];
  }
  return problems;
}

/**
 * The calculation that the options ask for.
 * @throws AppError INVALID_INPUT with the messages by field
 */
export function readCalcOptions(options: CalcOptions): CalculationInput {
  const parsed = parseCalculationOptions({
    solveFor: soughtBy(options),
    peptideAmount: options.amount,
    components: options.component?.flatMap((text) => splitComponents(text, '=')),
    doseOf: options.doseOf,
    waterVolume: options.water,
    desiredDose: options.dose,
    drawVolume: options.draw,
    syringe: options.syringe,
    mark: options.mark,
    displacement: options.displacement,
    measuredAmount: options.measured,
    form: options.form,
    concentration: options.concentration,
    containerVolume: options.volume,
    clickMl: options.clickMl,
    sprayMl: options.sprayMl,
    pieces: options.pieces,
    vials: options.vials,
    deadSpaceMl: options.deadSpace,
    cost: options.cost,
    peptideName: options.name,
  });
  if (parsed.ok) return parsed.input;
  throw new AppError('INVALID_INPUT', 'This cannot be calculated.', {
    fields: problemsOf(options, parsed.fields),
  });
}

const OF_A_LADDER: readonly string[] = ['amount', 'ladder', 'syringe', 'capacity', 'json', 'yes'];

/**
 * The ladder that `--ladder` asks for.
 * @throws AppError INVALID_INPUT with the messages by field, or for an option that a ladder does not have
 */
export function readLadderOptions(options: CalcOptions): LadderInput {
  if (Object.keys(options).some((name) => !OF_A_LADDER.includes(name)))
    throw new AppError(
      'INVALID_INPUT',
      '--ladder finds the water for its doses. Give only --amount, --syringe and --capacity with it.',
    );
  const parsed = parseLadder({
    peptideAmount: options.amount,
    doses: (options.ladder ?? '').split(',').filter((dose) => dose.trim() !== ''),
    syringe: options.syringe,
    capacityMl: options.capacity,
  });
  if (parsed.ok) return parsed.input;
  throw new AppError('INVALID_INPUT', 'This cannot be calculated.', {
    fields: problemsOf(options, parsed.fields),
  });
}

const OF_ONE_CALCULATION = [
  'amount',
  'component',
  'doseOf',
  'water',
  'dose',
  'draw',
  'measured',
  'solveFor',
  'name',
  'capacity',
  'form',
  'concentration',
  'volume',
  'clickMl',
  'sprayMl',
  'pieces',
  'vials',
  'deadSpace',
  'cost',
] as const;

/** True if an option describes a calculation. */
export const describesCalculation = (options: CalcOptions): boolean =>
  OF_ONE_CALCULATION.some((name) => options[name] !== undefined);

/**
 * The settings that apply to every row of a batch.
 * @throws AppError INVALID_INPUT for a wrong value, or an option that belongs to a single calculation
 */
export function readRowSettings(
  options: CalcOptions,
): Pick<CalculationInput, 'syringe' | 'mark' | 'displacement'> {
  if (describesCalculation(options)) {
    throw new AppError(
      'INVALID_INPUT',
      'With --batch, amounts, water and doses come from the rows. Remove the options for a single calculation.',
    );
  }
  // With placeholder numbers, so that the remaining options are checked as in a single calculation.
  const { syringe, mark, displacement } = readCalcOptions({ ...options, amount: '1', water: '1', dose: '1' });
  return { syringe, mark, displacement };
}
