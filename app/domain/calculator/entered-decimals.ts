import { Decimal } from '#app/domain/decimal/decimal.ts';
import { massInMg } from '#app/domain/units/mass.ts';
import type { CalculationDraft } from './calculation.ts';

/** The numbers of a calculation as decimals: mg, ml and µl/mg. What was not entered is undefined. */
export interface Entered {
  readonly amount: Decimal | undefined;
  readonly water: Decimal | undefined;
  readonly dose: Decimal | undefined;
  readonly draw: Decimal | undefined;
  readonly displacement: Decimal;
}

const NONE = new Decimal(0);

const decimalOf = (text: string | undefined): Decimal | undefined =>
  text === undefined ? undefined : new Decimal(text);

/** Turns the texts of a calculation into decimals. */
export function entered(draft: CalculationDraft): Entered {
  const { desiredDose } = draft;
  return {
    amount: decimalOf(draft.peptideAmount),
    water: decimalOf(draft.waterVolume),
    dose: desiredDose === undefined ? undefined : massInMg(desiredDose, draft.desiredDoseUnit),
    draw: decimalOf(draft.drawVolume),
    displacement: draft.displacement === '0' ? NONE : new Decimal(draft.displacement),
  };
}
