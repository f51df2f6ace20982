export { Decimal } from './decimal.ts';
export { nearestDouble } from './double.ts';
export { ceil, compareTo, fixedText, floor, ratio, readableText, shortText, type Ratio } from './ratio.ts';
export { decimalTextOfNumber, MAX_DECIMAL_LENGTH, plainText, readDecimalText } from './text.ts';
