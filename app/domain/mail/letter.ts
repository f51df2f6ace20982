import { DateTime } from 'luxon';
import { zoneName } from '#app/domain/time/zoned-time.ts';

// Control characters, and the line and paragraph separators.
// oxlint-disable-next-line no-control-regex -- these are the characters to remove
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** A user's text as a single line of at most `most` characters. */
export function oneLine(text: string, most = 200): string {
  const line = text.replace(CONTROLS, ' ').replace(/ {2,}/g, ' ').trim();
  const signs = [...line];
  return signs.length <= most ? line : `${signs.slice(0, most - 1).join('')}…`;
}

/** A part of a mail: a paragraph, a list of facts, or a link. */
type Block =
  | string
  | { kind: 'facts'; rows: readonly (readonly [label: string, value: string])[] }
  | { kind: 'link'; label: string; url: string };

/** A mail's contents, independent of its layout. */
export interface Letter {
  subject: string;
  blocks: readonly Block[];
  /** Why the reader gets it; shown as the last line. */
  reason: string;
}

/** A mail ready to send, except for its recipient. */
export interface MailText {
  subject: string;
  text: string;
  html: string;
}

/** The origin of this site for links. It comes from the settings, never from a request. */
export interface Site {
  appUrl: string;
}

/** Renders a letter as text and as HTML. */
export function writeLetter(letter: Letter, site: Site): MailText {
  return {
    subject: oneLine(letter.subject),
    text: writeText(letter, site),
    html: writeHtml(letter, site),
  };
}

function textBlock(part: Block): string {
  if (typeof part === 'string') return part;
  if (part.kind === 'link') return `${part.label}:\n${part.url}`;
  return part.rows.map(([label, value]) => `${label}: ${value}`).join('\n');
}

/** The letter as plain text: same wording as the HTML, each link on its own line. */
function writeText({ blocks, reason }: Letter, { appUrl }: Site): string {
  return [...blocks.map(textBlock), `-- \nVialbook, ${appUrl}\n${reason}`].join('\n\n').concat('\n');
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text escaped for HTML elements and quoted attributes. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}

const BODY = 'margin:0;padding:24px;background:#f6f5f1;color:#1d1c1a;font:16px/1.5 system-ui,sans-serif';
const SHEET = 'max-width:36em;margin:0 auto;padding:24px;background:#fff;border:1px solid #d9d6cc';
const BUTTON =
  'display:inline-block;padding:10px 18px;background:#1f4e79;color:#fff;text-decoration:none;font-weight:600';
const SMALL = 'font-size:13px;color:#5b5850';

function link(label: string, url: string): string {
  const address = escapeHtml(url);
  return [
    `<p><a href="${address}" style="${BUTTON}">${escapeHtml(label)}</a></p>`,
    `<p style="${SMALL};word-break:break-all">${address}</p>`,
  ].join('\n');
}

function facts(rows: readonly (readonly [string, string])[]): string {
  const cells = rows.map(
    ([label, value]) =>
      `<tr><th scope="row" style="text-align:left;padding:2px 16px 2px 0;font-weight:400">${escapeHtml(label)}</th>` +
      `<td style="padding:2px 0;font-weight:600">${escapeHtml(value)}</td></tr>`,
  );
  return `<table role="presentation" style="border-collapse:collapse">\n${cells.join('\n')}\n</table>`;
}

function htmlBlock(part: Block): string {
  if (typeof part === 'string') return `<p>${escapeHtml(part)}</p>`;
  return part.kind === 'link' ? link(part.label, part.url) : facts(part.rows);
}

/** The letter as HTML. It loads nothing (no scripts, no images), so it cannot reveal when it is read. */
function writeHtml({ subject, blocks, reason }: Letter, { appUrl }: Site): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light">
<title>${escapeHtml(subject)}</title>
</head>
<body style="${BODY}">
<div style="${SHEET}">
${blocks.map(htmlBlock).join('\n')}
<hr style="border:0;border-top:1px solid #d9d6cc;margin:24px 0 12px">
<p style="${SMALL}">Vialbook, <a href="${escapeHtml(appUrl)}" style="color:inherit">${escapeHtml(appUrl)}</a><br>
${escapeHtml(reason)}</p>
</div>
</body>
</html>
`;
}

/** Why a security notice is sent; it cannot be turned off. */
export const SECURITY_REASON = 'You received this mail because the security of your account changed.';

/** Why a billing notice is sent. */
export const BILLING_REASON = 'You received this mail because of your Vialbook subscription.';

/** Why a notice about the account itself is sent. */
export const ACCOUNT_REASON = 'You received this mail because you have a Vialbook account.';

/** What to do about a change that the owner did not make. */
export const NOT_YOU = 'If this was not you, reset your password now. That signs out every device.';

/** Part of every mail about the end of Premium. */
export const NOTHING_DELETED =
  'Nothing is deleted. Everything you have stays readable, and you can continue on the free plan.';

const token = (text: string) => encodeURIComponent(text);

/** The links in mails. */
export const LINKS = {
  resetPassword: ({ appUrl }: Site, secret: string) => `${appUrl}/reset-password/${token(secret)}`,
  invitation: ({ appUrl }: Site, secret: string) => `${appUrl}/register?invite=${token(secret)}`,
  confirmEmail: ({ appUrl }: Site, secret: string) => `${appUrl}/confirm-email/${token(secret)}`,
  forgotPassword: ({ appUrl }: Site) => `${appUrl}/forgot-password`,
  act: ({ appUrl }: Site, secret: string) => `${appUrl}/act/${token(secret)}`,
  reminders: ({ appUrl }: Site) => `${appUrl}/dashboard/reminders`,
  notifications: ({ appUrl }: Site) => `${appUrl}/dashboard/profile/notifications`,
  profile: ({ appUrl }: Site) => `${appUrl}/dashboard/profile`,
  upgrade: ({ appUrl }: Site) => `${appUrl}/upgrade`,
  referrals: ({ appUrl }: Site) => `${appUrl}/dashboard/referrals`,
} as const;

/** An instant and the zone to show it in. */
export interface Moment {
  at: Date;
  /** IANA name of the reader's zone. */
  timeZone: string;
}

/** "1 March 2026, 14:05 (Europe/Berlin)". */
export function momentText({ at, timeZone }: Moment): string {
  return `${DateTime.fromJSDate(at, { zone: timeZone }).setLocale('en').toFormat('d LLLL yyyy, HH:mm')} (${zoneName(timeZone)})`;
}

/** "1 March 2026". */
export function dayText({ at, timeZone }: Moment): string {
  return DateTime.fromJSDate(at, { zone: timeZone }).setLocale('en').toFormat('d LLLL yyyy');
}

/** "$5.00", from US cents. */
export function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}
