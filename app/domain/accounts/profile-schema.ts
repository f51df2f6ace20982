import * as z from 'zod';
import { SYRINGE_IDS } from '#app/domain/calculator/calculation.ts';
import { plainText } from '#app/domain/decimal/decimal.ts';
import { decimalField, zoneField } from '#app/domain/forms/fields.ts';
import { VOLUME_UNITS } from '#app/domain/units/quantity.ts';
import { MAX_PASSWORD_LENGTH } from './account.ts';
import { MAX_PERSON_NAME_LENGTH, MEASUREMENT_UNITS, PREFERRED_DOSE_UNITS } from './profile.ts';
import { ACCOUNT_MESSAGES, passwordSchema } from './account-schema.ts';
import { optionalCode } from './second-factor-schema.ts';

/** More than any syringe with a needle keeps back: a larger number is a volume of something else. */
const MAX_DEAD_SPACE_ML = 0.5;

/** Messages of the profile's forms. */
export const PROFILE_MESSAGES = {
  name: `Name can have at most ${MAX_PERSON_NAME_LENGTH} characters`,
  timeZone: 'Choose a time zone from the list',
  doseUnit: 'Choose mg or mcg',
  units: 'Choose metric or imperial',
  syringe: 'Choose one of the listed syringes',
  deadSpaceMl: `Dead space must be between 0 and ${MAX_DEAD_SPACE_ML} ml`,
  wrongPassword: 'This is not your current password',
  samePassword: 'The new password is the same as the current one',
} as const;

/** A name of one line: runs of blanks, line ends and control characters become one blank. */
const personName = z
  .string({ error: PROFILE_MESSAGES.name })
  .transform((text) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim())
  .pipe(z.string().max(MAX_PERSON_NAME_LENGTH, { error: PROFILE_MESSAGES.name }));

/** The profile's details. An empty name removes the name; without a syringe or its dead space these stay. */
export const profileSchema = z.object({
  name: personName.optional(),
  timeZone: zoneField(PROFILE_MESSAGES.timeZone),
  doseUnit: z.enum(PREFERRED_DOSE_UNITS, { error: PROFILE_MESSAGES.doseUnit }),
  units: z.enum(MEASUREMENT_UNITS, { error: PROFILE_MESSAGES.units }),
  syringe: z
    .enum(SYRINGE_IDS, { error: PROFILE_MESSAGES.syringe })
    .optional()
    .describe('What doses are drawn with: their units are counted on its scale'),
  deadSpaceMl: decimalField(PROFILE_MESSAGES.deadSpaceMl, { most: MAX_DEAD_SPACE_ML, units: VOLUME_UNITS })
    .transform(plainText)
    .optional()
    .describe(
      'ml that stay in syringe and needle after each injection, 0 for none: the forecast of stock counts them',
    ),
});

export type ProfileInput = z.input<typeof profileSchema>;

/** Changing some of the details; the others stay. An empty name removes the name. */
export const profileChangesSchema = profileSchema.partial();

export type ProfileChangesInput = z.input<typeof profileChangesSchema>;

/** A password that is compared, not set: only its length is bounded, so that a wrong one is wrong and not malformed. */
const knownPassword = z
  .string({ error: ACCOUNT_MESSAGES.required })
  .min(1, { error: ACCOUNT_MESSAGES.required, abort: true })
  .max(MAX_PASSWORD_LENGTH, { error: PROFILE_MESSAGES.wrongPassword });

/** Changing the password while signed in. */
export const changePasswordSchema = z
  .object({
    currentPassword: knownPassword,
    newPassword: passwordSchema,
    confirmPassword: z
      .string({ error: ACCOUNT_MESSAGES.required })
      .min(1, { error: ACCOUNT_MESSAGES.required }),
    endLinks: z.boolean().default(false).describe('Whether shared reports and the calendar link end as well'),
  })
  .superRefine((value, context) => {
    const issue = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (value.newPassword !== value.confirmPassword)
      issue('confirmPassword', ACCOUNT_MESSAGES.passwordsDiffer);
    if (value.newPassword === value.currentPassword) issue('newPassword', PROFILE_MESSAGES.samePassword);
  });

export type ChangePasswordInput = z.input<typeof changePasswordSchema>;

/** Entering the password again before a change of the account's security, and where the account has two-step sign-in a code. */
export const confirmPasswordSchema = z.object({ password: knownPassword, code: optionalCode });

export type ConfirmPasswordInput = z.input<typeof confirmPasswordSchema>;
