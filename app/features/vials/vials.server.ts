import { AppError, isAppError, type FieldErrors } from '#app/domain/errors.ts';
import { changedVial, newVial } from '#app/domain/vials/describe-vial.ts';
import type { VialWithLedger } from '#app/domain/vials/vial.ts';
import { entitlementOf } from '#app/domain/billing/entitlement.ts';
import { parseInput } from '#app/domain/forms/parse-input.ts';
import {
  vialCallSchema,
  vialChangesSchema,
  vialSchema,
  type VialChangesInput,
  type VialInput,
} from '#app/domain/vials/vial-schema.ts';
import { authorise, authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';
import { idFromKey } from '#app/platform/ids.server.ts';
import { findOwner } from '#app/platform/access/owner.server.ts';
import { changeVialOf, freePlace, insertVial, noVial, type VialOwner } from './vial-changes.server.ts';

/** The signed-in user as an owner of vials. */
export function vialOwner(user: SignedInUser): VialOwner {
  return { id: user.id, isPremium: user.entitlement.isPremium };
}

/** Whose vials are meant: the signed-in user's own, or at the terminal those of the account with the address. */
async function ownerOf(ctx: Ctx, email?: string): Promise<VialOwner> {
  if (ctx.actor.kind === 'user') return vialOwner(ctx.actor);
  const owner = await findOwner(ctx, email);
  return { id: owner.id, isPremium: entitlementOf(owner, ctx.now()).isPremium };
}

/** @throws AppError INVALID_INPUT with messages by field */
export function refused(fields: FieldErrors): AppError {
  const [message = 'The input is not valid.'] = Object.values(fields).flat();
  return new AppError('INVALID_INPUT', message, { fields });
}

export interface AddOptions {
  /** Names one press of the button: sent twice, it adds one vial. */
  idempotencyKey?: string | undefined;
  /** The strength must be told: a call of a program always knows it. */
  strict?: boolean;
  /** At the terminal: whose vial it is. */
  ownerEmail?: string;
}

/**
 * Adds a vial. A free account has room for three active ones.
 * @throws AppError INVALID_INPUT, UNAUTHENTICATED, PLAN_LIMIT
 */
export async function addVial(ctx: Ctx, input: VialInput, options: AddOptions = {}): Promise<VialWithLedger> {
  const owner = await ownerOf(ctx, options.ownerEmail);
  authorise(ctx.actor, 'vial.change', { ownerId: owner.id });
  const facts = parseInput(options.strict ? vialCallSchema : vialSchema, input);
  const now = ctx.now();
  const id = idFromKey('vial', now, owner.id, options.idempotencyKey);
  return insertVial(ctx, owner, newVial(facts, { id, userId: owner.id, createdAt: now }));
}

/** Whether the signed-in user's plan has room for another active vial. @throws AppError UNAUTHENTICATED */
export async function hasRoom(ctx: Ctx): Promise<boolean> {
  const user = authoriseUser(ctx.actor, 'vial.read');
  try {
    await freePlace(ctx, vialOwner(user));
    return true;
  } catch (error) {
    if (isAppError(error) && error.code === 'PLAN_LIMIT') return false;
    throw error;
  }
}

/**
 * One of the signed-in user's vials with its ledger.
 * @throws AppError UNAUTHENTICATED, NOT_FOUND for a missing and a foreign one alike
 */
export async function getVial(ctx: Ctx, id: string): Promise<VialWithLedger> {
  const user = authoriseUser(ctx.actor, 'vial.read');
  const vial = await ctx.repos.compounds.find(user.id, id);
  if (vial === null) throw noVial();
  return vial;
}

/**
 * Changes what is said about a vial: only the fields that are sent, and of those only what differs.
 * @throws AppError UNAUTHENTICATED, INVALID_INPUT, NOT_FOUND; PLAN_LIMIT when it would become active beyond the limit
 */
export async function updateVial(ctx: Ctx, id: string, input: VialChangesInput): Promise<VialWithLedger> {
  const user = authoriseUser(ctx.actor, 'vial.change');
  const changes = parseInput(vialChangesSchema, input);
  const change = (vial: VialWithLedger) => {
    const result = changedVial(vial, changes);
    if ('problems' in result) throw refused(result.problems);
    return result.vial;
  };
  const vial = await changeVialOf(ctx, user.id, id, change, { owner: vialOwner(user) });
  if (vial === null) throw noVial();
  return vial;
}

/**
 * Deletes a vial with its ledger. Doses that were drawn from it stay as they are.
 * @throws AppError UNAUTHENTICATED, NOT_FOUND
 */
export async function deleteVial(ctx: Ctx, id: string): Promise<void> {
  const user = authoriseUser(ctx.actor, 'vial.change');
  if (!(await ctx.repos.compounds.remove(user.id, id))) throw noVial();
}
