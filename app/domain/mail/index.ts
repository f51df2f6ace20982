export {
  accountDeletedMail,
  deletionCancelledMail,
  deletionScheduledMail,
  referralCreditedMail,
  reinstatedMail,
  suspendedMail,
  trialEndingMail,
} from '#app/domain/accounts/account-mails.ts';
export {
  cancellationScheduledMail,
  cardExpiringMail,
  paymentFailedMail,
  paymentRecoveredMail,
  subscriptionEndedMail,
  subscriptionStartedMail,
} from '#app/domain/billing/billing-mails.ts';
export { emailChangeAskedMail, emailChangedMail, emailConfirmMail } from '#app/domain/accounts/email-change-mails.ts';
export { ISSUE_TEMPLATES, issueMail } from '#app/domain/billing/billing-issue-mails.ts';
export type { Block, Letter, MailText, Site } from './letter.ts';
export { LINKS } from './mail-links.ts';
export { dayText, dollars, momentText, type Moment } from './mail-dates.ts';
export { passwordChangedMail, passwordResetMail } from '#app/domain/accounts/password-mails.ts';
export { oneLine } from './plain-text.ts';
export { reminderMail, type ReminderMail } from '#app/domain/reminders/reminder-mails.ts';
export {
  apiTokenMadeMail,
  recoveryCodesMadeMail,
  recoveryCodeUsedMail,
  secondFactorOffMail,
  secondFactorOnMail,
} from '#app/domain/accounts/security-mails.ts';
export { writeLetter } from './write-mail.ts';
