import { shownDay } from '#app/domain/time/format-day.ts';
import { beyondUseDay } from './beyond-use.ts';
import type { Vial } from './vial.ts';
import { strengthText } from './vial-texts.ts';

/** What stands on a vial's label. Serialisable. */
export interface VialLabelTexts {
  name: string;
  /** "5 mg, 2.50 mg/ml" */
  contents: string;
  lines: (readonly [label: string, text: string])[];
}

/** The label of a vial: name, concentration, dates, and where it is kept. */
export function vialLabel(vial: Vial): VialLabelTexts {
  const strength = strengthText(vial);
  const day = (value: string | null) => (value === null ? null : shownDay(value));
  const lines = [
    ['Reconstituted', day(vial.reconstitutionDate)],
    ['Use by', day(beyondUseDay(vial))],
    ['Lot', vial.lot],
    ['Store', vial.storageTemp],
  ] as const;
  return {
    name: vial.name,
    contents: [`${vial.totalAmount} mg`, strength === null ? null : `${strength} mg/ml`]
      .filter(Boolean)
      .join(', '),
    lines: lines.flatMap(([label, text]) => (text === null ? [] : [[label, text] as const])),
  };
}
