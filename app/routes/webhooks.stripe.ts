import { refuseWebhookRead, takeWebhook } from '#app/http/stripe-webhook.server.ts';

export const loader = refuseWebhookRead;

export const action = takeWebhook;
