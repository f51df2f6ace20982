import type { TroubleType } from './billing-state.ts';
import type { MailText, Site } from '#app/domain/mail/letter.ts';
import { LINKS } from '#app/domain/mail/mail-links.ts';
import { dollars } from '#app/domain/mail/mail-dates.ts';
import { oneLine } from '#app/domain/mail/plain-text.ts';
import { BILLING_REASON } from '#app/domain/mail/mail-reasons.ts';
import { writeLetter } from '#app/domain/mail/write-mail.ts';

/** What an administrator writes to somebody about a billing issue. */
export const ISSUE_TEMPLATES: Readonly<Record<TroubleType, { label: string; subject: string }>> = {
  payment_failed: { label: 'A payment failed', subject: 'About your payment for Vialbook' },
  card_expired: { label: 'The card expires', subject: 'Your card for Vialbook' },
  dispute: { label: 'A payment is disputed', subject: 'About the disputed payment for Vialbook' },
  refund_request: { label: 'A refund was asked for', subject: 'About your refund' },
};

const WORDS: Readonly<Record<TroubleType, (amount: string) => string[]>> = {
  payment_failed: (amount) => [
    `A payment of ${amount} for your subscription did not go through. Often the card has expired or the bank has declined it.`,
    'Another card puts it right at once. If you think that this is a mistake, answer this mail.',
  ],
  card_expired: () => [
    'The card on file for your subscription expires at the end of the month.',
    'With another card Premium goes on without a break.',
  ],
  dispute: (amount) => [
    `Your bank has told us that a payment of ${amount} is disputed, and has taken it back.`,
    'If you did not mean to dispute it, please tell your bank. If something is wrong with the charge, tell us, and we put it right.',
  ],
  refund_request: (amount) => [
    `You asked for a refund of ${amount}. We are looking at it and write again when it is decided.`,
  ],
};

/**
 * The mail of a template.
 * @param data.note what the administrator adds; several lines become one paragraph each
 */
export function issueMail(
  data: Site & { template: TroubleType; amountCents: number; note?: string | undefined },
): MailText {
  const { template, amountCents, note = '' } = data;
  const notes = note
    .split(/\n+/)
    .map((line) => oneLine(line, 1000))
    .filter((line) => line !== '');
  const link = { kind: 'link', label: 'See your plan', url: LINKS.upgrade(data) } as const;
  const blocks = [...WORDS[template](dollars(amountCents)), ...notes, link];
  return writeLetter({ subject: ISSUE_TEMPLATES[template].subject, blocks, reason: BILLING_REASON }, data);
}
