import type { ApiTokenScope } from './api-token.ts';
import {
  oneLine,
  writeLetter,
  type MailText,
  type Site,
  LINKS,
  momentText,
  NOT_YOU,
  SECURITY_REASON,
  type Moment,
} from '#app/domain/mail/letter.ts';
import { plural } from '#app/domain/text/plural.ts';

/** The link to choose a new password. */
export function passwordResetMail(data: Site & { token: string; validMinutes: number }): MailText {
  return writeLetter(
    {
      subject: 'Reset your Vialbook password',
      blocks: [
        'Someone, probably you, asked to reset the password of the Vialbook account with this email address.',
        { kind: 'link', label: 'Choose a new password', url: LINKS.resetPassword(data, data.token) },
        `The link works once, within ${plural(data.validMinutes, 'minute')}. Choosing a new password signs out every device and removes all passkeys and links with other services.`,
        'If you did not ask for this, ignore this mail: your password stays the same.',
      ],
      reason: 'You received this mail because a password reset was requested for your email address.',
    },
    data,
  );
}

/** Invites somebody who has no account. */
export function invitationMail(data: Site & { token: string; validDays: number }): MailText {
  return writeLetter(
    {
      subject: 'You are invited to Vialbook',
      blocks: [
        `The administrator of ${data.appUrl} invites you to create an account there.`,
        { kind: 'link', label: 'Create an account', url: LINKS.invitation(data, data.token) },
        `The link works once, within ${plural(data.validDays, 'day')}.`,
        'If you do not know why you were invited, you can ignore this mail.',
      ],
      reason: 'You received this mail because an administrator entered your email address.',
    },
    data,
  );
}

export function passwordChangedMail(data: Site & Moment): MailText {
  return writeLetter(
    {
      subject: 'Your Vialbook password was changed',
      blocks: [
        `The password of your account was changed on ${momentText(data)}. Other devices were signed out.`,
        NOT_YOU,
        { kind: 'link', label: 'Reset password', url: LINKS.forgotPassword(data) },
      ],
      reason: SECURITY_REASON,
    },
    data,
  );
}

/** To the address of a new account, whose owner confirms it by the link. */
export function emailConfirmationMail(
  data: Site & { token: string; validHours: number; isSelling: boolean },
): MailText {
  return writeLetter(
    {
      subject: 'Confirm your email address for Vialbook',
      blocks: [
        'Someone, probably you, created a Vialbook account with this email address.',
        { kind: 'link', label: 'Confirm this address', url: LINKS.confirmEmail(data, data.token) },
        `The link works once, within ${plural(data.validHours, 'hour')}. You can already use Vialbook; only ${data.isSelling ? 'referrals and shared reports' : 'shared reports'} need a confirmed email address.`,
        'If you did not create this account, you can ignore this mail.',
      ],
      reason: 'You received this mail because someone entered your email address when they registered.',
    },
    data,
  );
}

/** To the new address, whose owner confirms it by the link. */
export function emailConfirmMail(data: Site & { token: string; validMinutes: number }): MailText {
  return writeLetter(
    {
      subject: 'Confirm your new email address for Vialbook',
      blocks: [
        'Someone, probably you, asked to use this email address for their Vialbook account.',
        { kind: 'link', label: 'Confirm this address', url: LINKS.confirmEmail(data, data.token) },
        `The link works once, within ${plural(data.validMinutes, 'minute')}. Until you confirm, the account keeps its old address.`,
        'If you did not ask for this, you can ignore this mail.',
      ],
      reason: 'You received this mail because someone entered your email address in their Vialbook profile.',
    },
    data,
  );
}

/** To the old address: a change was requested. It does not name the new address, since strangers may read this mailbox. */
export function emailChangeAskedMail(data: Site & Moment): MailText {
  return writeLetter(
    {
      subject: 'Someone asked to change the email address of your Vialbook account',
      blocks: [
        `On ${momentText(data)} someone signed in to your account asked to change its email address. The change takes effect once the new address is confirmed.`,
        NOT_YOU,
        { kind: 'link', label: 'Reset password', url: LINKS.forgotPassword(data) },
      ],
      reason: SECURITY_REASON,
    },
    data,
  );
}

/** To the old address: the account now has a new one. */
export function emailChangedMail(data: Site & Moment): MailText {
  return writeLetter(
    {
      subject: 'The email address of your Vialbook account was changed',
      blocks: [
        `The email address of your account was changed on ${momentText(data)}. Our mails now go to the new address, and you can no longer sign in with this one.`,
        'If this was not you, contact support at once: a password reset with this address no longer reaches the account.',
      ],
      reason: SECURITY_REASON,
    },
    data,
  );
}

function notice(site: Site, subject: string, happened: readonly string[]): MailText {
  return writeLetter(
    {
      subject,
      blocks: [...happened, NOT_YOU, { kind: 'link', label: 'Open your profile', url: LINKS.profile(site) }],
      reason: SECURITY_REASON,
    },
    site,
  );
}

/** Somebody signed in from a browser and an address that were not used for the account before. */
export function newSignInMail(data: Site & Moment & { browser: string; address: string }): MailText {
  return notice(data, 'New sign-in to your Vialbook account', [
    `Someone signed in to your account on ${momentText(data)}. Browser: ${oneLine(data.browser, 60)}. Network address: ${oneLine(data.address, 60)}. Neither has been used for your account before.`,
    'If this was you, you can ignore this mail.',
  ]);
}

/** Two-step sign-in was turned on. */
export function secondFactorOnMail(data: Site & Moment): MailText {
  return notice(data, 'Two-step sign-in is on', [
    `Two-step sign-in was turned on for your account on ${momentText(data)}.`,
    'From now on you need a code from your authenticator app to sign in. Keep your recovery codes where you can find them without your phone.',
  ]);
}

/** Two-step sign-in was turned off. */
export function secondFactorOffMail(data: Site & Moment): MailText {
  return notice(data, 'Two-step sign-in is off', [
    `Two-step sign-in was turned off for your account on ${momentText(data)}. From now on you sign in with your password alone.`,
  ]);
}

/** A recovery code was used. @param data.left how many are left */
export function recoveryCodeUsedMail(data: Site & Moment & { left: number }): MailText {
  return notice(data, 'A recovery code was used', [
    `A recovery code of your account was used on ${momentText(data)}. You have ${plural(data.left, 'recovery code')} left.`,
    ...(data.left <= 3 ? ['Create new ones in your profile before you run out.'] : []),
  ]);
}

/** New recovery codes replaced the old ones. */
export function recoveryCodesCreatedMail(data: Site & Moment): MailText {
  return notice(data, 'New recovery codes were created', [
    `New recovery codes were created for your account on ${momentText(data)}. The old ones no longer work.`,
  ]);
}

/** A passkey was added. @param data.name as its owner named it */
export function passkeyAddedMail(data: Site & Moment & { name: string }): MailText {
  return notice(data, 'A passkey was added', [
    `A passkey named “${oneLine(data.name, 60)}” was added to your account on ${momentText(data)}. Anyone who has it can sign in without your password.`,
  ]);
}

/** A passkey was removed. @param data.name as its owner named it */
export function passkeyRemovedMail(data: Site & Moment & { name: string }): MailText {
  return notice(data, 'A passkey was removed', [
    `The passkey named “${oneLine(data.name, 60)}” was removed from your account on ${momentText(data)}. It can no longer be used to sign in.`,
  ]);
}

/** A passkey's counter went backwards, so it may have been copied. @param data.name as its owner named it */
export function passkeyCopiedMail(data: Site & Moment & { name: string }): MailText {
  return notice(data, 'A passkey was refused', [
    `Your passkey named “${oneLine(data.name, 60)}” was refused on ${momentText(data)}, because it may have been copied. Remove it in your profile and add a new one.`,
  ]);
}

/** The account was linked with a provider. @param data.name of the provider */
export function identityLinkedMail(data: Site & Moment & { name: string }): MailText {
  return notice(data, `Sign-in with ${oneLine(data.name, 40)} was added`, [
    `Your account was linked with ${oneLine(data.name, 40)} on ${momentText(data)}. Whoever can sign in there can now sign in to your account without its password.`,
  ]);
}

/** The link with a provider was removed. @param data.name of the provider */
export function identityUnlinkedMail(data: Site & Moment & { name: string }): MailText {
  return notice(data, `Sign-in with ${oneLine(data.name, 40)} was removed`, [
    `The link of your account with ${oneLine(data.name, 40)} was removed on ${momentText(data)}. It can no longer be used to sign in.`,
  ]);
}

/** An API token was created. @param data.name as its owner named it */
export function apiTokenCreatedMail(data: Site & Moment & { name: string; scope: ApiTokenScope }): MailText {
  const may = data.scope === 'write' ? 'read and write' : 'read';
  return notice(data, 'An API token was created', [
    `An API token named “${oneLine(data.name, 60)}” was created for your account on ${momentText(data)}. Anyone who has it can ${may} your data.`,
  ]);
}

/** A way for an account's data to leave. `to`: the host of an address, because the rest may contain a secret, or a browser. */
export interface OutgoingChannel {
  kind: 'webhook' | 'ntfy' | 'push';
  to: string;
}

const CHANNELS: Readonly<Record<OutgoingChannel['kind'], { subject: string; what: string }>> = {
  webhook: { subject: 'A webhook was set up', what: 'send events of your account to a webhook at' },
  ntfy: { subject: 'An ntfy topic was set up', what: 'send your reminders to an ntfy topic at' },
  push: { subject: 'Push notifications were turned on', what: 'send your reminders to the browser' },
};

/** A webhook, an ntfy topic or a browser was set up or changed. */
export function outgoingChannelMail(data: Site & Moment & { channel: OutgoingChannel }): MailText {
  const { subject, what } = CHANNELS[data.channel.kind];
  return notice(data, subject, [
    `On ${momentText(data)} Vialbook was told to ${what} ${oneLine(data.channel.to, 100)}.`,
    'If this was you, you can ignore this mail.',
  ]);
}

/** The account will be deleted. @param data.at when */
export function deletionScheduledMail(data: Site & Moment & { isSelling: boolean }): MailText {
  return writeLetter(
    {
      subject: 'Your Vialbook account will be deleted',
      blocks: [
        `As you asked, your account and everything in it will be deleted on ${momentText(data)}.${data.isSelling ? ' If you have a subscription, it ends then too.' : ''}`,
        'Until then you can still sign in, download your data, or decide to keep the account.',
        { kind: 'link', label: 'Keep the account', url: LINKS.profile(data) },
        'If you did not ask for this, sign in, choose “Keep the account”, and change your password.',
      ],
      reason: SECURITY_REASON,
    },
    data,
  );
}

export function deletionCancelledMail(data: Site): MailText {
  return writeLetter(
    {
      subject: 'Your Vialbook account will not be deleted',
      blocks: [
        'The deletion of your account was cancelled. Nothing has changed.',
        { kind: 'link', label: 'Open your profile', url: LINKS.profile(data) },
      ],
      reason: SECURITY_REASON,
    },
    data,
  );
}

/** The account was deleted: the last mail to its address. */
export function accountDeletedMail(data: Site): MailText {
  return writeLetter(
    {
      subject: 'Your Vialbook account was deleted',
      blocks: [
        'As you asked, your account and everything in it were deleted. This cannot be undone.',
        'This is the last mail we send to this address.',
      ],
      reason: 'You received this mail because you had a Vialbook account.',
    },
    data,
  );
}
