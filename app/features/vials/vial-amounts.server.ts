import { Decimal } from '#app/domain/decimal/decimal.ts';
import { AppError } from '#app/domain/errors.ts';
import { correctTo, discardAll, spillFrom, recalculated } from '#app/domain/vials/ledger.ts';
import type { VialWithLedger } from '#app/domain/vials/vial.ts';
import { parseInput } from '#app/domain/forms/parse-input.ts';
import {
  VIAL_MESSAGES,
  discardSchema,
  reconstituteSchema,
  remainingSchema,
  spillSchema,
  type DiscardInput,
  type ReconstituteInput,
  type RemainingInput,
  type SpillInput,
} from '#app/domain/vials/vial-schema.ts';
import { authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { idFromKey } from '#app/platform/ids.server.ts';
import { changeVialOf, noVial } from './vial-changes.server.ts';
import { refused, vialOwner } from './vials.server.ts';

/** What an entry is written with. */
interface Entry {
  id: string;
  at: Date;
}

type Change = (vial: VialWithLedger, entry: Entry) => VialWithLedger;

/** Changes one of the signed-in user's vials by one entry of its ledger, once for each press of the button. */
async function change(ctx: Ctx, id: string, by: Change, idempotencyKey?: string): Promise<VialWithLedger> {
  const user = authoriseUser(ctx.actor, 'vial.change');
  const at = ctx.now();
  const entry = { id: idFromKey('entry', at, user.id, idempotencyKey), at };
  const vial = await changeVialOf(ctx, user.id, id, (found) => by(found, entry), { owner: vialOwner(user) });
  if (vial === null) throw noVial();
  return vial;
}

function mustNotBeDiscarded(vial: VialWithLedger): void {
  if (vial.status === 'discarded') throw new AppError('CONFLICT', 'This vial is discarded.');
}

/**
 * Corrects how much is left, by an entry in the ledger.
 * @throws AppError UNAUTHENTICATED, INVALID_INPUT below zero or above the total, NOT_FOUND; CONFLICT for a discarded
 * vial; PLAN_LIMIT when an empty one would become active beyond the limit
 */
export async function correctRemaining(
  ctx: Ctx,
  id: string,
  input: RemainingInput,
  idempotencyKey?: string,
): Promise<VialWithLedger> {
  authoriseUser(ctx.actor, 'vial.change');
  const { remainingAmount: remaining, reason = null } = parseInput(remainingSchema, input);
  const by: Change = (vial, entry) => {
    mustNotBeDiscarded(vial);
    if (new Decimal(remaining).gt(vial.totalAmount))
      throw refused({ remainingAmount: [`Remaining amount must be between 0 and ${vial.totalAmount} mg`] });
    return correctTo(vial, { ...entry, remaining, reason });
  };
  return change(ctx, id, by, idempotencyKey);
}

/**
 * Writes down what was lost.
 * @throws AppError UNAUTHENTICATED, INVALID_INPUT for more than is left, NOT_FOUND, CONFLICT for a discarded vial
 */
export async function spillVial(
  ctx: Ctx,
  id: string,
  input: SpillInput,
  idempotencyKey?: string,
): Promise<VialWithLedger> {
  authoriseUser(ctx.actor, 'vial.change');
  const { lostAmount: mg, reason = null } = parseInput(spillSchema, input);
  const by: Change = (vial, entry) => {
    if (vial.ledger.some(({ id: known }) => known === entry.id)) return vial;
    mustNotBeDiscarded(vial);
    if (new Decimal(mg).gt(vial.remaining)) throw refused({ lostAmount: [VIAL_MESSAGES.lost] });
    return spillFrom(vial, { ...entry, mg, reason });
  };
  return change(ctx, id, by, idempotencyKey);
}

/**
 * Throws a vial away with what is in it; one that is thrown away already stays so.
 * @throws AppError UNAUTHENTICATED, INVALID_INPUT, NOT_FOUND
 */
export async function discardVial(ctx: Ctx, id: string, input: DiscardInput = {}): Promise<VialWithLedger> {
  authoriseUser(ctx.actor, 'vial.change');
  const { reason = null } = parseInput(discardSchema, input);
  return change(ctx, id, (vial, entry) =>
    vial.status === 'discarded' ? vial : discardAll(vial, { ...entry, reason }),
  );
}

/**
 * Notes that water was added to a sealed vial. Without a last day of use it is 28 days later.
 * @throws AppError UNAUTHENTICATED, INVALID_INPUT, NOT_FOUND; CONFLICT when it is not sealed
 */
export async function reconstituteVial(
  ctx: Ctx,
  id: string,
  input: ReconstituteInput,
): Promise<VialWithLedger> {
  authoriseUser(ctx.actor, 'vial.change');
  const {
    reconstitutionDate,
    waterMl = null,
    concentration = null,
    expirationDate = null,
  } = parseInput(reconstituteSchema, input);
  const strength = { waterMl, concentration: waterMl === null ? concentration : null };
  return change(ctx, id, (vial) => {
    // The same form sent twice.
    if (vial.reconstitutionDate === reconstitutionDate) return vial;
    if (vial.reconstitutionDate !== null || vial.status === 'discarded')
      throw new AppError('CONFLICT', 'This vial is not sealed any more.');
    return recalculated({ ...vial, ...strength, reconstitutionDate, expirationDate });
  });
}
