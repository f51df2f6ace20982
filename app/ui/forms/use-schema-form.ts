import { useForm, type DefaultValue, type SubmissionResult } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import * as z from 'zod';

interface Kept<Input> {
  /** The server's answer to the last submission. */
  lastResult?: SubmissionResult<string[]> | null | undefined;
  defaultValue?: DefaultValue<Input> | undefined;
}

/** The most characters that a schema's text can have; undefined without a limit. */
function maxLengthOf(schema: unknown): number | undefined {
  if (schema instanceof z.ZodString) return schema.maxLength ?? undefined;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return maxLengthOf(schema.unwrap());
  if (schema instanceof z.ZodPipe) return maxLengthOf(schema.out) ?? maxLengthOf(schema.in);
  return undefined;
}

/** The limits of a form's fields. The form library's `getZodConstraint` finds none in schemas of zod 4.6. */
function limitsOf(schema: unknown): Record<string, { maxLength?: number }> {
  if (schema instanceof z.ZodPipe) return limitsOf(schema.out);
  const fields = schema instanceof z.ZodObject ? Object.entries(schema.shape) : [];
  return Object.fromEntries(
    fields.flatMap(([name, field]) => {
      const maxLength = maxLengthOf(field);
      return maxLength === undefined ? [] : [[name, { maxLength }] as const];
    }),
  );
}

/**
 * A form that is checked by its schema before it is sent, with the server's rules: messages appear without a round trip and
 * disappear as the fields are fixed. Without scripts it is a plain form.
 * @param id distinguishes the forms of a page
 */
export function useSchemaForm<Input extends Record<string, unknown>, Output>(
  id: string,
  schema: z.ZodType<Output, Input>,
  { lastResult, defaultValue }: Kept<Input> = {},
) {
  return useForm<Input, Output>({
    id,
    lastResult,
    constraint: limitsOf(schema),
    defaultNoValidate: true,
    shouldRevalidate: 'onInput',
    ...(defaultValue === undefined ? {} : { defaultValue }),
    onValidate: ({ formData }) => parseWithZod(formData, { schema }),
  });
}
