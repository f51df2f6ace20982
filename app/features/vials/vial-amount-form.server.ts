import { remainingFormSchema, spillFormSchema } from '#app/domain/vials/vial-schema.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { correctRemaining, spillVial } from './vial-amounts.server.ts';
import { submitForm } from '#app/platform/http/forms.server.ts';

/** Runs one of the two forms about what is left in a vial. */
export function submitAmount(ctx: Ctx, request: Request, id: string, isSpill: boolean) {
  if (isSpill)
    return submitForm(request, spillFormSchema, ({ idempotencyKey, ...input }) =>
      spillVial(ctx, id, input, idempotencyKey),
    );
  return submitForm(request, remainingFormSchema, ({ idempotencyKey, ...input }) =>
    correctRemaining(ctx, id, input, idempotencyKey),
  );
}
