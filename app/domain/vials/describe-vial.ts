import { Decimal } from '#app/domain/decimal/decimal.ts';
import type { FieldErrors } from '#app/domain/errors.ts';
import {
  amountFromStrength,
  nameProblem,
  type VialChanges,
  type VialFacts,
  vialName,
} from './vial-schema.ts';
import { areDaysReversed, detailsOf, VIAL_MESSAGES } from './vial-fields.ts';
import { findComponent } from '#app/domain/calculator/components.ts';
import { concentrationMatches, strengthOf, isSameLabel } from './contents.ts';
import { balanceOf, recalculated } from './stock.ts';
import {
  formOf,
  isReadyMade,
  measureOf,
  type Vial,
  type VialComponent,
  type VialWithLedger,
} from './vial.ts';
import type { Component } from '#app/domain/calculator/calculation.ts';

/** A component from which nothing has been drawn. */
export const undrawn = (component: Component): VialComponent => ({
  ...component,
  changedMg: '0',
  foldedMg: '0',
});

type Strength = Pick<Vial, 'waterMl' | 'concentration'>;

/** A new, full vial; reconstituted if it has a reconstitution date. */
export function newVial(facts: VialFacts, made: Pick<Vial, 'id' | 'userId' | 'createdAt'>): VialWithLedger {
  const { components = [] } = facts;
  const totalAmount =
    components[0]?.amount ?? facts.totalAmount ?? facts.amountMg ?? amountFromStrength(facts) ?? '';
  const details = detailsOf(facts);
  return recalculated({
    ...made,
    ...details,
    // A concentration that follows from the water is not stored, because its decimal may not terminate.
    concentration: details.waterMl === null && formOf(details) !== 'capsule' ? details.concentration : null,
    name: vialName(facts.name, components),
    ...(components.length > 1 && { components: components.map(undrawn) }),
    status: 'sealed',
    totalAmount,
    remaining: totalAmount,
    displacement: facts.displacement ?? '0',
    openedAt: null,
    ledger: [],
    foldedCount: 0,
    foldedMg: '0',
  });
}

/** Whichever of water and concentration was sent replaces the other. If both were, they have been checked to match. */
function strengthAfter(vial: Strength, { waterMl, concentration }: VialChanges): Strength {
  if (waterMl) return { waterMl, concentration: null };
  if (concentration) return { waterMl: null, concentration };
  return {
    waterMl: waterMl === null ? null : vial.waterMl,
    concentration: concentration === null ? null : vial.concentration,
  };
}

/** A vial's contents after a change. The sums of the ledger stay with the index of each component. */
function contentsAfter(
  vial: VialWithLedger,
  { components, name, totalAmount }: VialChanges,
): Partial<VialWithLedger> {
  if (components === undefined) return {};
  const [first, ...more] = components ?? [];
  if (first === undefined || more.length === 0)
    return {
      components: undefined,
      totalAmount: first?.amount ?? totalAmount ?? vial.totalAmount,
      ...(first && { name: name ?? first.name }),
    };
  const known = (at: number) => vial.components?.[at];
  return {
    totalAmount: first.amount,
    components: [first, ...more].map((component, at) => ({
      ...component,
      changedMg: known(at)?.changedMg ?? '0',
      foldedMg: known(at)?.foldedMg ?? '0',
    })),
  };
}

/** The vial with the changes applied; the same object if nothing differs. */
function described(vial: VialWithLedger, changes: VialChanges): VialWithLedger {
  const {
    amountMg,
    totalAmount = amountMg,
    components: _components,
    waterMl: _water,
    concentration: _concentration,
    ...rest
  } = changes;
  const contents = contentsAfter(vial, { ...changes, totalAmount });
  const facts = Object.entries({ totalAmount, ...rest, ...strengthAfter(vial, changes) })
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => [field, field === 'displacement' ? (value ?? '0') : value]);
  const after = { ...vial, ...(Object.fromEntries(facts) as Partial<VialWithLedger>), ...contents };
  const fields = [...facts.map(([field]) => field as keyof Vial), 'name', 'totalAmount'] as const;
  const isSame = fields.every((field) => after[field] === vial[field]);
  return isSame && isSameLabel(after.components, vial.components) ? vial : after;
}

/** True if the change would make existing ledger entries count another component. */
function movesComponents(before: VialWithLedger, after: VialWithLedger): boolean {
  if (before.ledger.length === 0 && before.foldedCount === 0) return false;
  const [was, is] = [before.components ?? [], after.components ?? []];
  const moved = was.some(({ name }, at) => ![at, -1].includes(findComponent(is, name)));
  return was.length !== is.length || moved;
}

/** Problems of a change of unit or form: amounts that were drawn keep their meaning, and each form needs its own figures. */
function containerProblems(before: VialWithLedger, after: VialWithLedger): FieldErrors {
  const problems: FieldErrors = {};
  const isDrawnFrom = before.ledger.length > 0 || before.foldedCount > 0;
  if (isDrawnFrom && measureOf(before) !== measureOf(after))
    problems['amountUnit'] = [VIAL_MESSAGES.measureDrawn];
  const form = formOf(after);
  if (isDrawnFrom && formOf(before) !== form) problems['form'] = [VIAL_MESSAGES.measureDrawn];
  if (form === 'pen' && after.clickMl === null) problems['clickMl'] = [VIAL_MESSAGES.clickMl];
  if (form === 'spray' && after.sprayMl === null) problems['sprayMl'] = [VIAL_MESSAGES.sprayMl];
  if (form === 'capsule' && after.pieces === null) problems['pieces'] = [VIAL_MESSAGES.pieces];
  if (isReadyMade(after) && after.reconstitutionDate !== null)
    problems['reconstitutionDate'] = [VIAL_MESSAGES.notMixed];
  return problems;
}

/** Problems of the changed vial, by field. Only what the changes affect is checked. */
function problemsOf(before: VialWithLedger, after: VialWithLedger, changes: VialChanges): FieldErrors {
  const problems: FieldErrors = {};
  const { waterMl, concentration } = changes;
  if (waterMl && concentration && !concentrationMatches(concentration, { ...after, waterMl }))
    problems['concentration'] = [VIAL_MESSAGES.strengthDiffers];
  if (after.reconstitutionDate !== null && strengthOf(after) === null && strengthOf(before) !== null)
    problems['waterMl'] = [VIAL_MESSAGES.noStrength];
  const dated = changes.reconstitutionDate !== undefined || changes.expirationDate !== undefined;
  if (dated && areDaysReversed(after)) problems['expirationDate'] = [VIAL_MESSAGES.order];
  Object.assign(problems, containerProblems(before, after));
  if (movesComponents(before, after)) problems['components'] = [VIAL_MESSAGES.componentsDrawn];
  const named = changes.name !== undefined || changes.components !== undefined;
  const problem = named && after.components ? nameProblem(after.name, after.components) : null;
  if (problem !== null) problems['name'] = [problem];
  const less = new Decimal(after.totalAmount).lt(before.totalAmount);
  if (less && balanceOf(after).lt(0)) problems['totalAmount'] = [VIAL_MESSAGES.tooSmall];
  if (before.status === 'discarded' && after.totalAmount !== before.totalAmount)
    problems['totalAmount'] = ['This vial has been discarded.'];
  return problems;
}

/** The changed vial (the same object if nothing changes), or the problems by field. */
export function changedVial(
  vial: VialWithLedger,
  changes: VialChanges,
): { vial: VialWithLedger } | { problems: FieldErrors } {
  const after = described(vial, changes);
  const problems = problemsOf(vial, after, changes);
  if (Object.keys(problems).length > 0) return { problems };
  return { vial: after === vial ? vial : recalculated(after) };
}
