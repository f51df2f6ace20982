export {
  accountDeletedMail,
  deletionCancelledMail,
  deletionScheduledMail,
  referralCreditedMail,
  reinstatedMail,
  suspendedMail,
  trialEndingMail,
} from './account-mails.ts';
export {
  cancellationScheduledMail,
  cardExpiringMail,
  paymentFailedMail,
  paymentRecoveredMail,
  subscriptionEndedMail,
  subscriptionStartedMail,
} from './billing-mails.ts';
export { emailChangeAskedMail, emailChangedMail, emailConfirmMail } from './email-mails.ts';
export { ISSUE_TEMPLATES, issueMail } from './issue-mails.ts';
export type { Block, Letter, MailText, Site } from './letter.ts';
export { LINKS } from './links.ts';
export { dayText, dollars, momentText, type Moment } from './moments.ts';
export { passwordChangedMail, passwordResetMail } from './password-mails.ts';
export { oneLine } from './plain.ts';
export { reminderMail, type ReminderMail } from './reminder-mails.ts';
export {
  apiTokenMadeMail,
  recoveryCodesMadeMail,
  recoveryCodeUsedMail,
  secondFactorOffMail,
  secondFactorOnMail,
} from './security-mails.ts';
export { writeLetter } from './write.ts';
