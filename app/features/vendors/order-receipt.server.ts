import { AppError, type FieldErrors } from '#app/domain/errors.ts';
import type { VialWithLedger } from '#app/domain/vials/vial.ts';
import { ORDER_MESSAGES, receivedLineSchema, type ReceivedLine } from '#app/domain/vendors/order-schema.ts';
import { fieldErrors } from '#app/domain/forms/parse-input.ts';
import { mayBecome } from '#app/domain/vendors/order-states.ts';
import type { OrderRecord } from '#models/index.server.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { idFromKey } from '#app/platform/ids.server.ts';
import { getOrder } from './orders.server.ts';
import { insertVial } from '#app/features/vials/index.server.ts';

/** What the parcel says about each line, in the order's own order. */
export type ReceivedInput = readonly { lot?: string; expirationDate?: string }[];

/** @throws AppError INVALID_INPUT with `fields['lot.0']` and so on */
function readLines(order: OrderRecord, input: ReceivedInput): ReceivedLine[] {
  const wrong: FieldErrors = {};
  const lines = order.lines.map((_, place) => {
    const parsed = receivedLineSchema.safeParse(input[place] ?? {});
    if (parsed.success) return parsed.data;
    for (const [name, messages] of Object.entries(fieldErrors(parsed.error.issues)))
      wrong[`${name}.${place}`] = messages;
    return {};
  });
  const [first] = Object.values(wrong).flat();
  if (first !== undefined) throw new AppError('INVALID_INPUT', first, { fields: wrong });
  return lines;
}

/** One sealed vial of a line; the same one however often it is made. */
function vialOf(
  ctx: Ctx,
  ownerId: string,
  order: OrderRecord,
  place: number,
  number: number,
): VialWithLedger {
  const line = order.lines[place] as OrderRecord['lines'][number];
  return {
    id: idFromKey('vial', ctx.now(), ownerId, `${order.id}:${place}:${number}`),
    userId: ownerId,
    name: line.name,
    status: 'sealed',
    totalAmount: line.mgPerVial,
    remaining: line.mgPerVial,
    waterMl: null,
    concentration: null,
    displacement: '0',
    reconstitutionDate: null,
    expirationDate: line.expirationDate,
    openedAt: null,
    createdAt: ctx.now(),
    storageTemp: null,
    notes: null,
    lot: line.lot,
    supplierId: order.supplierId,
    cost: line.price,
    currency: order.currency,
    ledger: [],
    foldedCount: 0,
    foldedMg: '0',
  };
}

/** Makes the vials of a received order, as many as are missing. */
async function makeVials(ctx: Ctx, ownerId: string, order: OrderRecord): Promise<number> {
  let vials = 0;
  for (const [place, { quantity }] of order.lines.entries()) {
    for (let number = 0; number < quantity; number += 1) {
      await insertVial(ctx, { id: ownerId, isPremium: true }, vialOf(ctx, ownerId, order, place, number));
      vials += 1;
    }
  }
  await ctx.repos.orders.setVialsMade(ownerId, order.id);
  return vials;
}

/**
 * Receives an order: each vial of it becomes a sealed vial with lot and cost. One that was cut off in the middle is
 * finished by calling again; no vial is made twice.
 * @returns how many vials the order has
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND, INVALID_INPUT, CONFLICT when the order cannot be received
 */
export async function receiveOrder(ctx: Ctx, id: string, input: ReceivedInput): Promise<number> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  const order = await getOrder(ctx, id);
  if (order.state === 'received' && !order.vialsMade) return makeVials(ctx, user.id, order);
  if (!mayBecome(order.state, 'received')) throw new AppError('CONFLICT', ORDER_MESSAGES.outOfSequence);
  const received = readLines(order, input);
  const lines = order.lines.map((line, place) => ({
    ...line,
    lot: received[place]?.lot || null,
    expirationDate: received[place]?.expirationDate || null,
  }));
  const step = { from: order.state, to: 'received' as const, at: ctx.now(), lines };
  if (!(await ctx.repos.orders.step(user.id, id, step)))
    throw new AppError('CONFLICT', ORDER_MESSAGES.outOfSequence);
  return makeVials(ctx, user.id, { ...order, lines });
}
