import {
  type CalculationResult,
  type ComponentFigures,
  SOLVE_FOR,
  SYRINGE_IDS,
} from '#app/domain/calculator/calculation.ts';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { type Io, write } from '#cli/io.ts';
import { columnsText, paint, EXIT, writeJson } from '#cli/output.ts';
import { calculate } from '#app/domain/calculator/calculate.ts';
import { action, choiceOption, type Session, withCommonOptions } from '#cli/command.ts';
import { type CalcOptions, optionOf, readCalcOptions } from './calc-options.ts';

const HELP = `
Numbers may have a unit: 5mg, 2ml, 250mcg. Without one, amounts and doses are in mg, volumes in ml.
Give two of --water, --dose and --draw to solve for the third: --water and --dose give the draw, --water and
--draw the dose it holds, --dose and --draw the water to add. You cannot give all three.

For a blend, give --component NAME=5mg for each of its 2 to 6 peptides instead of --amount. One draw contains
all of them; --dose-of names the one that the dose refers to.

A batch is CSV with the header peptideAmount,waterVolume,desiredDose[,desiredDoseUnit][,peptideName]
(other columns are kept), or one JSON object per line. Doses are in mg unless desiredDoseUnit is mcg.
measuredAmount, like --measured, is used instead of peptideAmount in rows that have it.
For a blend, use components (BPC-157:5;TB-500:5) instead of peptideAmount; doseOf names the component of the dose.
Each row is returned with
  concentration        mg/ml, as a number           concentrationText    the same with 2 decimals
  injectionVolume      ml, as a number              injectionVolumeText  the same with 3 decimals
  units                on the syringe's scale       warnings             codes, separated by ";"
  error                "line N: …" if the row could not be calculated; the others still are, exit code 2

Warnings: SMALL_VOLUME under 0.1 ml, LARGE_VOLUME over 1 ml, HIGH_CONCENTRATION over 10 mg/ml,
SEVERAL_DRAWS more than the barrel holds, MARK_ERROR nearest mark over 5% off, BELOW_FIRST_MARK not measurable.

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
    .summary('calculate one reconstitution, or a file of them')
    .description('Calculate a reconstitution: concentration, volume to draw, units on a syringe.')
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
    .addOption(choiceOption('--mark <units>', 'units between two marks on the barrel', ['0.5', '1', '2']))
    .option('--displacement <µl/mg>', 'volume the powder takes up')
    .option('--measured <amount>', 'content measured by a laboratory, used instead of --amount')
    .option('--name <text>', 'name of the peptide')
    .option('--batch <file>', 'calculate every row of a file; "-" for stdin')
    .addOption(
      choiceOption('--format <format>', 'output format of a batch; by default the same as the input', [
        'csv',
        'ndjson',
      ]),
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

/** A result as text: the line to copy, then each figure, the arithmetic and the warnings. */
function resultText(result: CalculationResult, io: Io): string {
  const { bold, yellow } = paint(io);
  const draws = result.drawsNeeded > 1 ? `, ${result.drawsNeeded} draws` : '';
  const rows = [
    ...(result.measured === undefined ? [] : [['Measured content', result.measured.note]]),
    [
      'Draw',
      `${result.unitsText} units = ${result.injectionVolumeText} ml (${result.syringe.label} syringe${draws})`,
    ],
    ['Nearest mark', markText(result)],
    ['Doses per vial', String(result.dosesPerVial)],
    ...(result.doseOf === undefined ? [] : result.components.map(componentRow)),
    ...result.formula.map(({ name, numbers, result: value }) => [name, `${numbers} = ${value}`]),
    ...result.warnings.map(({ message }) => ['Warning', message]),
  ];
  const lines = columnsText(rows).trimEnd().split('\n');
  const firstWarning = lines.length - result.warnings.length;
  const shown = lines.map((line, at) => (at < firstWarning ? line : yellow(line)));
  return `${bold(result.summary)}\n\n${shown.join('\n')}\n\n${RESEARCH_NOTICE}\n`;
}

const componentRow = ({
  name = '',
  amountText,
  concentrationText,
  doseWithUnit,
}: ComponentFigures): readonly string[] => [
  'In this draw',
  `${doseWithUnit} ${name} (${amountText} mg in the vial, ${concentrationText} mg/ml)`,
];

function markText({ nearestMark }: CalculationResult): string {
  const { unitsText, deliveredDoseWithUnit, errorPercentText } = nearestMark;
  const sign = errorPercentText.startsWith('-') ? '' : '+';
  const off = errorPercentText === '0' ? 'exact' : `${sign}${errorPercentText}%`;
  return `${unitsText} units deliver ${deliveredDoseWithUnit} (${off})`;
}
