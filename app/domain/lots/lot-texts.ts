import { Decimal, fixedText, plainText, ratio } from '#app/domain/decimal/decimal.ts';
import { isAmount } from '#app/domain/calculator/solve.ts';
import { plural } from '#app/domain/text/plural.ts';
import { shownDay } from '#app/domain/time/calendar.ts';
import { figureText } from '#app/domain/decimal/figure-text.ts';
import type { SubstanceUnit } from '#app/domain/calculator/calculation.ts';
import { type Vial, expiryOf, formOf, measureOf } from '#app/domain/vials/vial.ts';
import { vialRow, remainingOf, type VialRow } from '#app/domain/vials/vial-texts.ts';
import type { LotIdentity } from './lot.ts';
import type { Certificate, LotDetails } from './lot-schema.ts';

/** A lot as pages and the API show it. */
export interface LotFacts extends LotIdentity, LotDetails {
  id: string;
  supplierName: string | null;
}

type Held = Pick<Vial, 'totalAmount' | 'remaining'> & Partial<Pick<Vial, 'amountUnit'>>;

/** What the vials of a lot are measured in. */
export const measureOfLot = ([first]: readonly Held[]): SubstanceUnit => measureOf(first ?? {});

/** The total of a lot's vials when full, and what is left in them: decimal text in the unit of the first. */
export function amountsOf(all: readonly Held[]): { totalMg: string; leftMg: string } {
  const vials = all.filter((vial) => measureOf(vial) === measureOfLot(all));
  const sum = (amounts: readonly string[]) =>
    amounts.reduce((total, amount) => total.plus(amount), new Decimal(0)).toFixed();
  return {
    totalMg: sum(vials.map(({ totalAmount }) => totalAmount)),
    leftMg: sum(vials.map((vial) => remainingOf(vial).left)),
  };
}

/** Compares the measured content with the printed amount: "2.4% more than printed"; null without a measurement. */
export function contentDifference(netContentMg: string | null, printedMg: string): string | null {
  if (netContentMg === null) return null;
  const change = new Decimal(netContentMg).minus(printedMg);
  if (change.eq(0)) return 'as printed';
  const percent = fixedText(ratio(change.abs().times(100), new Decimal(printedMg)), 1);
  const size = Number(percent) === 0 ? 'under 0.1%' : `${figureText(percent)}%`;
  return `${size} ${change.lt(0) ? 'less' : 'more'} than printed`;
}

/** A vial with the measured content of its lot, for the calculator. Serialisable. */
export interface MeasuredVialTexts {
  name: string;
  unit: SubstanceUnit;
  printedMg: string;
  measuredMg: string;
  /** "2.4% more than printed" */
  difference: string;
  waterMl: string | null;
  /** µl per mg of powder; null if 0. */
  displacement: string | null;
}

/**
 * Initial values of a calculation with a vial's measured content.
 * @returns null if its lot was not measured, if it is a blend, or if it holds more than the calculator accepts
 */
export function measuredVial(
  { netContentMg }: Pick<Certificate, 'netContentMg'>,
  vial: Pick<
    Vial,
    'name' | 'totalAmount' | 'waterMl' | 'displacement' | 'components' | 'form' | 'amountUnit'
  >,
): MeasuredVialTexts | null {
  const difference = contentDifference(netContentMg, vial.totalAmount);
  // One figure does not say how much of each component a blend contains.
  if (netContentMg === null || difference === null || vial.components !== undefined) return null;
  if (formOf(vial) !== 'powder') return null;
  const unit = measureOf(vial);
  const [printedMg, measuredMg] = [plainText(vial.totalAmount), plainText(netContentMg)];
  if (unit === 'mg' && (!isAmount(printedMg) || !isAmount(measuredMg))) return null;
  const { name, waterMl, displacement } = vial;
  return {
    name,
    unit,
    printedMg,
    measuredMg,
    difference,
    waterMl,
    displacement: displacement === '0' ? null : displacement,
  };
}

const lotExpiry = ({ expirationDate }: Pick<LotFacts, 'expirationDate'>, today: string) =>
  expiryOf({ expirationDate, reconstitutionDate: null }, today);

/** A warning about the expiry date of a lot, which applies to its sealed vials. */
export interface LotWarning {
  state: 'soon' | 'past';
  lastDay: string;
  message: string;
}

/** @returns null if the date is further away or none of its vials is sealed */
export function lotWarning(
  lot: Pick<LotFacts, 'number' | 'product' | 'expirationDate'>,
  vials: readonly Pick<Vial, 'status'>[],
  today: string,
): LotWarning | null {
  const { state, lastDay } = lotExpiry(lot, today);
  if (lastDay === null || (state !== 'soon' && state !== 'past')) return null;
  if (vials.every(({ status }) => status !== 'sealed')) return null;
  const what = `Sealed vials of lot ${lot.number} (${lot.product})`;
  const message =
    state === 'past'
      ? `${what} are past their date (${shownDay(lastDay)}).`
      : `${what} can be used until ${shownDay(lastDay)}.`;
  return { state, lastDay, message };
}

/** Shown for what a certificate does not state. */
export const NOT_TESTED = 'Not stated';

/** True if purity, content or identity has been entered. */
export const hasCertificate = (lot: Certificate): boolean =>
  lot.purityPercent !== null || lot.netContentMg !== null || lot.identityMethod !== null;

/**
 * Purity, content and identity, always all three.
 * @param printedMg the amount printed on all its vials; null if they differ
 * @param unit of its vials
 */
export function certificateFacts(
  lot: Certificate,
  printedMg: string | null,
  unit: SubstanceUnit,
): (readonly [label: string, text: string])[] {
  const { purityPercent, netContentMg, identityMethod } = lot;
  const difference = printedMg === null ? null : contentDifference(netContentMg, printedMg);
  const content =
    netContentMg === null
      ? NOT_TESTED
      : `${figureText(netContentMg)} ${unit} in a vial${difference === null ? '' : `, ${difference}`}`;
  return [
    ['Purity', purityPercent === null ? NOT_TESTED : `${figureText(purityPercent)}% of the peptide mass`],
    ['Net content', content],
    ['Identity', identityMethod === null ? NOT_TESTED : `tested by ${identityMethod}`],
  ];
}

/** The amount printed on a lot's vials; null if they differ or there are none. */
export function printedAmount(vials: readonly Pick<Vial, 'totalAmount'>[]): string | null {
  const [first, ...others] = vials;
  if (first === undefined) return null;
  return others.every(({ totalAmount }) => new Decimal(totalAmount).eq(first.totalAmount))
    ? first.totalAmount
    : null;
}

/** A lot in the list, as text. Serialisable. */
export interface LotRow {
  id: string;
  number: string;
  product: string;
  supplier: string | null;
  /** "3 vials", "No vials" */
  vials: string;
  /** "12.5 mg of 15 mg"; null without vials. */
  left: string | null;
  /** It has expired, or expires within 7 days. */
  isPast: boolean;
  isSoon: boolean;
  expires: string | null;
  /** One sentence about its date while it has sealed vials; null if there is nothing to warn about. */
  warning: string | null;
  hasCertificate: boolean;
}

/** @param today in the owner's zone */
export function lotRow(lot: LotFacts, vials: readonly Vial[], today: string): LotRow {
  const { totalMg, leftMg } = amountsOf(vials);
  const unit = measureOfLot(vials);
  const { state } = lotExpiry(lot, today);
  const { id, number, product, supplierName, expirationDate } = lot;
  return {
    id,
    number,
    product,
    supplier: supplierName,
    vials: vials.length === 0 ? 'No vials' : plural(vials.length, 'vial'),
    left: vials.length === 0 ? null : `${figureText(leftMg)} ${unit} of ${figureText(totalMg)} ${unit}`,
    isPast: state === 'past',
    isSoon: state === 'soon',
    warning: lotWarning(lot, vials, today)?.message ?? null,
    expires: expirationDate === null ? null : shownDay(expirationDate),
    hasCertificate: hasCertificate(lot),
  };
}

/** Everything that a lot's page shows. Serialisable. */
export interface LotDetail extends LotRow {
  facts: (readonly [label: string, text: string])[];
  certificate: (readonly [label: string, text: string])[];
  reportUrl: string | null;
  notes: string | null;
  vialRows: VialRow[];
}

/** @param today in the owner's zone */
export function lotDetail(lot: LotFacts, vials: readonly Vial[], today: string): LotDetail {
  const { laboratory, testedOn, reportKey, reportUrl, supplierName, expirationDate, notes } = lot;
  const textsOf = (pairs: readonly (readonly [string, string | null])[]) =>
    pairs.flatMap(([label, text]) => (text === null ? [] : [[label, text] as const]));
  return {
    ...lotRow(lot, vials, today),
    facts: textsOf([
      ['Supplier', supplierName],
      ['Expires', expirationDate === null ? null : shownDay(expirationDate)],
    ]),
    certificate: [
      ...certificateFacts(lot, printedAmount(vials), measureOfLot(vials)),
      ...textsOf([
        ['Laboratory', laboratory],
        ['Tested', testedOn === null ? null : shownDay(testedOn)],
        ['Report key', reportKey],
      ]),
    ],
    reportUrl,
    notes,
    vialRows: vials.map((vial) => vialRow(vial, today)),
  };
}
