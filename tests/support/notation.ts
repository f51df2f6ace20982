/** A notation that the Institute for Safe Medication Practices lists as error-prone. */
interface ErrorProne {
  readonly why: string;
  readonly pattern: RegExp;
}

const UNIT = String.raw`(?:mg\/ml|mg|mcg|ml|units?)\b`;

const ERROR_PRONE: readonly ErrorProne[] = [
  {
    why: 'a zero at the end, whose point is easily overlooked',
    pattern: new RegExp(String.raw`(?<![\d.,])\d[\d,]*\.\d*0[  ]?${UNIT}`, 'g'),
  },
  {
    why: 'no zero before the point, which is easily overlooked',
    pattern: new RegExp(String.raw`(?<![\d.,\w])\.\d+[  ]?${UNIT}`, 'g'),
  },
  {
    why: 'thousands without a separator',
    pattern: new RegExp(String.raw`(?<![\d.,\-–])\d{4,}(?:\.\d+)?[  ]?${UNIT}`, 'g'),
  },
  { why: 'a micro sign, which is read as m', pattern: /\d[  ]?[µμ]g\b/g },
  // Not IU, the measure of a substance: the product owner decided to write it, and never for the marks of a syringe.
  { why: 'a unit cut short, which is read as a zero', pattern: /\d[  ]?(?:U|u|iu|cc)\b(?!-)/g },
];

/**
 * Finds error-prone notations in a text.
 * @param text as a reader sees it
 * @param fixed texts that are fixed by the specification
 */
export function errorProne(text: string, fixed: readonly RegExp[] = []): string[] {
  const open = fixed.reduce((rest, pattern) => rest.replace(pattern, ' … '), text);
  return ERROR_PRONE.flatMap(({ why, pattern }) =>
    [...open.matchAll(pattern)].map(
      ({ 0: found, index }) => `${open.slice(Math.max(0, index - 40), index + found.length + 10)} (${why})`,
    ),
  );
}
