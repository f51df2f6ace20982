import * as z from 'zod';
import { API_TOKEN_SCOPES } from '#app/domain/accounts/api-token.ts';
import { DEFAULT_NOTIFICATION_CHOICES } from '#app/domain/reminders/notification-choices.ts';
import { instant, named } from '#app/platform/api/shapes.ts';

/** Notification choices in an answer. */
export const notificationChoicesShape = named(
  'NotificationChoices',
  z.object({
    inPage: z.boolean().describe('In the page, while it is open'),
    push: z.boolean(),
    email: z.boolean(),
    discreet: z.boolean().describe('Pushes and mails name no compound and no amount'),
    repeatOverdue: z.boolean().describe('Remind again of an overdue dose'),
    missedAfterHours: z.int().describe('Hours after its time at which an open dose counts as missed'),
    leadDefault: z.int().describe('Minutes of notice of new schedules'),
    lowStock: z.boolean(),
    vialExpiry: z.boolean(),
  }),
);

/** Choices in the document's examples. */
export const EXAMPLE_CHOICES = DEFAULT_NOTIFICATION_CHOICES;

/** A personal token in an answer, without its secret. */
export const apiTokenShape = named(
  'ApiToken',
  z.object({
    id: z.string(),
    name: z.string(),
    scope: z.enum(API_TOKEN_SCOPES),
    createdAt: instant,
    expiresAt: instant.nullable().describe('Null for a token without end'),
    lastUsedAt: instant.nullable(),
    isOver: z.boolean().describe('It has expired and opens nothing'),
  }),
);

/** A token in the document's examples. */
export const EXAMPLE_API_TOKEN = {
  id: '6740f1a29c1b2d3e4f506172',
  name: 'Home server',
  scope: 'read',
  createdAt: '2026-11-22T08:00:00.000Z',
  expiresAt: '2027-02-20T08:00:00.000Z',
  lastUsedAt: null,
  isOver: false,
};
