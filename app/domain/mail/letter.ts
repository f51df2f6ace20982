/** A part of a mail: a paragraph, a list of facts, or the one thing to do. */
export type Block =
  | string
  | { kind: 'facts'; rows: readonly (readonly [label: string, value: string])[] }
  | { kind: 'link'; label: string; url: string };

/** A mail before it is written out: what it says, not how it looks. */
export interface Letter {
  subject: string;
  blocks: readonly Block[];
  /** Why the reader gets it, the last line. */
  reason: string;
}

/** A mail ready to send, but for its receiver. */
export interface MailText {
  subject: string;
  text: string;
  html: string;
}

/** Where a letter's links lead: the origin of this site, from the settings, never from a request. */
export interface Site {
  appUrl: string;
}
