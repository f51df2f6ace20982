import * as z from 'zod';
import { logDoseSchema, passDoseSchema, takeDoseSchema } from '#app/domain/doses/dose-schema.ts';
import { DOSE_WARNINGS } from '#app/domain/doses/dose-warnings.ts';
import { idField, momentField } from '#app/domain/forms/fields.ts';
import { logSiteSchema } from '#app/domain/tracking/injection-site-schema.ts';
import { sideEffectSchema } from '#app/domain/tracking/side-effect-schema.ts';

export const OFFLINE_MESSAGES = {
  kind: 'This cannot be saved offline',
  id: 'The entry has no id',
  at: 'The entry has no time',
  otherUser: 'Someone else is signed in here now. This entry was not saved.',
  skipped:
    'This dose has since been marked as skipped elsewhere. If you log it as taken, it counts and is drawn from the vial.',
} as const;

const doseId = idField('Choose one of your doses');

/** Code of the question about a dose that was taken on this device but skipped on another. */
export const SKIPPED_ELSEWHERE = 'SKIPPED';

const confirmed = z.array(z.enum([...DOSE_WARNINGS, SKIPPED_ELSEWHERE])).default([]);

/** What can be logged offline, by kind, with the fields of the operation behind it. */
export const OFFLINE_FIELDS = {
  calculation: z.record(z.string().max(40), z.union([z.string().max(5000), z.number()])),
  'dose-taken': takeDoseSchema.extend({ doseId, confirmed }),
  'dose-skipped': passDoseSchema.extend({ doseId }),
  'dose-as-needed': takeDoseSchema.extend({ scheduleId: idField('Choose one of your plans') }),
  'dose-logged': logDoseSchema,
  site: logSiteSchema.omit({ saveKey: true }),
  'side-effect': sideEffectSchema.omit({ saveKey: true }),
} as const;

export type OfflineKind = keyof typeof OFFLINE_FIELDS;

export const OFFLINE_KINDS = Object.keys(OFFLINE_FIELDS) as [OfflineKind, ...OfflineKind[]];

/** One entry of the outbox as it is sent. Its fields are checked by the schema of its kind. */
export const offlineEntrySchema = z.object({
  /** The owner; the session that sends it must be theirs. */
  userId: idField(OFFLINE_MESSAGES.id),
  /** Made by the client, so that an entry that is sent twice is saved once. */
  id: z.string({ error: OFFLINE_MESSAGES.id }).regex(/^[\w-]{16,64}$/, { error: OFFLINE_MESSAGES.id }),
  kind: z.enum(OFFLINE_KINDS, { error: OFFLINE_MESSAGES.kind }),
  /** When it was logged, by the device's clock. */
  at: momentField(OFFLINE_MESSAGES.at),
  fields: z.record(z.string(), z.unknown()),
});

export type OfflineEntryInput = z.input<typeof offlineEntrySchema>;
export type OfflineEntryFields = z.output<typeof offlineEntrySchema>;
