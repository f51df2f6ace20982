import { fixedText, readableText } from '#app/domain/decimal/rounded-text.ts';
import { ratio, type Ratio } from '#app/domain/decimal/ratio.ts';
import { Decimal } from '#app/domain/decimal/decimal.ts';

/** Currencies offered first; any other code of ISO 4217 may be entered. */
export const COMMON_CURRENCIES = ['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'CHF', 'CNY'] as const;

/** The code without blanks and in capitals when it has the shape of ISO 4217 ("usd" is "USD"); else null. */
export function currencyCode(text: string): string | null {
  const code = text.trim().toUpperCase();
  return /^[A-Z]{3}$/.test(code) ? code : null;
}

/** An amount of money with its currency, two decimals or, for tiny amounts, as many as it needs: "49.90 USD". */
export function shownMoney(amount: Ratio<'money'>, currency: string): string {
  const tiny = amount.n > 0n && amount.n * 100n < amount.d;
  return `${tiny ? readableText(amount) : fixedText(amount, 2)} ${currency}`;
}

/** The same for an amount as entered. */
export function shownPrice(price: string, currency: string): string {
  return shownMoney(ratio<'money'>(new Decimal(price)), currency);
}

/** The exact sum of `quantity × price` of lines, which all are of one currency. */
export function orderTotal(lines: readonly { quantity: number; price: string }[]): Ratio<'money'> {
  const sum = lines.reduce(
    (total, { quantity, price }) => total.plus(new Decimal(price).times(quantity)),
    new Decimal(0),
  );
  return ratio<'money'>(sum);
}
