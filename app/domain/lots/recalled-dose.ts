import { Decimal, sum, type Ratio } from '#app/domain/decimal/decimal.ts';
import {
  blendOfDose,
  doseWords,
  partAmount,
  partsOfDose,
  partText,
  componentDoses,
  type Blend,
  type ComponentDose,
} from '#app/domain/vials/contents.ts';
import { plural } from '#app/domain/text/plural.ts';
import { vialNameKey } from '#app/domain/vials/vial.ts';
import type { DoseStatus } from '#app/domain/doses/dose.ts';
import { substanceUnitOf, type DoseUnit, type SubstanceUnit } from '#app/domain/calculator/calculation.ts';

/** The fields of a dose that a recall uses; amounts are decimal text. */
interface RecalledFields {
  id: string;
  scheduleId: string | null;
  name: string;
  dueDate: Date;
  status: DoseStatus;
  takenAt: Date | null;
  doseAmount: string;
  actualDose: string | null;
  doseUnit: DoseUnit;
  draws: readonly { compoundId: string; mg: string }[];
  /** The blend in its plan; absent for a single peptide. */
  blend?: Blend | null | undefined;
  /** The blend that it was drawn from; absent for a single peptide. */
  drawn?: Blend | null;
  site: string | null;
  notes: string | null;
}

/** A dose that came from a lot. */
export interface RecalledDose<D extends RecalledFields = RecalledFields> {
  dose: D;
  /** Decimal text, the mg that came from the lot's vials. */
  mg: string;
}

/** What came from a lot, as far as it can be added up. */
interface TakenAmount {
  dose: Pick<RecalledFields, 'name' | 'doseUnit' | 'drawn'>;
  mg: string;
}

/** How much of each component of a dose came from the lot. */
const lotParts = ({ dose, mg }: TakenAmount): readonly ComponentDose[] =>
  componentDoses(dose.name, new Decimal(mg), dose.drawn);

/** The exact total of one component. */
interface TakenPart {
  readonly name: string;
  readonly unit: SubstanceUnit;
  readonly mg: Ratio<'mg'>;
}

/** The total taken from a lot. */
export interface TakenFromLot {
  doses: number;
  /** The exact total of each component, in order of first appearance. */
  parts: readonly TakenPart[];
}

/** Adds up what was taken from a lot, dose by dose. */
export function lotSum(): { add(dose: TakenAmount): void; sum(): TakenFromLot } {
  let doses = 0;
  const parts = new Map<string, TakenPart>();
  return {
    add(dose) {
      doses += 1;
      for (const { name, mg } of lotParts(dose)) {
        const unit = substanceUnitOf(dose.dose.doseUnit);
        const key = `${unit} ${vialNameKey(name)}`;
        const before = parts.get(key);
        parts.set(key, before === undefined ? { name, unit, mg } : { ...before, mg: sum(before.mg, mg) });
      }
    },
    sum: () => ({ doses, parts: [...parts.values()] }),
  };
}

/** "3 doses, 0.75 mg in all"; for a blend "3 doses, BPC-157 0.75 mg + TB-500 0.75 mg in all". */
export function takenText({ doses, parts }: TakenFromLot): string {
  if (doses === 0) return 'Nothing yet';
  const amounts = parts.map(
    (part) => `${parts.length > 1 ? `${part.name} ` : ''}${partText(part, part.unit)}`,
  );
  return `${plural(doses, 'dose')}, ${amounts.join(' + ')} in all`;
}

/** A dose of a lot for the API and the terminal. */
export function recalledDoseView({ dose, mg }: RecalledDose) {
  const { id, scheduleId, name, dueDate, status, takenAt, doseUnit, site, notes } = dose;
  return {
    ...{ id, scheduleId, name, dueDate, status, takenAt, doseUnit, site, notes },
    doseAmount: Number(dose.doseAmount),
    actualDose: dose.actualDose === null ? null : Number(dose.actualDose),
    lotMg: Number(mg),
    lotComponents: lotParts({ dose, mg }).map((part) => ({ name: part.name, mg: partAmount(part, 'mg') })),
    doseOf: blendOfDose(dose)?.doseOf ?? null,
    components: partsOfDose(dose).map((part) => ({ name: part.name, dose: partAmount(part, doseUnit) })),
    draws: dose.draws.map((draw) => ({ compoundId: draw.compoundId, mg: Number(draw.mg) })),
  };
}

export type RecalledDoseView = ReturnType<typeof recalledDoseView>;

const textOf = (number: number): string => new Decimal(number).toFixed();

/** What came from the lot for the dose of a view. */
export function takenOfView(view: Omit<RecalledDoseView, 'dueDate' | 'takenAt'>): TakenAmount {
  const { name, doseUnit, doseOf, lotMg, lotComponents } = view;
  const components = lotComponents.map((part) => ({ name: part.name, amount: textOf(part.mg) }));
  const drawn = doseOf === null || components.length < 2 ? null : { doseOf, components };
  return { dose: { name, doseUnit, drawn }, mg: textOf(lotMg) };
}

/** "250 mcg" of what came from the lot; for a blend, each component. */
export const takenWords = ({ dose, mg }: TakenAmount): string =>
  doseWords(mg, substanceUnitOf(dose.doseUnit), dose.drawn);
