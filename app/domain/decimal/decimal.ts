import Big from 'big.js';

/**
 * The decimal numbers of this product: a constructor of our own, so that nobody else's settings reach it.
 * Sums and products are exact. A quotient keeps 40 decimals and is cut, never rounded: rounding half-up looks at one
 * digit only, so rounding the cut quotient for display equals rounding the exact one.
 */
export const Decimal: Big.BigConstructor = Big();
Decimal.DP = 40;
Decimal.RM = Big.roundDown;
// Plain notation always: `toString` must never print an exponent.
Decimal.NE = -1e6;
Decimal.PE = 1e6;

export type Decimal = Big;
