import { Decimal } from '../decimal/index.ts';
import { type Quantity } from './quantity.ts';

/** Decimal text in mg of a mass in mg or mcg. Exact: 1 mcg is 0.001 mg. */
export function textInMg({ text, unit }: Quantity<'mg' | 'mcg'>): string {
  return unit === 'mcg' ? new Decimal(text).times('0.001').toFixed() : text;
}
