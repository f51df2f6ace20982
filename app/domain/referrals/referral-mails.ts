import {
  dayText,
  type Moment,
  ACCOUNT_REASON,
  LINKS,
  writeLetter,
  type MailText,
  type Site,
} from '#app/domain/mail/letter.ts';

/** A referral earned Premium. @param data.at when the credit ends now @param data.days how many were added */
export function referralCreditedMail(data: Site & Moment & { days: number }): MailText {
  return writeLetter(
    {
      subject: `${data.days} days of Premium for a referral`,
      blocks: [
        `A referral earned you ${data.days} days of Premium. Your credit now lasts until ${dayText(data)}.`,
        { kind: 'link', label: 'See your referrals', url: LINKS.referrals(data) },
      ],
      reason: ACCOUNT_REASON,
    },
    data,
  );
}
