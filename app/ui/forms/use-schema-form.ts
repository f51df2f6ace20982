import { useForm, type DefaultValue, type SubmissionResult } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import type * as z from 'zod';

interface Kept<Input> {
  /** The server's answer to the last submission. */
  lastResult?: SubmissionResult<string[]> | null | undefined;
  defaultValue?: DefaultValue<Input> | undefined;
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
    defaultNoValidate: true,
    shouldRevalidate: 'onInput',
    ...(defaultValue === undefined ? {} : { defaultValue }),
    onValidate: ({ formData }) => parseWithZod(formData, { schema }),
  });
}
