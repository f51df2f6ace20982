import type { BillingProblemType } from './billing-state.ts';
import {
  type MailText,
  type Site,
  type Letter,
  writeLetter,
  oneLine,
  LINKS,
  dollars,
  dayText,
  type Moment,
  BILLING_REASON,
  NOTHING_DELETED,
} from '#app/domain/mail/letter.ts';
import { type Plan, PRICE_CENTS } from './plans.ts';

/** Mails that an administrator can send about a billing issue. */
export const ISSUE_TEMPLATES: Readonly<Record<BillingProblemType, { label: string; subject: string }>> = {
  payment_failed: { label: 'A payment failed', subject: 'About your payment for Vialbook' },
  card_expired: { label: 'The card expires', subject: 'Your card for Vialbook' },
  dispute: { label: 'A payment is disputed', subject: 'About the disputed payment for Vialbook' },
  refund_request: { label: 'A refund was requested', subject: 'About your refund' },
};

const ISSUE_TEXTS: Readonly<Record<BillingProblemType, (amount: string) => string[]>> = {
  payment_failed: (amount) => [
    `A payment of ${amount} for your subscription did not go through. Often the card has expired or the bank has declined it.`,
    'Adding another card fixes it right away. If you think this is a mistake, reply to this mail.',
  ],
  card_expired: () => [
    'The card on file for your subscription expires at the end of the month.',
    'Add another card to keep Premium without a break.',
  ],
  dispute: (amount) => [
    `Your bank told us that you dispute a payment of ${amount}, and has taken the money back.`,
    'If you did not mean to dispute it, please tell your bank. If something is wrong with the charge, tell us and we will put it right.',
  ],
  refund_request: (amount) => [
    `You asked for a refund of ${amount}. We are looking into it and will write again once it is decided.`,
  ],
};

/**
 * The mail of a template.
 * @param data.note what the administrator adds; several lines become one paragraph each
 */
export function issueMail(
  data: Site & { template: BillingProblemType; amountCents: number; note?: string | undefined },
): MailText {
  const { template, amountCents, note = '' } = data;
  const notes = note
    .split(/\n+/)
    .map((line) => oneLine(line, 1000))
    .filter((line) => line !== '');
  const link = { kind: 'link', label: 'See your plan', url: LINKS.upgrade(data) } as const;
  const blocks = [...ISSUE_TEXTS[template](dollars(amountCents)), ...notes, link];
  return writeLetter({ subject: ISSUE_TEMPLATES[template].subject, blocks, reason: BILLING_REASON }, data);
}

function billingLetter(site: Site, subject: string, blocks: Letter['blocks'], link: string): MailText {
  const end = { kind: 'link', label: link, url: LINKS.upgrade(site) } as const;
  return writeLetter({ subject, blocks: [...blocks, end], reason: BILLING_REASON }, site);
}

/** Premium was bought. @param data.at when the next charge is due */
export function subscriptionStartedMail(data: Site & Moment & { plan: Plan }): MailText {
  const facts = {
    kind: 'facts',
    rows: [
      ['Plan', `Premium, ${data.plan}`],
      ['Price', `${dollars(PRICE_CENTS[data.plan])} ${data.plan === 'monthly' ? 'a month' : 'a year'}`],
      ['Next charge', dayText(data)],
    ],
  } as const;
  return billingLetter(
    data,
    'Premium is on',
    [
      'Thank you. Premium is on for your account.',
      facts,
      'You can cancel at any time and keep Premium until the end of the period you paid for.',
    ],
    'See your plan',
  );
}

/** A renewal could not be charged. @param data.at end of the grace */
export function paymentFailedMail(data: Site & Moment & { amountCents: number }): MailText {
  return billingLetter(
    data,
    'A payment for Vialbook failed',
    [
      `We could not charge ${dollars(data.amountCents)} for your subscription. Often the card has expired or the bank has declined it.`,
      `Premium stays on until ${dayText(data)}. We will try again before then; adding another card fixes it right away.`,
      `After that your account goes back to the free plan. ${NOTHING_DELETED}`,
    ],
    'Check the card',
  );
}

/** The failed payment went through after all. */
export function paymentRecoveredMail(data: Site): MailText {
  return billingLetter(
    data,
    'Your payment went through',
    ['The payment that failed has now gone through. Premium continues as usual.'],
    'See your plan',
  );
}

/** The subscription will not renew. @param data.at when it ends */
export function cancellationScheduledMail(data: Site & Moment): MailText {
  return billingLetter(
    data,
    `Premium ends on ${dayText(data)}`,
    [
      `Your subscription was cancelled and ends on ${dayText(data)}. Until then Premium stays on; nothing more is charged.`,
      NOTHING_DELETED,
    ],
    'Change your mind',
  );
}

export function subscriptionEndedMail(data: Site): MailText {
  return billingLetter(
    data,
    'Your Vialbook subscription has ended',
    [`Your subscription has ended and nothing more is charged. ${NOTHING_DELETED}`],
    'See the plans',
  );
}

/** The card expires before the next charge. */
export function cardExpiringMail(
  data: Site & { last4: string; expMonth: number; expYear: number },
): MailText {
  const month = String(data.expMonth).padStart(2, '0');
  return billingLetter(
    data,
    'Your card is about to expire',
    [
      `The card ending in ${oneLine(data.last4, 4)} expires at the end of ${month}/${data.expYear}. Add another one to keep Premium without a break.`,
    ],
    'Change the card',
  );
}
