import {
  type CalculationResult,
  type ComponentFigures,
  SOLVE_FOR,
  SYRINGE_IDS,
} from '#app/domain/calculator/calculation.ts';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { type Io, write } from '#cli/io.ts';
import { paint, EXIT, writeJson } from '#cli/output.ts';
import { calculate } from '#app/domain/calculator/calculate.ts';
import { action, choiceOption, type Session, withCommonOptions } from '#cli/command.ts';
import { type CalcOptions, optionOf, readCalcOptions } from './calc-options.ts';

const HELP = `
Numbers may carry their unit: 5mg, 2ml, 250mcg. Without one, amounts and doses are mg, volumes ml.
Give two of --water, --dose and --draw to solve for the third: draw by default, --draw in place of
--dose asks what a draw holds, --draw in place of --water asks how much water to add. All three are refused.

A blend gives --component NAME=5mg for each of its 2 to 6 peptides in place of --amount. One draw gives
all of them; --dose-of names the one that the dose is of.

A batch is CSV with the header peptideAmount,waterVolume,desiredDose[,desiredDoseUnit][,peptideName]
(other columns are passed on), or one JSON object per line. Doses are mg unless desiredDoseUnit says mcg.
A column measuredAmount is used in place of peptideAmount where a row has it, as --measured is.
A column components with BPC-157:5;TB-500:5 is a blend, in place of peptideAmount; doseOf names its dosed component.
Each row comes back with
  concentration        mg/ml, as a number           concentrationText    the same with 2 decimals
  injectionVolume      ml, as a number              injectionVolumeText  the same with 3 decimals
  units                on the syringe's scale       warnings             codes, separated by ";"
  error                "line N: …" when the row could not be computed; the rest goes on, exit code 2

Warnings: SMALL_VOLUME under 0.1 ml, LARGE_VOLUME over 1 ml, HIGH_CONCENTRATION over 10 mg/ml,
SEVERAL_DRAWS does not fit the barrel, MARK_ERROR nearest mark over 5 % off, BELOW_FIRST_MARK not measurable.

Examples:
  vialbook calc --amount 5mg --water 2ml --dose 250mcg
  vialbook calc --amount 10mg --dose 0.5mg --draw 0.1ml --syringe u100-0.3ml --json
  vialbook calc --component BPC-157=5mg --component TB-500=5mg --water 2ml --dose 250mcg --dose-of TB-500
  vialbook calc --batch doses.csv --format ndjson > results.ndjson

${RESEARCH_NOTICE}`;

/** Adds `vialbook calc`: one calculation from options, or a batch from a file or stdin. */
export function register(session: Session): void {
  const command = session.program
    .command('calc')
    .summary('work out a reconstitution, or a whole file of them')
    .description('Work out a reconstitution: concentration, volume to draw, units on a syringe.')
    .option('--amount <mg>', 'peptide in the vial')
    .option('--component <name=mg...>', 'each peptide of a blend, in place of --amount')
    .option('--dose-of <name>', 'component that the dose is of, by default the first')
    .option('--water <ml>', 'water added')
    .option('--dose <mg|mcg>', 'dose wanted')
    .option('--draw <ml>', 'volume drawn, to solve for the water or the dose')
    .addOption(choiceOption('--solve-for <what>', 'by default what was not given', SOLVE_FOR))
    .addOption(choiceOption('--syringe <id>', 'by default u100-1ml', SYRINGE_IDS))
    .addOption(choiceOption('--mark <units>', 'units between two marks of the barrel', ['0.5', '1', '2']))
    .option('--displacement <µl/mg>', 'volume that the powder takes up')
    .option('--measured <amount>', 'content that a laboratory measured, used in place of --amount')
    .option('--name <text>', 'name of the peptide')
    .option('--batch <file>', 'compute every row of a file, or of stdin with "-"')
    .addOption(
      choiceOption('--format <format>', 'output of a batch, by default as its input', ['csv', 'ndjson']),
    )
    .addHelpText('after', HELP);
  withCommonOptions(command).action(
    action<CalcOptions>(
      session,
      async (options) => {
        if (options.batch === undefined) return calcOnce(options, session.io);
        const { runBatch } = await import('../batch/batch.ts');
        return runBatch(options.batch, options, session.io);
      },
      optionOf,
    ),
  );
}

async function calcOnce(options: CalcOptions, io: Io): Promise<number> {
  const result = calculate(readCalcOptions(options));
  if (options.json) await writeJson(io, { ...result, units: Number(result.unitsText) });
  else await write(io.stdout, resultText(result, io));
  return EXIT.done;
}

const LABEL_WIDTH = 18;

/** A result for a terminal: the line to copy, then the figures one by one, the arithmetic and the warnings. */
function resultText(result: CalculationResult, io: Io): string {
  const { bold, yellow } = paint(io);
  const draws = result.drawsNeeded > 1 ? `, ${result.drawsNeeded} draws` : '';
  const formula = result.formula.map(({ name, numbers, result: value }) =>
    row(name, `${numbers} = ${value}`),
  );
  const warnings = result.warnings.map(({ message }) => yellow(row('Warning', message)));
  return [
    `${bold(result.summary)}\n\n`,
    ...(result.measured === undefined ? [] : [row('Measured content', result.measured.note)]),
    row(
      'Draw',
      `${result.unitsText} units = ${result.injectionVolumeText} ml (${result.syringe.label} syringe${draws})`,
    ),
    row('Nearest mark', markText(result)),
    row('Doses per vial', String(result.dosesPerVial)),
    ...(result.doseOf === undefined ? [] : result.components.map(componentRow)),
    ...formula,
    ...warnings,
    `\n${RESEARCH_NOTICE}\n`,
  ].join('');
}

const componentRow = ({ name = '', amountText, concentrationText, doseWithUnit }: ComponentFigures): string =>
  row('In this draw', `${doseWithUnit} ${name} (${amountText} mg in the vial, ${concentrationText} mg/ml)`);

function markText({ nearestMark }: CalculationResult): string {
  const { unitsText, deliveredDoseWithUnit, errorPercentText } = nearestMark;
  const sign = errorPercentText.startsWith('-') ? '' : '+';
  const off = errorPercentText === '0' ? 'exact' : `${sign}${errorPercentText} %`;
  return `${unitsText} units deliver ${deliveredDoseWithUnit} (${off})`;
}

const row = (label: string, text: string): string => `${label.padEnd(LABEL_WIDTH)}${text}\n`;
