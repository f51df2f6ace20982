import * as z from 'zod';
import { MAX_SHARES, SHARE_DAYS } from './report-share.ts';
import { lineField } from '#app/domain/forms/fields.ts';
import { periodFields, periodRules } from '#app/domain/forms/period.ts';

export const REPORT_MESSAGES = {
  compound: 'Choose one of the compounds',
  days: 'Choose when the link expires',
  label: 'Recipient can have at most 60 characters',
  limit: `You have ${MAX_SHARES} active links, which is the maximum. Revoke one you no longer need.`,
} as const;

const request = {
  ...periodFields,
  /** The compound to report on; empty or absent for all. */
  compound: lineField(REPORT_MESSAGES.compound, 100).nullish(),
  /** Whether the user's own notes are included. */
  notes: z.enum(['on', '']).optional().catch(undefined),
};

/** The scope of a report. */
export const reportSchema = z.object(request).superRefine(periodRules);
export type ReportInput = z.input<typeof reportSchema>;
export type ReportRequest = z.output<typeof reportSchema>;

/** A new link to a report. */
export const reportShareSchema = z
  .object({
    ...request,
    days: z.enum(SHARE_DAYS, { error: REPORT_MESSAGES.days }),
    /** The recipient or purpose; only the owner sees it. */
    label: lineField(REPORT_MESSAGES.label, 60).nullish(),
  })
  .superRefine(periodRules);
export type ReportShareInput = z.input<typeof reportShareSchema>;
