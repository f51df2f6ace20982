import { Decimal } from '#app/domain/decimal/decimal.ts';
import type { FieldErrors } from '#app/domain/errors.ts';
import { type VialChanges, type VialFacts, VIAL_MESSAGES } from './vial-schema.ts';
import { concentrationMatches, strengthOf } from './concentration.ts';
import { balanceOf, recalculated } from './ledger.ts';
import type { Vial, VialWithLedger } from './vial.ts';

type Strength = Pick<Vial, 'waterMl' | 'concentration'>;

/** A new vial as described: full, and reconstituted when there is a day for that. */
export function newVial(facts: VialFacts, made: Pick<Vial, 'id' | 'userId' | 'createdAt'>): VialWithLedger {
  const totalAmount = facts.totalAmount ?? facts.amountMg ?? '';
  const waterMl = facts.waterMl ?? null;
  return recalculated({
    ...made,
    name: facts.name,
    status: 'sealed',
    totalAmount,
    remaining: totalAmount,
    waterMl,
    // A concentration that follows from the water is not stored: it may have no finite decimal.
    concentration: waterMl === null ? (facts.concentration ?? null) : null,
    displacement: facts.displacement ?? '0',
    reconstitutionDate: facts.reconstitutionDate ?? null,
    expirationDate: facts.expirationDate ?? null,
    openedAt: null,
    storageTemp: facts.storageTemp ?? null,
    notes: facts.notes ?? null,
    lot: facts.lot ?? null,
    supplierId: facts.supplierId ?? null,
    cost: facts.cost ?? null,
    currency: facts.currency ?? null,
    ledger: [],
    foldedCount: 0,
    foldedMg: '0',
  });
}

/** Water or concentration: the one that was sent replaces the other; both together were checked to agree. */
function strengthAfter(vial: Strength, { waterMl, concentration }: VialChanges): Strength {
  if (waterMl) return { waterMl, concentration: null };
  if (concentration) return { waterMl: null, concentration };
  return {
    waterMl: waterMl === null ? null : vial.waterMl,
    concentration: concentration === null ? null : vial.concentration,
  };
}

/** The vial with the changes applied; the same object when nothing differs. */
function described(vial: VialWithLedger, changes: VialChanges): VialWithLedger {
  const {
    amountMg,
    totalAmount = amountMg,
    waterMl: _water,
    concentration: _concentration,
    ...rest
  } = changes;
  const told = Object.entries({ totalAmount, ...rest, ...strengthAfter(vial, changes) })
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => [field, field === 'displacement' ? (value ?? '0') : value]);
  const after = { ...vial, ...(Object.fromEntries(told) as Partial<VialWithLedger>) };
  const isSame = told.every(([field]) => after[field as keyof Vial] === vial[field as keyof Vial]);
  return isSame ? vial : after;
}

/** Problems of the changed vial by field. Only what the changes touch is checked. */
function problemsOf(before: VialWithLedger, after: VialWithLedger, changes: VialChanges): FieldErrors {
  const problems: FieldErrors = {};
  const { waterMl, concentration } = changes;
  if (waterMl && concentration && !concentrationMatches(concentration, { ...after, waterMl }))
    problems['concentration'] = [VIAL_MESSAGES.strengthDiffers];
  const { reconstitutionDate, expirationDate } = after;
  if (reconstitutionDate !== null && strengthOf(after) === null && strengthOf(before) !== null)
    problems['waterMl'] = [VIAL_MESSAGES.noStrength];
  const dated = changes.reconstitutionDate !== undefined || changes.expirationDate !== undefined;
  if (dated && reconstitutionDate !== null && expirationDate !== null && expirationDate < reconstitutionDate)
    problems['expirationDate'] = [VIAL_MESSAGES.order];
  const less = new Decimal(after.totalAmount).lt(before.totalAmount);
  if (less && balanceOf(after).lt(0)) problems['totalAmount'] = [VIAL_MESSAGES.tooSmall];
  if (before.status === 'discarded' && after.totalAmount !== before.totalAmount)
    problems['totalAmount'] = ['This vial has been discarded.'];
  return problems;
}

/** The changed vial (the same object when nothing changes), or the problems by field. */
export function changedVial(
  vial: VialWithLedger,
  changes: VialChanges,
): { vial: VialWithLedger } | { problems: FieldErrors } {
  const after = described(vial, changes);
  const problems = problemsOf(vial, after, changes);
  if (Object.keys(problems).length > 0) return { problems };
  return { vial: after === vial ? vial : recalculated(after) };
}
