import { createHash } from 'node:crypto';

const digest = (text: string, length: number) =>
  createHash('sha256').update(text).digest('base64url').slice(0, length);

/** Letters and digits only: an id also stands in addresses and selectors. */
const plainDigest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** The so-many-th reminder of a dose; whoever makes it gives it this id. */
export const reminderIdOfDose = (doseId: string, count: number) => `rem_${plainDigest(`${doseId}:${count}`)}`;

/** A reminder that is not about a dose: one for each piece of news. */
export const reminderIdOfNews = (userId: string, key: string) => `rem_${plainDigest(`${userId}:${key}`)}`;

/** The delivery of a reminder to one receiver: a browser, or the mailbox. */
export const deliveryId = (reminderId: string, receiver: string) =>
  `dlv_${plainDigest(`${reminderId}:${receiver}`)}`;

/** The id of a browser's subscription: its endpoint is a secret. */
export const subscriptionId = (endpoint: string) => `push_${digest(endpoint, 43)}`;

/** A push topic: 32 signs at most. Pushes about one dose have the same, so that the later replaces the earlier. */
export const pushTopic = (about: string) => digest(about, 32);
