export { Decimal } from './decimal.ts';
export { nearestDouble } from './double.ts';
export { ceil, compare, difference, floor, product, quotient, ratio, type Ratio } from './ratio.ts';
export { exactText, fixedText, readableText, shortText } from './rounded-text.ts';
export { decimalTextOfNumber, doubleText, MAX_DECIMAL_LENGTH, plainText, readDecimalText } from './text.ts';
