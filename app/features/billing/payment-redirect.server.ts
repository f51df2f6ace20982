import { redirect } from '@remix-run/node';
import { currentApp } from '#app/platform/http/session.server.ts';
import { PAYMENT_HOSTS } from '#app/platform/http/payment-hosts.ts';

/** The path of an address of this site; null for any other address. */
export function ownPath(address: string): string | null {
  const { origin, pathname, search } = new URL(address);
  return origin === currentApp().settings.APP_URL ? `${pathname}${search}` : null;
}

/**
 * Where the payment provider wants the browser to go: a path of this site, or with Stripe configured one of Stripe's
 * own pages. Anything else is a defect.
 */
export function toPayments(address: string): Response {
  const path = ownPath(address);
  if (path !== null) return redirect(path);
  const { protocol, host } = new URL(address);
  const isStripes = protocol === 'https:' && PAYMENT_HOSTS.includes(host);
  if (currentApp().settings.BILLING === 'stripe' && isStripes) return redirect(address);
  throw new Error(`A payment page at ${host} is not expected.`);
}
