import { data, redirect } from '@remix-run/node';
import { isInDemo } from '#app/platform/access/authorise.server.ts';
import { formText, readForm, refusalOf } from '#app/platform/http/forms.server.ts';
import type { PageArgs } from '#app/platform/http/route-handlers.server.ts';
import { startDemo } from './demo.server.ts';

/**
 * Handles the form that starts a demo. Users already in a demo return to it.
 * @returns the sign-in, or the answer that explains the refusal
 */
export async function submitDemo({ request, ctx }: PageArgs) {
  if (isInDemo(ctx.actor)) throw redirect('/dashboard');
  const timeZone = formText(await readForm(request), 'timeZone') || undefined;
  try {
    return { signedIn: await startDemo(ctx, { timeZone }) };
  } catch (error) {
    const { message, status, headers } = refusalOf(error);
    return { refusal: data({ problem: message }, { status, headers }) };
  }
}
