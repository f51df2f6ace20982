import type { Site } from './letter.ts';

const token = (text: string) => encodeURIComponent(text);

/** Addresses that stand in mails. */
export const LINKS = {
  resetPassword: ({ appUrl }: Site, secret: string) => `${appUrl}/reset-password/${token(secret)}`,
  confirmEmail: ({ appUrl }: Site, secret: string) => `${appUrl}/confirm-email/${token(secret)}`,
  forgotPassword: ({ appUrl }: Site) => `${appUrl}/forgot-password`,
  act: ({ appUrl }: Site, secret: string) => `${appUrl}/act/${token(secret)}`,
  reminders: ({ appUrl }: Site) => `${appUrl}/dashboard/reminders`,
  notifications: ({ appUrl }: Site) => `${appUrl}/dashboard/profile/notifications`,
  profile: ({ appUrl }: Site) => `${appUrl}/dashboard/profile`,
  upgrade: ({ appUrl }: Site) => `${appUrl}/upgrade`,
  referrals: ({ appUrl }: Site) => `${appUrl}/dashboard/referrals`,
} as const;
