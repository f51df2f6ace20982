import { calculate } from '#app/domain/calculator/calculate.ts';
import type { CalculationInput } from '#app/domain/calculator/calculation.ts';
import { isAppError } from '#app/domain/errors.ts';
import { RESEARCH_TABLE } from '#app/domain/calculator/research-table.ts';
import { parseCalculationForm } from '#app/domain/calculator/calculation-schema.ts';
import type { VialFormValues } from '#app/domain/vials/vial-schema.ts';
import { calendarDay } from '#app/domain/time/days.ts';
import { getCalculation } from '#app/features/calculator/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

const NEW_PATH = '/dashboard/vials/new';

const slug = (name: string): string => name.toLowerCase();

/** The compounds of the research table to start from. */
export const VIAL_TEMPLATES = RESEARCH_TABLE.map(({ compound }) => ({
  name: compound,
  href: `${NEW_PATH}?template=${slug(compound)}`,
}));

function fromTemplate(name: string): VialFormValues | null {
  const row = RESEARCH_TABLE.find(({ compound }) => slug(compound) === name);
  return row === undefined ? null : { name: row.compound, totalAmount: row.vial.replace(' mg', '') };
}

/** A calculation as a vial that is reconstituted today. */
function fromCalculation(input: CalculationInput, day: string): VialFormValues {
  const { peptideAmountText, waterVolumeText, displacementText, peptideName, notes } = calculate(input);
  return {
    ...(peptideName === undefined ? {} : { name: peptideName }),
    totalAmount: peptideAmountText,
    waterMl: waterVolumeText,
    ...(displacementText === '0' ? {} : { displacement: displacementText }),
    ...(notes === undefined ? {} : { notes }),
    reconstitutionDate: day,
  };
}

async function fromSaved(ctx: Ctx, id: string): Promise<CalculationInput | null> {
  try {
    return await getCalculation(ctx, id);
  } catch (error) {
    if (isAppError(error) && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}

/**
 * What the form of a new vial begins with: a saved calculation (`from`), the calculator's own fields, a template, or
 * nothing. An address that makes no sense is the empty form.
 */
export async function newVialValues(ctx: Ctx, search: URLSearchParams): Promise<VialFormValues> {
  const day = calendarDay(ctx.now(), ctx.timeZone);
  const saved = search.get('from');
  const input = saved === null ? null : await fromSaved(ctx, saved);
  if (input !== null) return fromCalculation(input, day);
  const parsed = search.has('peptideAmount') ? parseCalculationForm(search) : null;
  if (parsed?.ok) return fromCalculation(parsed.input, day);
  return fromTemplate(search.get('template') ?? '') ?? {};
}
