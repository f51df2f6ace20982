import { Calculator, type CalculatorProps } from '#app/features/calculator/calculator.tsx';
import { calculate } from '#app/domain/calculator/calculate.ts';
import type { CalculationResult } from '#app/domain/calculator/calculation.ts';
import { parseCalculationForm } from '#app/domain/calculator/calculation-schema.ts';
import { renderPage } from './render-page.tsx';

export type Query = Readonly<Record<string, string>>;

/** 5 mg in 2 ml, 250 mcg: 10 units, 0.100 ml. */
export const FIVE_IN_TWO: Query = {
  peptideAmount: '5',
  waterVolume: '2',
  desiredDose: '250',
  desiredDoseUnit: 'mcg',
};

export function resultOf(query: Query): CalculationResult {
  const parsed = parseCalculationForm(query);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.fields));
  return calculate(parsed.input);
}

/** The calculator, as the server renders a query. */
export function renderCalculator(query: Query, props: Partial<CalculatorProps> = {}): string {
  const parsed = parseCalculationForm(query);
  const asked = Object.keys(query).length > 0;
  return renderPage(
    <Calculator
      action="/calculator"
      values={parsed.values}
      result={asked && parsed.ok ? calculate(parsed.input) : null}
      errors={asked && !parsed.ok ? parsed.fields : null}
      save={{ kind: 'offer' }}
      {...props}
    />,
  );
}
