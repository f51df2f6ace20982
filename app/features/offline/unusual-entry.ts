import {
  amountKey,
  amountWarnings,
  type Amount,
  type UnusualAmountCode,
} from '#app/domain/doses/dose-warnings.ts';
import { DOSE_UNITS, substanceUnitOf } from '#app/domain/calculator/calculation.ts';
import type { OfflineSnapshot } from '#app/domain/offline/snapshot.ts';
import type { OfflineKind } from '#app/domain/offline/offline-schema.ts';
import type { Slip } from '#app/domain/units/meant-mcg.ts';
import { withTypedUnit } from '#app/domain/units/quantity.ts';
import { vialNameKey } from '#app/domain/vials/vial.ts';

/** What this device knows about plans and vials. */
export type KnownPlans = Pick<OfflineSnapshot, 'today' | 'vials'>;

/** A question to answer before an entry is saved, and the fields that answer it with yes. */
export interface EntryQuestion {
  messages: string[];
  slip: Slip | undefined;
  answer: { confirmed: UnusualAmountCode[]; confirmedAmount: string };
}

/** "2,500 mcg" as an amount; null for a blend, whose text has several. */
function amountOf(text: string): Amount | null {
  const [, figure, spelled] = /^([\d,]{1,20}(?:\.\d{1,20})?) (mg|mcg|IU)$/.exec(text) ?? [];
  const unit = DOSE_UNITS.find((known) => known === spelled);
  if (figure === undefined || unit === undefined) return null;
  return { text: figure.replaceAll(',', ''), unit };
}

/** The planned amounts of a compound, as last seen. */
function plannedOf({ today }: KnownPlans, key: string): Amount[] {
  if (today === null) return [];
  const lines = [...today.open, ...today.ahead, ...(today.asNeeded ?? [])];
  return lines.flatMap(({ name, amountText }) => {
    const amount = vialNameKey(name) === key ? amountOf(amountText) : null;
    return amount === null ? [] : [amount];
  });
}

/**
 * Asks about an unplanned dose by the rule of the server, with what this device has last seen. What it cannot know, such as
 * ceilings, the server asks when the entry arrives.
 */
export function questionAbout(
  kind: OfflineKind,
  fields: Record<string, unknown>,
  known: KnownPlans,
): EntryQuestion | null {
  if (kind !== 'dose-logged') return null;
  const { name, actualDose, doseUnit: unit } = withTypedUnit(fields, 'actualDose', 'doseUnit');
  if (typeof name !== 'string' || typeof actualDose !== 'string') return null;
  const doseUnit = DOSE_UNITS.find((known) => known === unit);
  if (doseUnit === undefined) return null;
  const amount = amountOf(`${actualDose.replace(/^(\d+),(\d+)$/, '$1.$2')} ${doseUnit}`);
  if (amount === null) return null;
  const key = vialNameKey(name);
  const amounts = plannedOf(known, key);
  const measure = substanceUnitOf(doseUnit);
  // Snapshots from before IU have no unit.
  const left = known.vials.find(
    (vial) => vialNameKey(vial.name) === key && (vial.unit ?? 'mg') === measure,
  )?.remainingText;
  const warnings = amountWarnings(amount, {
    usual: amounts.length === 0 ? null : { kind: 'plan', amounts },
    ceiling: null,
    taken: { sameDayMg: '0', weekMg: '0' },
    leftMg: amountOf(`${left ?? ''} ${measure}`)?.text ?? null,
    // The device shows strengths rounded, and a rounded one could print a wrong number of units.
    strength: null,
    syringe: 'u100-1ml',
  });
  if (warnings.length === 0) return null;
  return {
    messages: warnings.map(({ message }) => message),
    slip: warnings.find(({ slip }) => slip !== undefined)?.slip,
    answer: { confirmed: warnings.map(({ code }) => code), confirmedAmount: amountKey(name, amount) },
  };
}
