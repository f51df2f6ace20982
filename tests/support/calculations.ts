import { calculateFigures } from '#app/domain/calculator/calculate.ts';
import type { CalculationInput } from '#app/domain/calculator/calculation.ts';
import { saveCalculation } from '#app/features/calculator/calculations.server.ts';
import type { HistoryEntry } from '#app/domain/calculator/history.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { toRow } from '#models/calculator/calculation.server.ts';
import { testConnection, type TestDatabase } from './database.ts';

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

/** Rows written at once. */
const SEEDED_AT_ONCE = 2000;

/** Stores many saved calculations directly, bypassing operations, for tests where only their number matters. */
export async function seedCalculations(
  database: TestDatabase,
  userId: string,
  count: number,
  { signInId = null, ...input }: Partial<CalculationInput> & { signInId?: string | null } = {},
): Promise<void> {
  const rows = testConnection(database).collection<ReturnType<typeof toRow>>('calculations');
  const read = calculation(input);
  const { concentration, injectionVolume } = calculateFigures(read);
  const figures = { userId, signInId, input: read, concentration, injectionVolume };
  for (let from = 0; from < count; from += SEEDED_AT_ONCE) {
    const batch = Array.from({ length: Math.min(SEEDED_AT_ONCE, count - from) }, (_, index) => {
      const id = `calc_${userId}_${String(from + index).padStart(9, '0')}`;
      return toRow({ ...figures, id, saveKey: id, createdAt: new Date(1_700_000_000_000 + from + index) });
    });
    await rows.insertMany(batch);
  }
}
