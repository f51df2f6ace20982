import { Decimal, sum, type Ratio } from '#app/domain/decimal/decimal.ts';
import {
  blendOfDose,
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
import type { ScheduleDoseUnit } from '#app/domain/schedules/schedule-rule.ts';

/** A dose as far as a recall tells of it; amounts are decimal text. */
interface RecalledFields {
  id: string;
  scheduleId: string | null;
  name: string;
  dueDate: Date;
  status: DoseStatus;
  takenAt: Date | null;
  doseAmount: string;
  actualDose: string | null;
  doseUnit: ScheduleDoseUnit;
  draws: readonly { compoundId: string; mg: string }[];
  /** What its plan says that the vial holds; absent for a single peptide. */
  blend?: Blend | null | undefined;
  /** What the vial held that it was drawn from; absent for a single peptide. */
  drawn?: Blend | null;
  site: string | null;
  notes: string | null;
}

/** A dose that came from a lot. */
export interface RecalledDose<D extends RecalledFields = RecalledFields> {
  dose: D;
  /** Decimal text, mg of it that came from the lot's vials. */
  mg: string;
}

/** What of a dose came from the lot, of each component. */
const lotParts = ({ dose, mg }: RecalledDose): readonly ComponentDose[] =>
  componentDoses(dose.name, new Decimal(mg), dose.drawn);

/** What came from a lot in all. */
export interface TakenFromLot {
  doses: number;
  /** Of each component, in the order in which they were met; exact. */
  parts: readonly { name: string; mg: Ratio<'mg'> }[];
}

/** Adds up what came from a lot, dose by dose. */
export function lotSum(): { add(dose: RecalledDose): void; sum(): TakenFromLot } {
  let doses = 0;
  const parts = new Map<string, { name: string; mg: Ratio<'mg'> }>();
  return {
    add(dose) {
      doses += 1;
      for (const { name, mg } of lotParts(dose)) {
        const key = vialNameKey(name);
        const before = parts.get(key);
        parts.set(key, before === undefined ? { name, mg } : { name: before.name, mg: sum(before.mg, mg) });
      }
    },
    sum: () => ({ doses, parts: [...parts.values()] }),
  };
}

/** "3 doses, 0.75 mg in all"; of a blend "3 doses, BPC-157 0.75 mg + TB-500 0.75 mg in all". */
export function takenText({ doses, parts }: TakenFromLot): string {
  if (doses === 0) return 'Nothing yet';
  const amounts = parts.map((part) => `${parts.length > 1 ? `${part.name} ` : ''}${partText(part, 'mg')}`);
  return `${plural(doses, 'dose')}, ${amounts.join(' + ')} in all`;
}

/** A dose of a lot as programs read it, over the API and at the terminal. */
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
