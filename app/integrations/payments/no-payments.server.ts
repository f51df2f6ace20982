import { AppError } from '#app/domain/errors.ts';
import type { Payments } from './payments.server.ts';

function refuse(): Promise<never> {
  return Promise.reject(new AppError('NOT_CONFIGURED', 'Billing is not configured on this server'));
}

/** Stands where no payment provider is configured: every call says so. */
export function noPayments(): Payments {
  return {
    mode: 'off',
    desk: null,
    createCustomer: refuse,
    updateCustomerEmail: refuse,
    deleteCustomer: refuse,
    createCheckoutSession: refuse,
    createPortalSession: refuse,
    getSubscription: refuse,
    cancelNow: refuse,
    postponeRenewal: refuse,
    previewPlanChange: refuse,
    changePlan: refuse,
    nextCharge: refuse,
    verifyWebhook: refuse,
  };
}
