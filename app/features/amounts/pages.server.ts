import { CEILING_MESSAGES, ceilingFormSchema } from '#app/domain/doses/ceiling-schema.ts';
import { vialNameKey } from '#app/domain/vials/vial.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import type { UserPageArgs } from '#app/platform/http/route-handlers.server.ts';
import { listCeilings, setCeiling } from './amounts.server.ts';

const PATH = '/dashboard/ceilings';

/** Data of the ceilings page. `?name=` opens the form of one compound. */
export async function readCeilingsPage({ ctx, url }: UserPageArgs) {
  const ceilings = await listCeilings(ctx);
  const name = (url.searchParams.get('name') ?? '').slice(0, 100);
  const ceiling = ceilings.find((one) => vialNameKey(one.name) === vialNameKey(name)) ?? null;
  return { ceilings, name, ceiling };
}

/** Pages whose ceiling form redirects back to them. */
const FROM = /^\/dashboard\/(?:vials|schedule)\/[A-Za-z0-9_]{1,80}$/;

/** Saves the form and returns to the page it was on. */
export function submitCeilings({ request, ctx }: UserPageArgs) {
  return submit(
    request,
    ceilingFormSchema,
    async ({ from, name, unit, perDose = null, perDay = null, per7Days = null }) => {
      const ceiling = await setCeiling(ctx, { name, unit, perDose, perDay, per7Days });
      const message = ceiling === null ? CEILING_MESSAGES.removed : CEILING_MESSAGES.saved;
      return done(FROM.test(from) ? from : PATH, message);
    },
  );
}
