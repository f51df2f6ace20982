import { Decimal } from '#app/domain/decimal/decimal.ts';
import { MAX_COMPONENTS, type TypedComponent, typedComponents, isBlankRow } from './components.ts';

/** A blend as it is commonly sold. */
export interface CommonBlend {
  readonly id: string;
  readonly components: readonly TypedComponent[];
  /** As vendors state it, such as "5:1:1". */
  readonly proportion: string;
}

/** Where the proportions come from. */
export const BLENDS_SOURCE = 'Vendor labels, which vary';

const blend = (id: string, parts: Readonly<Record<string, string>>, proportion: string): CommonBlend => ({
  id,
  components: Object.entries(parts).map(([name, amount]) => ({ name, amount })),
  proportion,
});

/** The common blends in typical amounts, in mg, which users can change. Source: `BLENDS_SOURCE`. */
export const COMMON_BLENDS: readonly CommonBlend[] = [
  blend('bpc-tb-5', { 'BPC-157': '5', 'TB-500': '5' }, '1:1'),
  blend('bpc-tb-10', { 'BPC-157': '10', 'TB-500': '10' }, '1:1'),
  blend('cjc-ipamorelin', { 'CJC-1295 without DAC': '5', Ipamorelin: '5' }, '1:1'),
  blend('ghk-bpc-tb', { 'GHK-Cu': '50', 'BPC-157': '10', 'TB-500': '10' }, '5:1:1'),
  blend('ghk-bpc-tb-kpv', { 'GHK-Cu': '50', 'BPC-157': '10', 'TB-500': '10', KPV: '10' }, '5:1:1:1'),
  blend('tesamorelin-ipamorelin', { Tesamorelin: '10', Ipamorelin: '5' }, '2:1, others differ'),
  blend('sermorelin-ipamorelin', { Sermorelin: '5', Ipamorelin: '5' }, '1:1'),
];

/** "BPC-157 + TB-500: 5 + 5 = 10 mg". */
export function blendLabel({ components }: CommonBlend): string {
  const sum = components.reduce((all, { amount }) => all.plus(amount), new Decimal(0)).toFixed();
  const names = components.map(({ name }) => name).join(' + ');
  return `${names}: ${components.map(({ amount }) => amount).join(' + ')} = ${sum} mg`;
}

/** The name of the buttons that change the form's component rows without calculating. */
export const ROWS_BUTTON = 'blend';

const EMPTY_ROW: TypedComponent = { name: '', amount: '' };

/** A single peptide as the first row of a blend; an empty row if nothing was entered. */
const singleAsRow = (search: URLSearchParams): TypedComponent => ({
  name: search.get('peptideName') ?? '',
  amount: search.get('peptideAmount') ?? '',
});

/** The rows after pressing a button, by its value; null for an unknown value. */
function rowsAfter(
  pressed: string,
  rows: readonly TypedComponent[],
  search: URLSearchParams,
): readonly TypedComponent[] | null {
  if (pressed === 'add') {
    const begun = rows.length === 0 ? [singleAsRow(search)] : rows;
    return begun.length < MAX_COMPONENTS ? [...begun, EMPTY_ROW] : begun;
  }
  const removed = /^remove-([1-7])$/.exec(pressed)?.[1];
  if (removed !== undefined) return rows.filter((_row, at) => at !== Number(removed) - 1);
  return COMMON_BLENDS.find(({ id }) => id === pressed)?.components ?? null;
}

/** The row that the dose is for after pressing a button: it follows its row, or returns to the first if that is removed. */
function dosedAfter(pressed: string, doseOf: string | null): string | null {
  const row = Number(doseOf);
  const removed = /^remove-([1-7])$/.exec(pressed)?.[1];
  if (doseOf === null || removed === undefined || !/^[1-7]$/.test(doseOf) || row < Number(removed))
    return pressed === 'add' || removed !== undefined ? doseOf : null;
  return row === Number(removed) ? null : String(row - 1);
}

/**
 * The calculator's fields after pressing a button that adds, removes or fills in component rows. A blend with fewer than
 * two components left becomes a single peptide again.
 * @returns null when no such button was pressed
 */
export function withRowsChanged(sent: URLSearchParams): URLSearchParams | null {
  const pressed = sent.get(ROWS_BUTTON);
  if (pressed === null) return null;
  const rows = rowsAfter(pressed, typedComponents(sent), sent);
  const search = new URLSearchParams(sent);
  search.delete(ROWS_BUTTON);
  if (rows === null) return search;
  for (const name of ['components', 'componentName', 'componentAmount', 'peptideAmount', 'doseOf'])
    search.delete(name);
  if (rows.length < 2) {
    const [{ name, amount } = EMPTY_ROW] = rows;
    if (amount.trim() !== '') search.set('peptideAmount', amount);
    if (name.trim() !== '') search.set('peptideName', name);
    return search;
  }
  const first = rows[0];
  // The name of the first peptide is not the name of the blend.
  if (first !== undefined && !isBlankRow(first) && search.get('peptideName') === first.name)
    search.delete('peptideName');
  for (const { name, amount } of rows) {
    search.append('componentName', name);
    search.append('componentAmount', amount);
  }
  const doseOf = dosedAfter(pressed, sent.get('doseOf'));
  if (doseOf !== null) search.set('doseOf', doseOf);
  return search;
}
