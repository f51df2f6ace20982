/** Stripe's own pages: the only other site that a form of this one leads to, and only when Stripe is configured. */
export const PAYMENT_HOSTS: readonly string[] = ['checkout.stripe.com', 'billing.stripe.com'];
