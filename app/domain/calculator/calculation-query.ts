import { Decimal } from '#app/domain/decimal/decimal.ts';
import { isLiquid, syringeIdOf, type CalculationInput } from './calculation.ts';
import { componentsText } from './components.ts';

/** What the calculator's form has for a solution: concentration and volume, if their product is exactly the amount. */
function contentOf({
  form = 'powder',
  peptideAmount,
  waterVolume,
}: CalculationInput): Record<string, string> {
  if (!isLiquid(form) || waterVolume === undefined) return {};
  const concentration = new Decimal(peptideAmount).div(waterVolume);
  if (!concentration.times(waterVolume).eq(peptideAmount)) return {};
  return { concentration: concentration.toFixed(), containerVolume: waterVolume };
}

/**
 * A calculation as the calculator's address has it, without notes: short enough for a QR code, and without what a page sends
 * along unused. `parseCalculationForm` reads the same calculation from it.
 */
export function calculationQuery(input: CalculationInput): URLSearchParams {
  const { notes: _notes, components, peptideAmount, waterVolume, displacement, syringe, ...rest } = input;
  const content = contentOf(input);
  const isByConcentration = 'concentration' in content;
  const fields = {
    ...rest,
    syringe: syringeIdOf(syringe),
    ...(components === undefined
      ? isByConcentration
        ? {}
        : { peptideAmount }
      : { components: componentsText(components) }),
    ...(isByConcentration ? content : { waterVolume }),
    displacement: displacement === '0' ? undefined : displacement,
  };
  const sent = Object.entries(fields).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return new URLSearchParams(sent);
}
