import { figureText } from '#app/domain/decimal/figure-text.ts';
import type {
  CalculationResult,
  ComponentFigures,
  SubstanceUnit,
} from '#app/domain/calculator/calculation.ts';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { type Io, write } from '#cli/io.ts';
import { columnsText, paint, EXIT, writeJson } from '#cli/output.ts';
import { countUnits, drawToText, resultNotes } from '#app/domain/calculator/draw-words.ts';
import { calculate } from '#app/domain/calculator/calculate.ts';
import { action, choiceOption, type Session, withCommonOptions } from '#cli/command.ts';
import {
  findLadder,
  type Ladder,
  ladderErrorText,
  ladderFigures,
  ladderSentence,
} from '#app/domain/calculator/ladder.ts';
import { AppError } from '#app/domain/errors.ts';
import {
  type CalcOptions,
  optionOf,
  readCalcOptions,
  readLadderOptions,
  withCalculationOptions,
} from './calc-options.ts';

const HELP = `
Numbers may have a unit: 5mg, 2ml, 250mcg, 5000IU. Without one, amounts and doses are in mg, volumes in ml.
Give two of --water, --dose and --draw to solve for the third: --water and --dose give the draw, --water and
--draw the dose it holds, --dose and --draw the water to add. You cannot give all three.

For a blend, give --component NAME=5mg for each of its 2 to 6 peptides instead of --amount. One draw contains
all of them; --dose-of names the one that the dose refers to.

--ladder finds the water that puts every dose of a titration on a printed mark: at most three amounts, the best first.

For a solution, pen or spray, give --form with --concentration and --volume instead of --amount and --water; a pen needs
--click-ml, a spray --spray-ml, from their makers. For capsules, --amount is what one holds. IU measure a substance and are
never converted to mg; the marks of a syringe are units.

A batch is CSV with the header peptideAmount,waterVolume,desiredDose[,desiredDoseUnit][,peptideName]
(other columns are kept), or one JSON object per line. Doses are in mg unless desiredDoseUnit is mcg.
Fields may be separated by ";" instead, with decimal commas or points; the results are then written in the same way.
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
  vialbook calc --amount 30mg --ladder 2.5mg,5mg,7.5mg --capacity 3ml
  vialbook calc --amount 5000IU --water 2ml --dose 250IU --name HCG
  vialbook calc --form pen --concentration 10mg/ml --volume 3ml --click-ml 0.01 --dose 0.5mg
  vialbook calc --batch doses.csv --format ndjson > results.ndjson

${RESEARCH_NOTICE}`;

/** Adds `vialbook calc`: one calculation from options, or a batch from a file or stdin. */
export function register(session: Session): void {
  const command = withCalculationOptions(
    session.program
      .command('calc')
      .summary('calculate one reconstitution, or a file of them')
      .description('Calculate a reconstitution: concentration, volume to draw, units on a syringe.'),
  )
    .option('--ladder <doses>', 'find the water for several doses, separated by commas')
    .option('--capacity <ml>', 'water the vial can hold, with --ladder; by default 3ml')
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
        if (options.ladder !== undefined) return calcLadder(options, session.io);
        if (options.batch === undefined) return calcOnce(options, session.io);
        const { runBatch } = await import('../batch/batch.ts');
        return runBatch(options.batch, options, session.io);
      },
      optionOf,
    ),
  );
}

async function calcLadder(options: CalcOptions, io: Io): Promise<number> {
  const ladder = findLadder(readLadderOptions(options));
  if (options.json) await writeJson(io, ladderFigures(ladder));
  else await write(io.stdout, ladderText(ladder, io));
  return EXIT.done;
}

/** A ladder as text: whether the doses are on marks, then a table for each amount of water. */
function ladderText(ladder: Ladder, io: Io): string {
  const { bold } = paint(io);
  const tables = ladder.choices.map(({ waterVolumeText, doses }) => {
    const rows = doses.map((dose) => [
      dose.doseText,
      `${dose.volumeText} ml`,
      drawToText(dose.mark),
      ladderErrorText(dose),
    ]);
    return `${bold(`${waterVolumeText} ml of water`)}\n${columnsText([['Dose', 'Volume', 'Draw', 'Off'], ...rows])}`;
  });
  return [ladderSentence(ladder), '', tables.join('\n'), RESEARCH_NOTICE, ''].join('\n');
}

async function calcOnce(options: CalcOptions, io: Io): Promise<number> {
  if (options.capacity !== undefined) throw new AppError('INVALID_INPUT', '--capacity is only for --ladder.');
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
    ['Draw', drawText(result, draws)],
    ['Nearest mark', markText(result)],
    ...(result.dosesPerVial === null ? [] : [['Doses per vial', String(result.dosesPerVial)]]),
    ...(result.costPerDoseText === undefined ? [] : [['Cost per dose', result.costPerDoseText]]),
    ...resultNotes(result).map((note) => ['Note', note]),
    ...(result.doseOf === undefined
      ? []
      : result.components.map((part) => componentRow(part, result.amountUnit))),
    ...result.formula.map(({ name, numbers, result: value }) => [name, `${numbers} = ${value}`]),
    ...result.warnings.map(({ message }) => ['Warning', message]),
  ];
  const lines = columnsText(rows).trimEnd().split('\n');
  const firstWarning = lines.length - result.warnings.length;
  const shown = lines.map((line, at) => (at < firstWarning ? line : yellow(line)));
  return `${bold(result.summary)}\n\n${shown.join('\n')}\n\n${RESEARCH_NOTICE}\n`;
}

/** "10 units = 0.100 ml (U-100 1 ml syringe)", "5 clicks = 0.050 ml", "2 capsules". */
function drawText(result: CalculationResult, draws: string): string {
  const { form, injectionVolumeText: ml, nearestMark, syringe, unitsText } = result;
  const count = countUnits(unitsText, '', nearestMark.noun);
  if (form === 'capsule') return count;
  if (form === 'pen' || form === 'spray') return `${count} = ${ml} ml`;
  const volume = nearestMark.noun === 'ml' ? `${ml} ml` : `${count} = ${ml} ml`;
  return `${volume} (${syringe.label} syringe${draws})`;
}

const componentRow = (
  { name = '', amountText, concentrationText, doseWithUnit }: ComponentFigures,
  unit: SubstanceUnit,
): readonly string[] => [
  'In this draw',
  `${doseWithUnit} ${name} (${amountText} ${unit} in the vial, ${concentrationText} ${unit}/ml)`,
];

function markText({ nearestMark }: CalculationResult): string {
  const { unitsText, deliveredDoseWithUnit, errorPercentText, noun } = nearestMark;
  const sign = errorPercentText.startsWith('-') ? '' : '+';
  const off = errorPercentText === '0' ? 'exact' : `${sign}${errorPercentText}%`;
  const deliver = unitsText === '1' && noun !== 'unit' ? 'delivers' : 'deliver';
  const count = noun === 'unit' ? `${figureText(unitsText)} units` : countUnits(unitsText, '', noun);
  return `${count} ${deliver} ${deliveredDoseWithUnit} (${off})`;
}
