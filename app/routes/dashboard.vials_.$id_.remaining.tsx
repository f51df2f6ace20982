import { randomUUID } from 'node:crypto';
import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { RemainingForm, SpillForm, VialSubPage } from '#app/features/vials/index.ts';
import { measureOf } from '#app/domain/vials/vial.ts';
import { remainingOf } from '#app/domain/vials/vial-texts.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { getVial } from '#app/features/vials/index.server.ts';
import { submitAmount } from '#app/features/vials/pages.server.ts';

export const meta: MetaFunction = () => [{ title: 'Remaining amount – Vialbook' }];

export const loader = forUsers(async ({ ctx, params }) => {
  const vial = await getVial(ctx, params['id'] ?? '');
  const { left } = remainingOf(vial);
  const isDiscarded = vial.status === 'discarded';
  return {
    id: vial.id,
    name: vial.name,
    left,
    total: vial.totalAmount,
    unit: measureOf(vial),
    of: vial.components?.[0]?.name ?? null,
    isDiscarded,
    idempotencyKey: randomUUID(),
  };
});

export const action = forUsers(async ({ request, ctx, params, url }) => {
  const vial = await getVial(ctx, params['id'] ?? '');
  return submitAmount(ctx, request, vial, url.searchParams.has('spill'));
});

export { clientAction } from '#app/ui/connection/client-action.ts';

/** Two forms for the remaining amount: correct it, or record a loss. */
export default function Remaining() {
  const { id, name, left, total, unit, of, isDiscarded, idempotencyKey } = useLoaderData<typeof loader>();
  const { lastResult, isSpill = false } = useActionData<typeof action>() ?? {};
  const path = `/dashboard/vials/${id}`;
  const action_ = `${path}/remaining`;
  return (
    <VialSubPage title={`Amount left in ${name}`} backHref={path} backText="Back to the vial">
      {isDiscarded ? (
        <p>This vial has been discarded. Nothing is left in it.</p>
      ) : (
        <>
          <RemainingForm
            action={action_}
            idempotencyKey={idempotencyKey}
            left={left}
            total={total}
            unit={unit}
            of={of}
            lastResult={isSpill ? null : lastResult}
          />
          <h2 className="border-t border-line pt-4">Record a loss</h2>
          <SpillForm
            action={`${action_}?spill=1`}
            idempotencyKey={`${idempotencyKey}-spill`}
            left={left}
            unit={unit}
            of={of}
            lastResult={isSpill ? lastResult : null}
          />
        </>
      )}
    </VialSubPage>
  );
}
