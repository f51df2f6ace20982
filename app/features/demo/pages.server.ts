import { redirect } from '@remix-run/node';
import { startDemoSchema } from '#app/domain/demo/demo.ts';
import { isInDemo } from '#app/platform/access/authorise.server.ts';
import { submit } from '#app/platform/http/forms.server.ts';
import type { PageArgs } from '#app/platform/http/route-handlers.server.ts';
import { startDemo } from './demo.server.ts';

type SignedIn = Awaited<ReturnType<typeof startDemo>>;

/**
 * Handles the form that starts a demo. Users already in a demo return to it.
 * @param enter continues into the demo's account
 */
export function submitDemo<T>({ request, ctx }: PageArgs, enter: (signedIn: SignedIn) => Promise<T>) {
  if (isInDemo(ctx.actor)) throw redirect('/dashboard');
  return submit(request, startDemoSchema, async (input) => enter(await startDemo(ctx, input)));
}
