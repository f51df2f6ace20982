import { refuseWebhookRead, takeWebhook } from '#app/features/billing/webhook-pages.server.ts';

export const loader = refuseWebhookRead;

export const action = takeWebhook;
