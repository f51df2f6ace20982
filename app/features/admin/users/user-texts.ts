import type { BadgeTone } from '#app/ui/badge.tsx';

export const ROLE_LABELS = { user: 'User', admin: 'Admin', super_admin: 'Super Admin' } as const;
export const SUBSCRIPTION_LABELS = { free: 'Free', premium: 'Premium' } as const;
export const STATUS_LABELS = {
  active: 'Active',
  trial: 'Trial',
  past_due: 'Past due',
  canceled: 'Canceled',
} as const;

export const STATUS_TONES: Readonly<Record<keyof typeof STATUS_LABELS, BadgeTone>> = {
  active: 'good',
  trial: 'pen',
  past_due: 'warn',
  canceled: 'soft',
};
