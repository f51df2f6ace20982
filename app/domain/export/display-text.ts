/** Distance from a rounding boundary, in units of the last shown digit, within which a double may be on the wrong side. */
const DOUBTFUL = 1e-6;
/** Up to here a double's own error is far smaller than that distance. */
const LARGEST = 1e7;

/**
 * Half-up text of a value whose nearest double is known, when the double suffices to tell: rounding can only go wrong
 * when the value is next to the middle between two texts.
 * @param double nearest to the exact value, not negative
 * @returns null when the exact value has to be asked
 */
export function certainText(double: number, decimals: number): string | null {
  const scaled = double * 10 ** decimals;
  if (!(scaled < LARGEST)) return null;
  const rest = scaled - Math.floor(scaled);
  return Math.abs(rest - 0.5) < DOUBTFUL ? null : double.toFixed(decimals);
}
