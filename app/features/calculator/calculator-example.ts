import { calculate } from '#app/domain/calculator/calculate.ts';
import { parseCalculationForm } from '#app/domain/calculator/calculation-schema.ts';

const FIELDS = { peptideAmount: '5', waterVolume: '2', desiredDose: '250', desiredDoseUnit: 'mcg' };

/** What the empty public calculator shows in the place of a result, computed like every other one. */
export function calculatorExample() {
  const search = new URLSearchParams(FIELDS);
  const parsed = parseCalculationForm(search);
  if (!parsed.ok) throw new Error('the example of the calculator is not valid');
  return {
    words: `${FIELDS.peptideAmount} mg in ${FIELDS.waterVolume} ml, ${FIELDS.desiredDose} ${FIELDS.desiredDoseUnit} a dose`,
    result: calculate(parsed.input),
    href: `/calculator?${search.toString()}`,
  };
}
