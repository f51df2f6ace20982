import type { CalculationResult } from '#app/domain/calculator/calculation.ts';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import type { Io } from '../io.ts';
import { paint } from '../output.ts';

const LABEL_WIDTH = 18;

const row = (label: string, text: string): string => `${label.padEnd(LABEL_WIDTH)}${text}\n`;

function markText({ nearestMark }: CalculationResult): string {
  const { unitsText, deliveredDoseWithUnit, errorPercentText } = nearestMark;
  const sign = errorPercentText.startsWith('-') ? '' : '+';
  const off = errorPercentText === '0' ? 'exact' : `${sign}${errorPercentText} %`;
  return `${unitsText} units deliver ${deliveredDoseWithUnit} (${off})`;
}

/** A result for a terminal: the line to copy, then the figures one by one, the arithmetic and the warnings. */
export function resultText(result: CalculationResult, io: Io): string {
  const { bold, yellow } = paint(io);
  const draws = result.drawsNeeded > 1 ? `, ${result.drawsNeeded} draws` : '';
  const formula = result.formula.map(({ name, numbers, result: value }) =>
    row(name, `${numbers} = ${value}`),
  );
  const warnings = result.warnings.map(({ message }) => yellow(row('Warning', message)));
  return [
    `${bold(result.summary)}\n\n`,
    row(
      'Draw',
      `${result.unitsText} units = ${result.injectionVolumeText} ml (${result.syringe.label} syringe${draws})`,
    ),
    row('Nearest mark', markText(result)),
    row('Doses per vial', String(result.dosesPerVial)),
    ...formula,
    ...warnings,
    `\n${RESEARCH_NOTICE}\n`,
  ].join('');
}
