import Big from 'big.js';

/**
 * The decimal numbers of this product: a constructor of our own, so that nobody else's settings reach it.
 * Sums and products are exact. A quotient is not: keep it as a `Ratio` and round that once, for display.
 */
export const Decimal: Big.BigConstructor = Big();
Decimal.DP = 40;
Decimal.RM = Big.roundHalfUp;
// Plain notation always: `toString` must never print an exponent.
Decimal.NE = -1e6;
Decimal.PE = 1e6;

export type Decimal = Big;
