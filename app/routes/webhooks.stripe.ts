import { refuseWebhookRead, takeWebhook } from '#app/features/billing/webhook-pages.server.ts';
import { withoutPage } from '#app/platform/http/route-handlers.server.ts';

export const loader = withoutPage(refuseWebhookRead);

export const action = withoutPage(takeWebhook);
