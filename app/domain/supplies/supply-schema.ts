import * as z from 'zod';
import { wholeField } from '#app/domain/forms/fields.ts';
import { withoutControls } from '#app/domain/forms/text-fields.ts';
import { SUPPLY_KINDS } from './supply.ts';

const MAX_NAME = 100;
/** More changes than anybody makes. */
const MAX_VERSION = 1_000_000_000;
/** More than anybody stores; sums stay safe integers. */
export const MAX_PIECES = 100_000;
const MAX_PER_INJECTION = 10;

export const SUPPLY_MESSAGES = {
  kind: 'Choose one of the listed kinds',
  name: 'Enter a name',
  nameLong: `Name can have at most ${MAX_NAME} characters`,
  count: `Count must be a whole number from 0 to ${MAX_PIECES}`,
  received: `Pieces received must be a whole number from 1 to ${MAX_PIECES}`,
  perInjection: `Pieces per injection must be a whole number from 1 to ${MAX_PER_INJECTION}`,
} as const;

/** How a supply that is named at the terminal is looked for. */
export const NAMED_SUPPLY = { field: 'supply', records: 'supplies', missing: 'Supply not found.' } as const;

const kind = z.enum(SUPPLY_KINDS, { error: SUPPLY_MESSAGES.kind });

const name = z
  .string({ error: SUPPLY_MESSAGES.name })
  .transform((text) => withoutControls(text.replace(/\s+/g, ' ')).trim())
  .pipe(z.string().min(1, { error: SUPPLY_MESSAGES.name }).max(MAX_NAME, { error: SUPPLY_MESSAGES.nameLong }))
  .meta({ minLength: 1, maxLength: MAX_NAME });

const count = wholeField(SUPPLY_MESSAGES.count, 0, MAX_PIECES);
const perInjection = wholeField(SUPPLY_MESSAGES.perInjection, 1, MAX_PER_INJECTION);

/** A new supply, from a form or the API. */
export const supplySchema = z.object({
  kind,
  name,
  count: count.describe('Pieces you have now'),
  perInjection: perInjection.optional().describe('Pieces used per injection; 1 by default'),
});

export type SupplyInput = z.input<typeof supplySchema>;

/** An update of a supply: only the fields that are sent change. */
export const supplyChangesSchema = supplySchema
  .omit({ count: true })
  .partial()
  .extend({
    perInjection: perInjection.optional().describe('Pieces used per injection from now on'),
    counted: count.optional().describe('Pieces counted now'),
    received: wholeField(SUPPLY_MESSAGES.received, 1, MAX_PIECES).optional().describe('Pieces received'),
    version: wholeField('Version must be a whole number', 0, MAX_VERSION)
      .optional()
      .describe('The version you read; 409 if it has changed since, so that pieces are added only once'),
  });

export type SupplyChangesInput = z.input<typeof supplyChangesSchema>;

export const supplyFormSchema = supplySchema.extend({ idempotencyKey: z.string().max(100).optional() });
