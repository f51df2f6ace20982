export { recordChange, recordChanges, recordEvents } from './webhook-events.server.ts';
export {
  deliverWebhooks,
  listWebhookDeliveries,
  sendAgain,
  sendTestEvent,
} from './webhook-deliveries.server.ts';
export {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from './webhooks.server.ts';
