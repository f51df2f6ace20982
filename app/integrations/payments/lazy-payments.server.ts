import type { BillingMode } from '#app/domain/settings/settings.ts';
import type { TestDesk } from '#app/integrations/test-stripe/controls.server.ts';
import type { Payments } from './payments.server.ts';

function lazyDesk(desk: () => Promise<TestDesk>): TestDesk {
  return {
    findCheckout: async (id) => (await desk()).findCheckout(id),
    pay: async (id) => (await desk()).pay(id),
    findPortal: async (id) => (await desk()).findPortal(id),
    act: async (id, action) => (await desk()).act(id, action),
  };
}

/** A payment provider that is opened when it is first asked: a start, or a command, need not wait for its package. */
export function lazyPayments(mode: BillingMode, open: () => Promise<Payments>): Payments {
  let opened: Promise<Payments> | undefined;
  const payments = () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  const desk = async () => {
    const { desk: till } = await payments();
    if (till === null) throw new Error('The test payments have no till.');
    return till;
  };
  return {
    mode,
    desk: mode === 'test' ? lazyDesk(desk) : null,
    createCustomer: async (account) => (await payments()).createCustomer(account),
    updateCustomerEmail: async (id, email) => (await payments()).updateCustomerEmail(id, email),
    deleteCustomer: async (id) => (await payments()).deleteCustomer(id),
    createCheckoutSession: async (request) => (await payments()).createCheckoutSession(request),
    createPortalSession: async (request) => (await payments()).createPortalSession(request),
    getSubscription: async (id) => (await payments()).getSubscription(id),
    cancelNow: async (id) => (await payments()).cancelNow(id),
    postponeRenewal: async (request) => (await payments()).postponeRenewal(request),
    previewPlanChange: async (id, plan) => (await payments()).previewPlanChange(id, plan),
    changePlan: async (id, preview) => (await payments()).changePlan(id, preview),
    nextCharge: async (id) => (await payments()).nextCharge(id),
    verifyWebhook: async (body, signature) => (await payments()).verifyWebhook(body, signature),
  };
}
