/** The sums that the usage statistics are made of. */
export interface StatisticsSource {
  total: number;
  /** Different compound names; capitals make no difference. */
  names: number;
  lastWeek: number;
  /** Sum of the concentrations in mg/ml: whole part, and the rest in 10^-9. */
  concentrationWhole: number;
  concentrationNano: number;
}

/** The usage statistics panel (specification, section 2). */
export interface UsageStatistics {
  totalCalculations: number;
  uniqueCompounds: number;
  /** Made in the last seven days. */
  lastSevenDays: number;
  /** mg/ml, rounded half-up to 2 decimals; null without a calculation. */
  averageConcentration: number | null;
  /** The same with both decimals ("2.50"); null without a calculation. */
  averageConcentrationText: string | null;
}

/** Half-up division of whole numbers that are not negative. */
function divideRounded(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor);
}

/**
 * The mean of concentrations in hundredths of mg/ml. Each concentration in the sum is off by at most half of 10^-9, so
 * the mean is first rounded to 7 decimals: a mean that is exactly between two hundredths must round up, not fall
 * below for an error of the last digit.
 */
function meanInHundredths(source: StatisticsSource): bigint {
  const sum = BigInt(source.concentrationWhole) * 1_000_000_000n + BigInt(source.concentrationNano);
  const tenMillionths = divideRounded(sum, BigInt(source.total) * 100n);
  return divideRounded(tenMillionths, 100_000n);
}

/** The figures of the panel from the sums. */
export function summarise(source: StatisticsSource): UsageStatistics {
  const counts = {
    totalCalculations: source.total,
    uniqueCompounds: source.names,
    lastSevenDays: source.lastWeek,
  };
  if (source.total <= 0) return { ...counts, averageConcentration: null, averageConcentrationText: null };
  const hundredths = meanInHundredths(source).toString().padStart(3, '0');
  const text = `${hundredths.slice(0, -2)}.${hundredths.slice(-2)}`;
  return { ...counts, averageConcentration: Number(text), averageConcentrationText: text };
}
