export {
  DeleteWebhook,
  RotateSecret,
  WebhookDetails,
  WebhookForm,
  WebhookList,
  WebhookSecret,
} from './webhook-pages.tsx';
