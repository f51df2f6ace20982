import { NETWORK_TEXTS } from '#app/domain/messages/connection-messages.ts';

/** What a sign-in says when the server does not answer, or not yet. */
export const CONNECTION_MESSAGES = {
  connecting: 'Connecting to server... This may take up to 60 seconds on first load.',
  starting:
    'Server is starting up. Please wait a moment and try again. This only happens on the first login of the day.',
  failed: NETWORK_TEXTS.message,
} as const;
