import type { CalculationInput } from '#app/domain/calculator/calculation.ts';
import { saveCalculation } from '#app/features/calculator/calculations.server.ts';
import type { HistoryEntry } from '#app/domain/calculator/history.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

/** A valid calculation: 5 mg in 2 ml, 250 mcg drawn. */
export function calculation(more: Partial<CalculationInput> = {}): CalculationInput {
  return {
    solveFor: 'volume',
    peptideAmount: '5',
    waterVolume: '2',
    desiredDose: '250',
    desiredDoseUnit: 'mcg',
    syringe: 'u100-1ml',
    displacement: '0',
    ...more,
  };
}

/** Saves calculations one after the other. */
export async function saveAll(ctx: Ctx, inputs: Partial<CalculationInput>[]): Promise<HistoryEntry[]> {
  const saved: HistoryEntry[] = [];
  for (const input of inputs) saved.push(await saveCalculation(ctx, calculation(input)));
  return saved;
}
