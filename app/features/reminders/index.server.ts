export {
  getBellView,
  changeReminder,
  getReminder,
  listReminders,
  markRemindersShown,
  markAllRemindersRead,
  listUnshownReminders,
} from './reminders.server.ts';
export { deliverReminders } from './deliveries.server.ts';
export { deleteNtfyTopic, findNtfyTopic, sendNtfyTest, setNtfyTopic } from './ntfy.server.ts';
export { remindOfDoses } from './dose-reminders.server.ts';
export { confirmPushShown, sendPushTest } from './push-proof.server.ts';
export {
  getPushBrowser,
  listPushBrowsers,
  pushPublicKey,
  removePushBrowser,
  subscribeBrowser,
} from './push-subscriptions.server.ts';
export { actOnLink, openActLink } from './reminder-links.server.ts';
export { remindOfStock } from './stock-reminders.server.ts';
